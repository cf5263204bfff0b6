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
  /** What it is called where logs are kept. */
  readonly name: string
  readonly computer: ComputerId
  /**
   * The epoch of the lease under which it is written (`ports/ownership`). Null: it is only read, and every `append` is
   * refused.
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
   * Whether an append takes a round trip. A log that is not remote is done when `append` returns, and says so by
   * returning nothing, where the objects are small enough to share its transaction.
   */
  readonly isRemote: boolean
  /**
   * Writes events, and before them or with them the objects they name, whatever their size. Durable when it resolves.
   * Rejects with `log.conflict` unless the log still ends at `after`, with `log.fenced` once a newer epoch has written.
   * If it rejects with anything else, read the head: part of the batch may be there.
   */
  append(batch: readonly StoredEvent[], objects: readonly ObjectBytes[], after: number): Promise<void> | undefined
  /** At most `limit` events after `after`, oldest first. Fewer means the end was reached. */
  read(from: { after: number; limit: number }): Promise<StoredEvent[]>
  /** Every event after `after`, without gaps, those to come included, until the signal aborts. */
  follow(after: number, signal: AbortSignal): AsyncIterable<StoredEvent>
  head(): Promise<Head>
  /**
   * What is wrong with the place the log is kept in, beyond what reading all of it shows; null: nothing. Damage there
   * may only be met by the next write.
   */
  damage(): Promise<string | null>
  /**
   * What a damaged log was about to drop when it was opened; null: nothing. To be read by who looks for events that are
   * gone.
   */
  leftover(): Promise<Leftover | null>
  /** The log is known to be whole: what was kept for `leftover` is removed. */
  settle(): void
  close(): Promise<void>
}

/**
 * Events and objects that are no part of the log. Nobody vouches for them: whoever takes one proves it by its hash, and
 * an event by its predecessor.
 */
export interface Leftover {
  read: EventLog['read']
  object: Objects['get']
  close(): void
}

/**
 * Asked by every adapter before it writes: a gap would be found only when someone replays the log, long after its
 * cause.
 */
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
