import type { StoredEvent } from '@choiros/contract/event.ts'
import type { ComputerId, Hash } from '@choiros/contract/ids.ts'
import type { ObjectBytes, Objects, ObjectStep } from '../objects/objects.ts'

export interface Head {
  readonly seq: number
  readonly hash: Hash
}

/** Opens the log of a computer, wherever logs are kept. */
export type OpenLog = (options: LogOptions) => Promise<EventLog>

export interface LogOptions {
  /**
   * The computer's folder, for adapters that keep their log in it. It has another name while the computer is being
   * made; `computer` never changes, and an adapter elsewhere knows the log by that alone.
   */
  readonly name: string
  readonly computer: ComputerId
  /**
   * The epoch of the lease under which it is written (`ports/ownership`). Null: the log is only read, and every
   * `append` is refused.
   */
  readonly epoch: number | null
  readonly reached?: (step: LogStep) => void
}

/**
 * The one ordered history of a computer, and the bytes that it names. Everything else can be deleted and rebuilt from
 * it. Rules: SPEC.md.
 */
export interface EventLog {
  readonly objects: Objects
  /**
   * Whether an append takes a round trip. A log that is not remote is done when `append` returns: it returns no promise
   * where the objects are small enough to share the event's transaction.
   */
  readonly isRemote: boolean
  /**
   * Writes events, and before them or with them the objects they name, whatever their size. Durable when it resolves.
   * Rejects with `log.conflict` unless the log still ends at `after`, with `log.fenced` once a newer epoch has written.
   * After any other rejection, read the head: part of the batch may be in the log.
   */
  append(batch: readonly StoredEvent[], objects: readonly ObjectBytes[], after: number): Promise<void> | undefined
  /** At most `limit` events after `after`, oldest first. Fewer means the end was reached. */
  read(from: { after: number; limit: number }): Promise<StoredEvent[]>
  /** Every event after `after`, without gaps, including future ones, until the signal aborts. */
  follow(after: number, signal: AbortSignal): AsyncIterable<StoredEvent>
  head(): Promise<Head>
  /**
   * What is wrong with the file or server that keeps the log, beyond what reading all events shows; null: nothing.
   * Otherwise only the next write might meet such damage.
   */
  damage(): Promise<string | null>
  /** What a damaged log was about to drop when it was opened; null: nothing. A recovery looks there for lost events. */
  leftover(): Promise<Leftover | null>
  /** Called when the log is known to be whole: what was kept for `leftover` is removed. */
  settle(): void
  close(): Promise<void>
}

/**
 * Events and objects that are no part of the log. Nobody vouches for them: a caller that takes one must prove it by its
 * hash, and an event by its predecessor as well.
 */
export interface Leftover {
  read: EventLog['read']
  object: Objects['get']
  close(): void
}

/** Every adapter asks this before it writes: a gap would otherwise be found only by a replay, long after its cause. */
export function gapProblem(batch: readonly StoredEvent[], after: number): string | null {
  let before = after
  for (const { seq } of batch) {
    if (seq !== before + 1) return `event ${seq} cannot follow ${before}`
    before = seq
  }
  return null
}

/** Where a crash can fall inside an adapter. Tests name one and kill the process there. */
export type LogStep = 'log.append.before' | 'log.append.after' | 'log.erase.before' | 'log.erase.after' | ObjectStep
