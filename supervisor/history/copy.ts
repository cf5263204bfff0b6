import { setImmediate as nextTurn } from 'node:timers/promises'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Entry } from '@choiros/contract/change.ts'
import { type DataOf } from '@choiros/contract/catalog.ts'
import { BaseInstall } from '@choiros/contract/events/files.ts'
import { type Fork } from '@choiros/contract/events/points.ts'
import { ChoirError, type ErrorCode } from '@choiros/contract/error.ts'
import type { Event, StoredEvent } from '@choiros/contract/event.ts'
import { NO_HASH, type Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { shapeProblem } from '@choiros/contract/shape.ts'
import type { Progress } from '@choiros/contract/routes.ts'
import { changesProblem, objectsOf, placesProblem } from '@choiros/core/facts.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Reached } from '../crash-points.ts'
import type { State } from '../state/state.ts'
import { readFacts, type StoredFact } from './facts.ts'

/** Somewhere a history can be read from: a computer, or an export file. */
export interface HistorySource {
  read: EventLog['read']
  /** Null: not there, which only an erase or `isLost` may explain. */
  object(hash: Hash): Promise<Buffer | null>
  /** Whether the source says of itself that it cannot give an object any more. */
  isLost(hash: Hash): boolean
  readonly events: number
}

export interface CopyTarget {
  readonly log: EventLog
  readonly state: State
  readonly reached: Reached
  readonly progress: Progress
}

export interface Copied extends Head {
  /** The computer that the log belonged to at its end. */
  readonly computer: string
  /**
   * Objects the history names, whose loss its own events do not explain. The copy must say so in an erase of its own.
   */
  readonly lost: readonly Hash[]
}

/** How many bytes of objects are gathered before they are written: a page of events may name gigabytes. */
const GATHERED_BYTES_MAX = 64 * 1024 * 1024

/** Such an error means that the source is damaged, not one of our computers. */
const SOURCE_DAMAGE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['log.corrupt', 'object.corrupt', 'object.missing'])

/**
 * Copies a history that nobody vouches for into an empty log, proving every step: chain, shapes, paths, objects, and
 * that each change starts from what is there. The first thing that is wrong refuses the whole.
 */
export async function copyHistory(source: HistorySource, target: CopyTarget, to: number): Promise<Copied> {
  try {
    return await copyPages(source, target, to)
  } catch (error) {
    if (error instanceof ChoirError && SOURCE_DAMAGE.has(error.code)) throw corrupt(error.message, error)
    throw error
  }
}

async function copyPages(source: HistorySource, target: CopyTarget, to: number): Promise<Copied> {
  const missing = new Map<Hash, number>()
  let head: Head = { seq: 0, hash: NO_HASH }
  let computer: string | null = null
  const object = async (hash: Hash): Promise<Buffer> => {
    const bytes = await checkedObject(source, hash)
    if (bytes === null) throw corrupt(`object ${hash} is missing`)
    return bytes
  }
  for await (const facts of readFacts(source, object, head, to, checkShape)) {
    target.reached('import.copy.before')
    target.state.begin()
    try {
      for (const fact of facts) {
        computer = checkIdentity(fact, computer, head)
        await checkChanges(fact, target.state, source)
        head = { seq: fact.stored.seq, hash: fact.stored.hash }
      }
      await storePage(facts, source, target, missing)
      target.state.commit()
    } catch (error) {
      target.state.rollback()
      throw error
    }
    target.reached('import.copy.page')
    target.progress('copying history', head.seq, Math.min(to, source.events))
    await nextTurn()
  }
  if (computer === null) throw corrupt('it holds no events')
  const unexplained = [...missing].find(([hash]) => !source.isLost(hash))
  if (unexplained !== undefined) throw corrupt(`object ${unexplained[0]} of event ${unexplained[1]} is missing`)
  checkEnd(target.state)
  return { ...head, computer, lost: [...missing.keys()] }
}

