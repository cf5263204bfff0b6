import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Hash } from '@choiros/contract/ids.ts'
import { sha256Stream } from '@choiros/contract/canonical.ts'
import { REDUCERS, REDUCERS_VERSION } from '@choiros/core/reducers/all.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import { createQueries, type Queries } from './queries.ts'
import { createIndexes, createTables, prepareWrites, readVersion, removeTableFile, startReducers, type Cursor, type Replay } from './tables.ts'

/** The tables of one computer. Only reducers write them, in the transaction that moves the cursor (L1). */
export interface State extends Replay {
  replay(facts: readonly Fact[]): void
  /** Sees what the open transaction has applied: for decisions. */
  readonly pending: Queries
  /** Sees what is committed: for everyone else. */
  readonly queries: Queries
  begin(): void
  apply(fact: Fact): void
  /** Applies, asks, and takes it back again if the answer is no. */
  applyIf(fact: Fact, holds: () => boolean): boolean
  commit(): void
  rollback(): void
  tableHashes(): Record<string, Hash>
  /** Copies the tables as of one moment while life goes on. Returns which moment that was. */
  copyTo(file: string): Promise<Cursor>
  close(): void
}

/** Tables that are not what the log says. Never a loss: they are thrown away and made again. */
export class TableDamage extends Error {}

const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB|CONSTRAINT|MISMATCH|ERROR|FORMAT|SCHEMA)/

/** Whether an error means that the tables cannot be trusted any more, and not that the disk is full or fails. The log's own errors have codes of ours. */
export function isTableDamage(error: unknown): boolean {
  return error instanceof TableDamage || (error instanceof Database.SqliteError && DAMAGE_CODES.test(error.code))
}

export const STATE_TABLES: readonly string[] = REDUCERS.flatMap((reducer) => reducer.tables)

/** Opens the tables, or makes empty ones where there are none, or where they were made by other reducers. */
export function openState(file: string): State {
  let db = openFile(file)
  const version = readVersion(db)
  if (version !== REDUCERS_VERSION) {
    if (version !== null) {
      db.close()
      removeTableFile(file)
      db = openFile(file)
    }
    db.transaction(() => {
      createTables(db)
      createIndexes(db)
    })()
  }
  return createState(db, new Database(file, { readonly: true }))
}

/** Per computer that is open: a hundred of them must fit a machine. */
const CACHE_KIB = 16 * 1024

function openFile(file: string): Database.Database {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL') // A projection: what power loss takes from it, the log gives back.
  db.pragma(`cache_size = -${CACHE_KIB}`)
  return db
}

function createState(db: Database.Database, readDb: Database.Database): State {
  const readCursor = db.prepare('SELECT seq, hash FROM cursor')
  const moveCursor = db.prepare('UPDATE cursor SET seq = ?, hash = ?')
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const start = () => startReducers((reducer) => prepareWrites(db, reducer))
  let reducers = start()
  let cursor = readCursor.get() as Cursor

  const applyAll = (facts: readonly Fact[]) => {
    try {
      for (const fact of facts) cursor = reducers.apply(fact, cursor)
      reducers.settle()
    } catch (error) {
      reducers = start() // One that failed half-way remembers rows that are rolled back.
      throw error
    }
  }

  const state: State = {
    cursor: () => readCursor.get() as Cursor,
    pending: createQueries(db),
    queries: createQueries(readDb),
    begin() {
      begin.run()
      cursor = readCursor.get() as Cursor
    },
    apply: (fact) => applyAll([fact]),
    applyIf(fact, holds) {
      const before = cursor
      db.exec('SAVEPOINT attempt')
      applyAll([fact])
      const held = holds()
      if (!held) {
        db.exec('ROLLBACK TO attempt')
        cursor = before
      }
      db.exec('RELEASE attempt')
      return held
    },
    commit() {
      // Same transaction as the rows: a crash between the two would apply these events twice.
      moveCursor.run(cursor.seq, cursor.hash)
      commit.run()
    },
    rollback() {
      if (db.inTransaction) rollback.run()
    },
    replay(facts) {
      state.begin()
      try {
        applyAll(facts)
        state.commit()
      } catch (error) {
        state.rollback()
        throw error
      }
    },
    tableHashes: () => Object.fromEntries(STATE_TABLES.map((table) => [table, hashTable(readDb, table)])),
    async copyTo(copy) {
      await runCopyWorker(db.name, copy)
      const copied = new Database(copy, { readonly: true })
      const { seq, hash } = copied.prepare('SELECT seq, hash FROM cursor').get() as Cursor
      copied.close()
      return { seq, hash }
    },
    close() {
      readDb.close()
      db.close()
    },
  }
  return state
}

function runCopyWorker(file: string, copy: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('copy-worker.ts', import.meta.url), { workerData: { file, copy } })
    worker.on('error', reject)
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`copying the tables ended with ${code}`))))
  })
}

function hashTable(db: Database.Database, table: string): Hash {
  const digest = sha256Stream()
  let lines = ''
  // Every table has a primary key, which `ORDER BY 1, 2` covers.
  for (const row of db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().iterate()) {
    lines += `${JSON.stringify(row)}\n`
    if (lines.length > 64 * 1024) {
      digest.update(Buffer.from(lines))
      lines = ''
    }
  }
  digest.update(Buffer.from(lines))
  return digest.digest()
}
