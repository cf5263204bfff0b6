import Database from 'better-sqlite3'

/** Tables that are not what the log says. Never a loss: they are thrown away and made again. */
export class TableDamage extends Error {}

const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB|CONSTRAINT|MISMATCH|ERROR|FORMAT|SCHEMA)/

/**
 * Whether an error means that the tables cannot be trusted any more, and not that the disk is full or fails. The log's
 * own errors have codes of ours.
 */
export function isTableDamage(error: unknown): boolean {
  return error instanceof TableDamage || (error instanceof Database.SqliteError && DAMAGE_CODES.test(error.code))
}
