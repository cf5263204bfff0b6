import type { Event } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'
import type { SignedHead } from '../signing/signing.ts'
import type { Queries } from '../state/queries.ts'
import type { Decide, View } from './log-writer.ts'
import type { Proposal } from './seal.ts'
import type { ComputerIdentity } from './machine.ts'
import type { ObjectStore } from './object-store.ts'
import type { Totals } from './quota.ts'
import type { Witness } from './tail.ts'

/** An event that changes no files. */
type Remark = Pick<Proposal, 'draft' | 'objects'> & {
  readonly changes?: never
  readonly erased?: never
  readonly tree?: never
}

interface ChangeOptions {
  /** How much of the disk must stay free. */
  readonly reserveBytes?: number
  /** For a landing, and for the caller that holds the files still: it does not wait for a hold. */
  readonly atOnce?: boolean
}

/**
 * One open computer, as commands and runs see it: they can ask for its state and add events, and can do nothing else to
 * it.
 */
export interface Computer extends ComputerIdentity {
  readonly folder: string
  /** Aborts when somebody else may write it by now. */
  readonly lost: AbortSignal
  /** The state at the head of the log. */
  readonly queries: Queries
  readonly objects: Pick<ObjectStore, 'get' | 'find' | 'size' | 'stream' | 'has' | 'put'>
  /** The history, for reading. */
  readonly log: Pick<EventLog, 'read' | 'follow' | 'head' | 'damage'>
  head(): Head
  /** The last event that changed a file or took old versions away. */
  filesSeq(): number
  totals(): Totals
  tableHashes(): Record<string, Hash>
  /** Adds one event that changes no file. */
  append(decide: (view: View) => Remark | null, reserveBytes?: number): Promise<Event | null>
  /**
   * The only way to change files: decides, writes, and waits until the files on disk show it. While a landing holds the
   * files still, it waits its turn.
   */
  change(decide: Decide, options?: ChangeOptions): Promise<Event | null>
  /** Lets every change that was sent before arrive, and holds back the next ones. */
  holdStill(longestMs: number): Promise<() => void>
  /** Removes the bytes that an erase has named, except those that an event has named again since. */
  erase(objects: readonly Hash[]): Promise<void>
  /** Takes away bytes that came long ago and that no event names. */
  collectGarbage(nowMs: number, oldMs?: number): Promise<number>
  /** Resolves when the files on disk show everything that is in the log. */
  shown(): Promise<void>
  /** Why the files do not show it; null: they do, or soon will. */
  problem(): string | null
  /** Compares the files on disk with the log, byte for byte, and puts right what differs. Returns what was wrong. */
  mendTree(): Promise<string[]>
  /** Makes the commits that checkpoints still lack. Resolves with the newest, if one was made. */
  commitCheckpoints(): Promise<string | null>
  /** Writes a durable, signed statement that the log reached its present head. */
  signHead(): SignedHead
  /** The witnesses that know of events which the log does not hold. */
  findLost(): Promise<Witness[]>
  close(): Promise<void>
}
