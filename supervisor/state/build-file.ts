import Database from 'better-sqlite3'
import { REDUCERS, REDUCERS_VERSION } from '@choiros/core/reducers/all.ts'
import type { Reducer, SqlValue, Write } from '@choiros/core/reducers/reducer.ts'
import { writeMark } from './on-disk.ts'
import { prepareLater } from './prepare-later.ts'
import { createIndexes, createTables, prepareCursor, prepareWrites, readVersion, removeTableFile, type Cursor } from './tables.ts'

/** Rows go everywhere in the tables: pages that are written once and not again and again make a rebuild fast. */
const CACHE_KIB = 64 * 1024

/** One row: the number of a statement among those of all reducers, and its values. */
export type NumberedWrite = readonly [number, ...SqlValue[]]

/** A file of tables that nobody reads before it is finished, and that is thrown away after a crash: it needs no journal and no fsync until then. */
export interface BuildFile {
  readonly cursor: Cursor
  /** Where a reducer's rows go; they are written when `flush` is done. */
  writeOf(reducer: Reducer): Write
  flush(): void | Promise<void>
  /** Everything is in the file when this is done. */
  finish(cursor: Cursor): void | Promise<void>
  abandon(): void | Promise<void>
}

/** The same in this thread: done when it returns. */
interface OwnBuildFile extends BuildFile {
  /** Rows that another thread gathered. */
  writeNumbered(writes: readonly NumberedWrite[]): void
  finish(cursor: Cursor): void
}

/** Goes on from the tables in the file, or from nothing. `mark`: that they may not be on disk yet. */
export function openBuildFile(file: string, mark: number): OwnBuildFile {
  const { db, isNew } = openForBuild(file)
  db.exec('BEGIN')
  if (isNew) createTables(db)
  const statements = REDUCERS.flatMap((reducer) => Object.values(reducer.statements)).map((sql) => prepareLater(db, sql))
  return {
    cursor: db.prepare('SELECT seq, hash FROM cursor').get() as Cursor,
    writeOf: (reducer) => prepareWrites(db, reducer),
    flush() {},
    writeNumbered(writes) {
      for (const [number, ...values] of writes) statements[number]?.().run(...values)
    },
    finish(cursor) {
      prepareCursor(db)(cursor)
      if (isNew) createIndexes(db)
      writeMark(db, mark)
      db.exec('COMMIT')
      db.close()
    },
    abandon() {
      db.close()
      removeTableFile(file)
    },
  }
}

function openForBuild(file: string): { db: Database.Database; isNew: boolean } {
  const db = new Database(file)
  const version = readVersion(db)
  if (version !== null && version !== REDUCERS_VERSION) {
    db.close()
    removeTableFile(file)
    return openForBuild(file)
  }
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('locking_mode = EXCLUSIVE')
  db.pragma(`cache_size = -${CACHE_KIB}`)
  return { db, isNew: version === null }
}

/** Gathers a reducer's rows, to be written together or by another thread. */
export function numberWrites(reducer: Reducer, gather: (write: NumberedWrite) => void): Write {
  const before = REDUCERS.slice(0, REDUCERS.indexOf(reducer)).reduce((sum, { statements }) => sum + Object.keys(statements).length, 0)
  const numbers = new Map(Object.keys(reducer.statements).map((name, index) => [name, before + index]))
  return (name, ...values) => gather([numbers.get(name) ?? -1, ...values])
}
