import { ChoirError } from '@choiros/contract/error.ts'
import { checkChain, readEvent, type Event, type StoredEvent } from '@choiros/contract/event.ts'
import type { Change } from '@choiros/contract/change.ts'
import { isFromNewerRelease } from '@choiros/contract/upcast.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { changesIn, parseManifest } from '@choiros/core/facts.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'

export interface StoredFact extends Fact {
  readonly stored: StoredEvent
}

export const FACTS_PAGE = 2000

/** The history after a point, page by page, each event proven to follow the one before. */
export async function* readFacts(
  log: Pick<EventLog, 'read'>,
  object: (hash: Hash) => Promise<Buffer>,
  from: Head,
  to: number = Number.MAX_SAFE_INTEGER,
  check: (event: Event, stored: StoredEvent) => void = () => {},
): AsyncGenerator<StoredFact[]> {
  let before = from
  while (before.seq < to) {
    const page = await log.read({ after: before.seq, limit: Math.min(FACTS_PAGE, to - before.seq) })
    if (page.length === 0) return
    const facts: StoredFact[] = []
    for (const stored of page) {
      const event = parseStored(stored)
      checkChain(stored, event, before)
      check(event, stored)
      before = { seq: stored.seq, hash: stored.hash }
      facts.push({ stored, event, changes: await changesOf(event, object) })
    }
    yield facts
  }
}

function parseStored(stored: StoredEvent): Event {
  try {
    return readEvent(stored)
  } catch (cause) {
    throw new ChoirError('log.corrupt', `event ${stored.seq} is damaged: it cannot be read`, { cause, details: { seq: stored.seq } })
  }
}

/** An event of a version from the future may carry changes we would misread: better to stop than to show another tree than was meant. */
export async function changesOf(event: Event, object: (hash: Hash) => Promise<Buffer>): Promise<readonly Change[]> {
  if (isFromNewerRelease(event)) {
    throw new ChoirError(
      'event.newer',
      `event ${event.seq} (${event.type} version ${event.version}) was written by a newer ChoirOS; update this one to open it`,
    )
  }
  const carried = changesIn(event)
  if ('changes' in carried) return carried.changes
  const bytes = await object(carried.manifest)
  try {
    return parseManifest(bytes)
  } catch (cause) {
    throw new ChoirError('log.corrupt', `event ${event.seq} is damaged: its list of changes cannot be read`, { cause, details: { seq: event.seq } })
  }
}