async function storePage(
  facts: readonly StoredFact[],
  source: HistorySource,
  target: CopyTarget,
  missing: Map<Hash, number>,
): Promise<void> {
  let events: StoredFact['stored'][] = []
  let objects: ObjectBytes[] = []
  let bytesGathered = 0
  const flush = async () => {
    const first = events[0]
    if (first === undefined) return
    await target.log.append(events, objects, first.seq - 1)
    events = []
    objects = []
    bytesGathered = 0
  }
  for (const fact of facts) {
    for (const hash of objectsOf(fact.event, fact.changes)) {
      const bytes = await checkedObject(source, hash)
      if (bytes === null) missing.set(hash, fact.event.seq)
      else {
        objects.push({ hash, bytes })
        bytesGathered += bytes.length
      }
    }
    noteErased(fact, missing)
    events.push(fact.stored)
    if (bytesGathered > GATHERED_BYTES_MAX) await flush()
  }
  await flush()
}

async function checkedObject(source: HistorySource, hash: Hash): Promise<Buffer | null> {
  const bytes = await source.object(hash)
  if (bytes !== null && sha256(bytes) !== hash) throw corrupt(`object ${hash} is damaged`)
  return bytes
}

/**
 * A log begins with its base, and the computer's id may change only at a fork that names exactly the event before it.
 */
function checkIdentity({ event }: StoredFact, computer: string | null, before: Head): string {
  if ((event.type === BaseInstall.type) !== (computer === null))
    throw corrupt(`event ${event.seq} is no place for a ${shownType(event)}`)
  if (computer === null || event.computer === computer) return event.computer
  const { origin } = event.data as Partial<DataOf<typeof Fork>>
  const continues =
    event.type === 'fork' && origin?.computer === computer && origin.seq === before.seq && origin.hash === before.hash
  if (!continues) throw corrupt(`event ${event.seq} belongs to another computer`)
  return event.computer
}

function checkShape(event: Event, stored: StoredEvent): void {
  const problem = shapeProblem(event, stored)
  if (problem !== null && !problem.isBearable)
    throw corrupt(`event ${stored.seq} (${shownType(event)}) is malformed: ${problem.message}`)
}

function shownType({ type }: { type: unknown }): string {
  return typeof type === 'string' ? JSON.stringify(type.slice(0, 50).toWellFormed()) : 'no type'
}

async function checkChanges(fact: StoredFact, state: State, source: HistorySource): Promise<void> {
  const targets = new Map<string, string | null>()
  for (const { to } of fact.changes) {
    if (to === null || to.object === null) continue
    const bytes = await source.object(to.object)
    if (bytes !== null && bytes.length !== to.size) throw corrupt(`event ${fact.event.seq} names a wrong size`)
    if (to.kind === 'symlink') targets.set(to.object, bytes?.toString('utf8') ?? null)
  }
  const linkTarget = (entry: Entry) => targets.get(entry.object ?? '') ?? null
  const problem = changesProblem(state.queries.tree, fact.changes, linkTarget)
  if (problem !== null) throw corrupt(`event ${fact.event.seq}: ${problem}`)
  state.apply(fact)
  const misplaced = placesProblem(state.queries.tree, fact.changes)
  if (misplaced !== null) throw corrupt(`event ${fact.event.seq}: ${misplaced}`)
}

/** A missing object is a hole only if a later event of the same log says so. */
function noteErased({ erased }: StoredFact, missing: Map<Hash, number>): void {
  for (const object of erased) missing.delete(object)
}

/**
 * The resulting computer must be one that could have been made here: within its quota, and with no path that names an
 * erased object.
 */
function checkEnd({ queries }: State): void {
  const { files, bytes } = queries.totals()
  if (files > LIMITS.treeFilesMax || bytes > LIMITS.treeBytesMax)
    throw corrupt(`${files} files of ${bytes} bytes are more than a computer holds`)
  for (const object of queries.erased())
    if (queries.isManifest(object)) throw corrupt(`object ${object} was erased, and the log cannot be read without it`)
  for (const [path, { object }] of queries.allEntries()) {
    if (object !== null && queries.isErased(object)) throw corrupt(`${path} was erased and is still there`)
  }
}

function corrupt(why: string, cause?: unknown): ChoirError {
  return new ChoirError('import.corrupt', `the history cannot be taken over: ${why}. Nothing was changed.`, { cause })
}
