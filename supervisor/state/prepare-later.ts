import type Database from 'better-sqlite3'

/**
 * Prepared when it is first asked for: a rebuild or a single command uses few of the statements, and preparing all
 * takes longer than most commands.
 */
export function prepareLater(db: Database.Database, sql: string): () => Database.Statement {
  let prepared: Database.Statement | null = null
  return () => (prepared ??= db.prepare(sql))
}
