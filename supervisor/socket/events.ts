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
  /** Whether events are sent in their newest versions, as pages know them, or as they were written. */
  readonly lifted: boolean
  /** Shared by all readers of this log. A reader that is at its end and only hears what is new takes no turns. */
  readonly turns: Turns
  readonly who: string
}

/**
 * Sends events as lines of JSON, at the pace of their reader. If the log cannot be read any further, the last line says
 * so.
 */
export async function sendEvents(response: ServerResponse, lines: LogLines, wanted: EventsWanted): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  response.writeHead(200, { 'content-type': 'application/x-ndjson', [AFTER_HEADER]: wanted.after })
  response.flushHeaders()
  // A slow reader misses some of this; it will soon be an event anyway.
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

/** Sends the log up to its end, piece by piece and in turns. */
async function catchUp(
  response: ServerResponse,
  lines: LogLines,
  after: number,
  gone: AbortSignal,
  { turns, who, lifted }: EventsWanted,
): Promise<number> {
  let cursor = after
  let bytes = 0
  for (let limit = FIRST_PIECE; !gone.aborted;) {
    const piece = await turns.take(who, async () => {
      if (gone.aborted) return []
      const read = await lines.read(cursor, limit)
      bytes = 0
      for (const line of read) {
        const text = lifted ? line.lifted() : line.bytes
        bytes += text.length
        response.write(text)
      }
      return read
    })
    cursor = piece.at(-1)?.seq ?? cursor
    if (piece.length < limit) break
    limit = nextLimit(piece, bytes)
    if (response.writableNeedDrain) await drained(response)
  }
  return cursor
}

/** Sends new events until they come faster than they are read: then the reader takes turns again. */
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

function nextLimit(piece: readonly Line[], bytes: number): number {
  return Math.max(1, Math.min(PIECE_EVENTS_MAX, Math.floor((piece.length * PIECE_BYTES) / bytes)))
}

/** Resolves also when the reader has gone: otherwise the wait would never end. */
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
