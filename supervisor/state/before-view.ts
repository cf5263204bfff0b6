import Database from 'better-sqlite3'
import { createQueries, type Queries } from './queries.ts'

/**
 * The tables as they were last committed, through a connection of its own: for queries while a batch is on its way to a
 * remote log.
 */
export interface BeforeView {
  db(): Database.Database
  queries(): Queries
  close(): void
}

/** Small: it answers only while a batch is on its way. */
const CACHE_KIB = 2 * 1024

export function createBeforeView(file: string): BeforeView {
  let opened: { readonly db: Database.Database; readonly queries: Queries } | null = null
  const open = () => {
    if (opened !== null) return opened
    const db = new Database(file, { readonly: true })
    db.pragma(`cache_size = -${CACHE_KIB}`)
    opened = { db, queries: createQueries(db) }
    return opened
  }
  return { db: () => open().db, queries: () => open().queries, close: () => opened?.db.close() }
}
