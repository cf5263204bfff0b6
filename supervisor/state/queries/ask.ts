import type Database from 'better-sqlite3'
import { TableDamage } from '../damage.ts'

/** A statement of one connection, prepared when it is first asked. */
export type Ask = (sql: string) => () => Database.Statement

/** After every event. */
export const LAST = Number.MAX_SAFE_INTEGER

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TableDamage('what the tables keep as JSON is none', { cause })
  }
}
