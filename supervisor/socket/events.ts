import type { ServerResponse } from 'node:http'
import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent, type StoredEvent } from '@choiros/contract/event.ts'
import { toWireError } from '@choiros/contract/routes.ts'
import { upcast } from '@choiros/contract/upcast.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'
import type { LiveText } from '../runs/live-text.ts'
import type { Turns } from '../session/turns.ts'

/** What is read and sent in one turn: a few milliseconds of work. */
const PIECE_BYTES = 128 * 1024
const PIECE_EVENTS_MAX = 200
const FIRST_PIECE = 50

export interface EventsWanted {
  readonly after: number
  readonly follow: boolean
  readonly live: LiveText | null
  /** In their newest versions, as pages know them; else as they were written. */
  readonly lifted: boolean
  /** Shared by all who read this log. Whoever is at its end and only hears what is new waits for none. */
  readonly turns: Turns
  readonly who: string
}

type Log = Pick<EventLog, 'read' | 'follow'>

/** Events as lines of JSON, at the pace of whoever reads them. A log that cannot be read on ends the answer with a line that says so. */
export async function sendEvents(response: ServerResponse, log: Log, wanted: EventsWanted): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.flushHeaders()
  // Whoever reads too slowly for it misses some of what will soon be an event anyway.
  const leave = wanted.live?.follow((said) => void (response.writableNeedDrain || response.write(`${JSON.stringify({ live: said })}\n`)))
  if (leave !== undefined) response.on('close', leave)
  try {
    for (let cursor = wanted.after; !gone.signal.aborted;) {
      cursor = await catchUp(response, log, cursor, gone.signal, wanted)
      if (!wanted.follow) break
      cursor = await listen(response, log, cursor, gone.signal, wanted)
    }
    response.end()
  } catch (error) {
    response.end(`${JSON.stringify({ error: toWireError(error) })}\n`)
    throw error
  }
}

/** To the end of the log, piece by piece and by turns. */
async function catchUp(response: ServerResponse, log: Log, after: number, gone: AbortSignal, { turns, who, lifted }: EventsWanted): Promise<number> {
  let cursor = after
  for (let limit = FIRST_PIECE; !gone.aborted;) {
    const piece = await turns.take(who, async () => {
      if (gone.aborted) return []
      const read = await log.read({ after: cursor, limit })
      for (const stored of read) send(response, stored, lifted)
      return read
    })
    cursor = piece.at(-1)?.seq ?? cursor
    if (piece.length < limit) break
    limit = nextLimit(piece)
    if (response.writableNeedDrain) await drained(response)
  }
  return cursor
}

/** What is new, until it comes faster than it is read: then its reader waits for turns again. */
async function listen(response: ServerResponse, log: Log, after: number, gone: AbortSignal, { lifted }: EventsWanted): Promise<number> {
  if (response.writableNeedDrain) await drained(response)
  for await (const stored of log.follow(after, gone)) {
    if (send(response, stored, lifted)) {
      after = stored.seq
      continue
    }
    await drained(response)
    return stored.seq
  }
  return after
}

function send(response: ServerResponse, stored: StoredEvent, lifted: boolean): boolean {
  if (sha256(stored.bytes) !== stored.hash) throw new ChoirError('log.corrupt', `event ${stored.seq} is damaged: its bytes do not match its hash`)
  const event = readEvent(stored)
  return response.write(`${JSON.stringify(lifted ? upcast(event) : event)}\n`)
}

function nextLimit(piece: readonly StoredEvent[]): number {
  const bytes = piece.reduce((sum, stored) => sum + stored.bytes.length, 0)
  return Math.max(1, Math.min(PIECE_EVENTS_MAX, Math.floor((piece.length * PIECE_BYTES) / bytes)))
}

/** Also where the reader has gone already: waiting for them would never end. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve()
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}
