import type { ServerResponse } from 'node:http'
import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent, type StoredEvent } from '@choiros/contract/event.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { toWireError } from '@choiros/contract/routes.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'
import type { LiveText } from '../runs/live-text.ts'

/** Events as lines of JSON, at the pace of whoever reads them. A log that cannot be read on ends the answer with a line that says so. */
export async function sendEvents(
  response: ServerResponse,
  log: Pick<EventLog, 'read' | 'follow'>,
  { after, follow, live }: { after: number; follow: boolean; live: LiveText | null },
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.flushHeaders()
  // Whoever reads too slowly for it misses some of what will soon be an event anyway.
  const leave = live?.follow((said) => void (response.writableNeedDrain || response.write(`${JSON.stringify({ live: said })}\n`)))
  if (leave !== undefined) response.on('close', leave)
  try {
    for await (const stored of follow ? log.follow(after, gone.signal) : readToEnd(log, after, gone.signal)) {
      if (sha256(stored.bytes) !== stored.hash) throw new ChoirError('log.corrupt', `event ${stored.seq} is damaged: its bytes do not match its hash`)
      if (!response.write(`${JSON.stringify(readEvent(stored))}\n`)) await drained(response)
    }
    response.end()
  } catch (error) {
    response.end(`${JSON.stringify({ error: toWireError(error) })}\n`)
    throw error
  }
}

async function* readToEnd(log: Pick<EventLog, 'read'>, after: number, gone: AbortSignal): AsyncGenerator<StoredEvent> {
  for (let cursor = after; !gone.aborted;) {
    const page = await log.read({ after: cursor, limit: LIMITS.eventsPageMax })
    yield* page
    cursor = page.at(-1)?.seq ?? cursor
    if (page.length < LIMITS.eventsPageMax) return
  }
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
