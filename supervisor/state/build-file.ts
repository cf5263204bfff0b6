import Database from 'better-sqlite3'
import { assert } from '@choiros/contract/error.ts'
import { REDUCERS, REDUCERS_VERSION } from '@choiros/core/reducers/all.ts'
import type { Reducer, SqlValue, Write } from '@choiros/core/reducers/reducer.ts'
import { writeMark } from './on-disk.ts'
import { prepareLater } from './prepare-later.ts'
import { createIndexes, createTables, prepareCursor, readVersion, removeTableFile, type Cursor } from './tables.ts'

/**
 * Large, because rows go to every part of the tables: a rebuild is fast if each page is written once, not again and
 * again.
 */
const CACHE_KIB = 64 * 1024

/**
 * Rows one after the other: each is the number of a statement among those of all reducers, followed by its values. One
 * flat list takes half the time on its way to another thread.
 */
export type NumberedWrites = SqlValue[]

/**
 * A file of tables that nobody reads before it is finished, and that is thrown away after a crash: it needs no journal
 * and no fsync until then.
 */
export interface BuildFile {
  readonly cursor: Cursor
  /** Where a reducer's rows go; they are written when `flush` is done. */
  writeOf(reducer: Reducer): Write
  flush(): void | Promise<void>
  /** Everything is in the file when this is done. */
  finish(cursor: Cursor): void | Promise<void>
  abandon(): void | Promise<void>
}

/** The same in this thread: each call is done when it returns. */
interface OwnBuildFile extends BuildFile {
  /** Writes rows that another thread gathered. */
  writeNumbered(writes: NumberedWrites): void
  finish(cursor: Cursor): void
}

/** Goes on from the tables in the file, or from nothing. `mark` says that they may not be on disk yet. */
export function openBuildFile(file: string, mark: number): OwnBuildFile {
  const { db, isNew } = openForBuild(file)
  db.exec('BEGIN')
  if (isNew) createTables(db)
  const rows = openRows(db)
  return {
    cursor: db.prepare('SELECT seq, hash FROM cursor').get() as Cursor,
    writeOf: (reducer) => numberWrites(reducer, rows.write),
    flush() {},
    writeNumbered(writes) {
      for (let at = 0; at < writes.length;) at = rows.write(writes[at] as number, writes, at + 1)
    },
    finish(cursor) {
      rows.flush()
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
  // Otherwise a statement of many rows keeps in a file what it would need to roll half of them back.
  db.pragma('temp_store = MEMORY')
  return { db, isNew: version === null }
}

/** Lets a reducer name its statements, and passes on their numbers. */
export function numberWrites(
  reducer: Reducer,
  write: (number: number, values: SqlValue[], start: number) => unknown,
): Write {
  const before = REDUCERS.slice(0, REDUCERS.indexOf(reducer)).reduce(
    (sum, { statements }) => sum + Object.keys(statements).length,
    0,
  )
  const numbers = new Map(Object.keys(reducer.statements).map((name, index) => [name, before + index]))
  return (name, ...values) => void write(numbers.get(name) ?? -1, values, 0)
}

/** How many rows one call of a statement writes: the call itself costs as much as a row. */
const TOGETHER = 16

interface RowStatement {
  readonly one: () => Database.Statement
  /** The same for many rows; null where each is written as it comes. */
  readonly many: (() => Database.Statement) | null
  readonly values: number
  waiting: SqlValue[]
  /** The statements of the same reducer whose rows may wait. */
  readonly before: RowStatement[]
}

/** Writes rows that are read only when all of them are written. */
function openRows(db: Database.Database) {
  const statements = REDUCERS.flatMap(({ statements: own, together = [] }) => {
    const before: RowStatement[] = []
    return Object.entries(own).map(([name, sql]): RowStatement => {
      const many = together.includes(name) ? prepareLater(db, manyRows(sql)) : null
      const made = { one: prepareLater(db, sql), many, values: sql.split('?').length - 1, waiting: [], before }
      if (many !== null) before.push(made)
      return made
    })
  })
  const flush = (waiting: readonly RowStatement[]) => {
    for (const statement of waiting) {
      const { values, one, waiting: rows } = statement
      for (let at = 0; at < rows.length; at += values) one().run(...rows.slice(at, at + values))
      statement.waiting = []
    }
  }
  return {
    /** Returns the index at which the next row starts. */
    write(number: number, from: SqlValue[], start: number): number {
      const statement = statements[number]
      assert(statement !== undefined, 'a reducer writes by its own statements')
      const end = start + statement.values
      if (statement.many === null) {
        flush(statement.before)
        statement.one().run(...from.slice(start, end))
        return end
      }
      for (let at = start; at < end; at++) statement.waiting.push(from[at] as SqlValue)
      if (statement.waiting.length < TOGETHER * statement.values) return end
      statement.many().run(...statement.waiting)
      statement.waiting = []
      return end
    },
    flush: () => flush(statements.filter(({ many }) => many !== null)),
  }
}

function manyRows(sql: string): string {
  return sql.replace(
    /VALUES (\([^()]*\))/,
    (_, row: string) => `VALUES ${Array.from({ length: TOGETHER }, () => row).join(', ')}`,
  )
}
