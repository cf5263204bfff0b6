import type Database from 'better-sqlite3'
import { TableDamage } from '../damage.ts'

/** Makes a query of one connection; its statement is prepared when it is first used. */
export type Ask = (sql: string) => () => Database.Statement

/** Greater than the number of any event. */
export const LAST = Number.MAX_SAFE_INTEGER

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TableDamage('what the tables keep as JSON is none', { cause })
  }
}
