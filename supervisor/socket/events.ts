import type { ServerResponse } from 'node:http'
import { AFTER_HEADER, toWireError } from '@choiros/contract/routes.ts'
import type { EventAside, EventsEnd } from '@choiros/contract/wire.ts'
import type { LiveText } from '../runs/live-text.ts'
import type { Line, LogLines } from '../session/log-lines.ts'
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

/**
 * Events as lines of JSON, at the pace of whoever reads them. A log that cannot be read on ends the answer with a line
 * that says so.
 */
export async function sendEvents(response: ServerResponse, lines: LogLines, wanted: EventsWanted): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  response.writeHead(200, { 'content-type': 'application/x-ndjson', [AFTER_HEADER]: wanted.after })
  response.flushHeaders()
  // Whoever reads too slowly for it misses some of what will soon be an event anyway.
  const leave = wanted.live?.follow(
    (said) =>
      void (response.writableNeedDrain || response.write(`${JSON.stringify({ live: said } satisfies EventAside)}\n`)),
  )
  if (leave !== undefined) response.on('close', leave)
  try {
    for (let cursor = wanted.after; !gone.signal.aborted;) {
      cursor = await catchUp(response, lines, cursor, gone.signal, wanted)
      if (!wanted.follow) break
      cursor = await listen(response, lines, cursor, gone.signal, wanted)
    }
    response.end()
  } catch (error) {
    response.end(`${JSON.stringify({ error: toWireError(error) } satisfies EventsEnd)}\n`)
    throw error
  }
}

/** To the end of the log, piece by piece and by turns. */
async function catchUp(
  response: ServerResponse,
  lines: LogLines,
  after: number,
  gone: AbortSignal,
  { turns, who, lifted }: EventsWanted,
): Promise<number> {
  let cursor = after
  for (let limit = FIRST_PIECE; !gone.aborted;) {
    const piece = await turns.take(who, async () => {
      if (gone.aborted) return []
      const read = await lines.read(cursor, limit)
      for (const line of read) response.write(lifted ? line.lifted() : line.bytes)
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
async function listen(
  response: ServerResponse,
  lines: LogLines,
  after: number,
  gone: AbortSignal,
  { lifted }: EventsWanted,
): Promise<number> {
  if (response.writableNeedDrain) await drained(response)
  const reached = await lines.listen(after, (line) => response.write(lifted ? line.lifted() : line.bytes), gone)
  if (response.writableNeedDrain) await drained(response)
  return reached
}

function nextLimit(piece: readonly Line[]): number {
  const bytes = piece.reduce((sum, line) => sum + line.bytes.length, 0)
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
