import type { Change } from '@choiros/contract/change.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'

export type SqlValue = string | number | null

/** A row written by one of the reducer's own statements. */
export type Write = (statement: string, ...values: SqlValue[]) => void

/** An event with what it does to files and their versions, wherever that was kept. */
export interface Fact {
  readonly event: Event
  readonly changes: readonly Change[]
  /** What it erases, wherever that was named. */
  readonly erased: readonly Hash[]
  /** What the log holds for it: its own bytes and its lists of changes and of what is erased. */
  readonly bytes: number
}

/**
 * Turns events into rows: pure, no clock, no reads, never refuses. History is not up for debate, and unknown events
 * write nothing. A new `version` rebuilds every table from the log; there are no migrations.
 */
export interface Reducer {
  readonly name: string
  readonly version: number
  readonly tables: readonly string[]
  readonly schema: string
  /**
   * Indexes that only readers use: a rebuild makes them when all rows are there, which takes a fraction of the time.
   */
  readonly indexes?: string
  readonly statements: Readonly<Record<string, string>>
  /**
   * Those that only add a row by `VALUES (…)`, which none of the others named here looks at: a rebuild writes many at
   * once, before the next statement that is not named.
   */
  readonly together?: readonly string[]
  start(write: Write): Reducing
}

/** A reducer at work. */
interface Reducing {
  /**
   * Events in order. What it needs to know of earlier ones it may keep in memory, as long as that does not grow with
   * the history.
   */
  apply(fact: Fact): void
  /**
   * All rows are written when this returns; more events may follow. Whether it is called after each event or once for a
   * million must not show in the rows, or a replay would differ from what was lived.
   */
  settle(): void
  /**
   * Rows written since the last commit may have been taken off the tables again: nothing that is remembered of them
   * counts. For reducers that remember past `settle`.
   */
  forget?(): void
}

/** For reducers that write all their rows at once. */
export function oneByOne(apply: (fact: Fact, write: Write) => void): Reducer['start'] {
  return (write) => ({ apply: (fact) => apply(fact, write), settle() {} })
}
