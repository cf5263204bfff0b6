import { ChoirError } from '@choiros/contract/error.ts'
import { checkChain, readEvent, type Event, type StoredEvent } from '@choiros/contract/event.ts'
import type { Change } from '@choiros/contract/change.ts'
import { isFromNewerRelease } from '@choiros/contract/upcast.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { changesIn, erasedIn, parseErased, parseManifest } from '@choiros/core/facts.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'

export interface StoredFact extends Fact {
  readonly stored: StoredEvent
}

/**
 * A page holds at most so many events. Its bytes are limited by an estimate from the page before: 1,000 events of the
 * largest size would be half a GiB.
 */
const PAGE_EVENTS_MAX = 1000
const PAGE_BYTES = 4 * 1024 * 1024
/** The size of the first page. */
export const FACTS_PAGE = 250

/** The history after a point, page by page, each event proven to follow the one before. */
export async function* readFacts(
  log: Pick<EventLog, 'read'>,
  object: (hash: Hash) => Promise<Buffer>,
  from: Head,
  to: number = Number.MAX_SAFE_INTEGER,
  check: (event: Event, stored: StoredEvent) => void = () => {},
): AsyncGenerator<StoredFact[]> {
  let before = from
  let limit = FACTS_PAGE
  while (before.seq < to) {
    const page = await log.read({ after: before.seq, limit: Math.min(limit, to - before.seq) })
    if (page.length === 0) return
    limit = nextLimit(page)
    const facts: StoredFact[] = []
    for (const stored of page) {
      const event = parseStored(stored)
      checkChain(stored, event, before)
      check(event, stored)
      before = stored
      facts.push({ stored, event, ...(ownContent(event, stored) ?? (await contentOf(event, stored, object))) })
    }
    yield facts
  }
}

function nextLimit(page: readonly StoredEvent[]): number {
  const bytes = page.reduce((sum, stored) => sum + stored.bytes.length, 0)
  return Math.max(1, Math.min(PAGE_EVENTS_MAX, Math.floor((page.length * PAGE_BYTES) / bytes)))
}

function parseStored(stored: StoredEvent): Event {
  try {
    return readEvent(stored)
  } catch (cause) {
    throw new ChoirError('log.corrupt', `event ${stored.seq} is damaged: it cannot be read`, {
      cause,
      details: { seq: stored.seq },
    })
  }
}

type FindObject = (hash: Hash) => Promise<Buffer>

/**
 * What an event does, where the event itself says all of it, which is nearly always: then a rebuild need not await
 * anything for it.
 */
function ownContent(event: Event, stored: StoredEvent): Omit<Fact, 'event'> | null {
  const changes = carriedBy(event)
  const named = erasedIn(event)
  return changes === null || 'list' in named ? null : { changes, erased: named.erased, bytes: stored.bytes.length }
}

/** What an event does, wherever that is kept, and how many bytes that takes. */
async function contentOf(event: Event, stored: StoredEvent, object: FindObject): Promise<Omit<Fact, 'event'>> {
  let bytes = stored.bytes.length
  const counted: FindObject = async (hash) => {
    const found = await object(hash)
    bytes += found.length
    return found
  }
  const changes = carriedBy(event) ?? (await changesOf(event, counted))
  const named = erasedIn(event)
  const erased =
    'erased' in named ? named.erased : readList(event, await counted(named.list), 'what it erases', parseErased)
  return { changes, erased, bytes }
}

/** The changes of an event, wherever they are kept. */
export async function changesOf(event: Event, object: FindObject): Promise<readonly Change[]> {
  const carried = carriedBy(event)
  if (carried !== null) return carried
  const { manifest } = changesIn(event) as { manifest: Hash }
  return readList(event, await object(manifest), 'changes', parseManifest)
}

function readList<Item>(event: Event, bytes: Buffer, of: string, parse: (bytes: Uint8Array) => Item[]): Item[] {
  try {
    return parse(bytes)
  } catch (cause) {
    throw new ChoirError('log.corrupt', `event ${event.seq} is damaged: its list of ${of} cannot be read`, {
      cause,
      details: { seq: event.seq },
    })
  }
}

/**
 * The changes that an event holds itself; null where a manifest holds them. An event of a newer version may carry
 * changes that we would misread: it is better to stop than to show a wrong tree.
 */
function carriedBy(event: Event): readonly Change[] | null {
  if (isFromNewerRelease(event)) {
    throw new ChoirError(
      'event.newer',
      `event ${event.seq} (${event.type} version ${event.version}) was written by a newer ChoirOS; update this one to open it`,
    )
  }
  const carried = changesIn(event)
  return 'changes' in carried ? carried.changes : null
}
