import type { Change } from '@choiros/contract/change.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'

export type SqlValue = string | number | null

/** Writes a row by one of the reducer's own statements. */
export type Write = (statement: string, ...values: SqlValue[]) => void

/** An event with what it does to files and their versions, wherever that is stored. */
export interface Fact {
  readonly event: Event
  readonly changes: readonly Change[]
  /** The objects it erases, wherever they are named. */
  readonly erased: readonly Hash[]
  /** How much the log holds for it: the event's own bytes and its lists of changes and of erased objects. */
  readonly bytes: number
}

/**
 * Turns events into rows: pure, no clock, no reads, never refuses. What is in the log has happened, so it is never
 * rejected; unknown events write nothing. A new `version` rebuilds every table from the log; there are no migrations.
 */
export interface Reducer {
  readonly name: string
  readonly version: number
  readonly tables: readonly string[]
  readonly schema: string
  /**
   * Indexes that only readers use: a rebuild creates them after all rows are written, which takes a fraction of the
   * time.
   */
  readonly indexes?: string
  readonly statements: Readonly<Record<string, string>>
  /**
   * Statements that only write a row by `VALUES (…)`, which no other statement named here reads: a rebuild writes many
   * such rows at once, before the next statement that is not named here.
   */
  readonly together?: readonly string[]
  start(write: Write): Reducing
}

/** A reducer while it applies events. */
interface Reducing {
  /**
   * Takes events in order. It may keep in memory what it needs to know of earlier ones, as long as that does not grow
   * with the history.
   */
  apply(fact: Fact): void
  /**
   * All rows are written when this returns; more events may follow. The rows must be the same whether it is called
   * after each event or once for a million, or a replay would give other tables.
   */
  settle(): void
  /**
   * Rows written since the last commit may have been rolled back: nothing that the reducer remembers of them counts any
   * more. For reducers that remember something after `settle`.
   */
  forget?(): void
}

/** For reducers that write all rows of an event at once. */
export function oneByOne(apply: (fact: Fact, write: Write) => void): Reducer['start'] {
  return (write) => ({ apply: (fact) => apply(fact, write), settle() {} })
}
