import type { Change } from '@choiros/contract/change.ts'
import type { Event } from '@choiros/contract/event.ts'

export type SqlValue = string | number | null

/** A row written by one of the reducer's own statements. */
export type Write = (statement: string, ...values: SqlValue[]) => void

/** An event with the file changes it carries, wherever they were kept. */
export interface Fact {
  readonly event: Event
  readonly changes: readonly Change[]
}

/**
 * Turns events into rows: pure, no clock, no reads, never refuses. History is not up for debate, and unknown events write nothing.
 * A new `version` rebuilds every table from the log; there are no migrations.
 */
export interface Reducer {
  readonly name: string
  readonly version: number
  readonly tables: readonly string[]
  readonly schema: string
  readonly statements: Readonly<Record<string, string>>
  apply(fact: Fact, write: Write): void
}
