import type { StoredEvent } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'

export interface Head {
  readonly seq: number
  readonly hash: Hash
}

export interface SmallObject {
  readonly hash: Hash
  readonly bytes: Uint8Array
}

/** The one ordered history of a computer. Everything else can be deleted and rebuilt from it. Rules: SPEC.md. */
export interface EventLog {
  /**
   * Rejects with `log.conflict` unless the log still ends at `after`. Durable when it resolves, the objects with it.
   * If it rejects with anything else, read the head: part of the batch may be there. A log that asks nobody else is done when it returns, and
   * says so by returning nothing.
   */
  append(batch: readonly StoredEvent[], objects: readonly SmallObject[], after: number): Promise<void> | undefined
  /** At most `limit` events after `after`, oldest first. Fewer means the end was reached. */
  read(from: { after: number; limit: number }): Promise<StoredEvent[]>
  /** Every event after `after`, without gaps, those to come included, until the signal aborts. */
  follow(after: number, signal: AbortSignal): AsyncIterable<StoredEvent>
  head(): Promise<Head>
  /** The bytes of a small object, or null. */
  object(hash: Hash): Promise<Buffer | null>
  /** Hashes of small objects after `after`, in order: a page for export and verify. */
  objectHashes(from: { after: Hash | null; limit: number }): Promise<Hash[]>
  /** Removes small objects so that their bytes are gone from the disk. */
  eraseObjects(hashes: readonly Hash[]): Promise<void>
  /** What is wrong with the place the log is kept in, beyond what reading all of it shows; null: nothing. Damage there may only be met by the next write. */
  damage(): Promise<string | null>
  /** What a damaged log was about to drop when it was opened; null: nothing. To be read by who looks for events that are gone. */
  leftover(): Promise<Leftover | null>
  /** The log is known to be whole: what was kept for `leftover` is removed. */
  settle(): void
  close(): Promise<void>
}

/** Events and objects that are no part of the log. Nobody vouches for them: whoever takes one proves it by its hash, and an event by its predecessor. */
export interface Leftover {
  read: EventLog['read']
  object: EventLog['object']
  close(): void
}

/** Asked by every adapter before it writes: a gap would be found only when someone replays the log, long after its cause. */
export function gapProblem(batch: readonly StoredEvent[], after: number): string | null {
  let before = after
  for (const { seq } of batch) {
    if (seq !== before + 1) return `event ${seq} cannot follow ${before}`
    before = seq
  }
  return null
}

/** Where a crash can fall inside an adapter. Tests name one and kill the process there. */
export type LogStep = 'log.append.before' | 'log.append.after' | 'log.erase.before' | 'log.erase.after'
