import { rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { assert } from '@choiros/contract/error.ts'
import { NO_HASH, type Hash } from '@choiros/contract/ids.ts'
import { upcast } from '@choiros/contract/upcast.ts'
import { sha256Stream } from '@choiros/contract/canonical.ts'
import { REDUCERS, REDUCERS_VERSION } from '@choiros/core/reducers/all.ts'
import type { Fact, Write } from '@choiros/core/reducers/reducer.ts'
import { createQueries, type Queries } from './queries.ts'
import { SEAL_SUFFIX } from './seal.ts'

export interface Cursor {
  readonly seq: number
  readonly hash: Hash
}

/** The tables of one computer. Only reducers write them, in the transaction that moves the cursor (L1). */
export interface State {
  /** Where the tables stand; the hash tells another log, or one that lost its tail, from ours. */
  cursor(): Cursor
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

function createTables(db: Database.Database): void {
  db.exec('CREATE TABLE cursor (seq INTEGER NOT NULL, hash TEXT NOT NULL, reducers TEXT NOT NULL) STRICT')
  for (const reducer of REDUCERS) db.exec(reducer.schema)
  db.prepare('INSERT INTO cursor VALUES (0, ?, ?)').run(NO_HASH, REDUCERS_VERSION)
}

/** Opens the tables, or makes empty ones where there are none, or where they were made by other reducers. */
export function openState(file: string): State {
  let db = openFile(file)
  const version = readVersion(db)
  if (version !== REDUCERS_VERSION) {
    if (version !== null) {
      db.close()
      removeState(file)
      db = openFile(file)
    }
    db.transaction(() => createTables(db))()
  }
  return createState(db, new Database(file, { readonly: true }))
}

export function removeState(file: string): void {
  for (const suffix of ['', '-wal', '-shm', SEAL_SUFFIX]) rmSync(file + suffix, { force: true })
}

function openFile(file: string): Database.Database {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL') // A projection: what power loss takes from it, the log gives back.
  db.pragma('cache_size = -65536')
  return db
}

function readVersion(db: Database.Database): string | null {
  const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'cursor'").get()
  return known === undefined ? null : ((db.prepare('SELECT reducers FROM cursor').get() as { reducers: string } | undefined)?.reducers ?? '')
}

function createState(db: Database.Database, readDb: Database.Database): State {
  const readCursor = db.prepare('SELECT seq, hash FROM cursor')
  const moveCursor = db.prepare('UPDATE cursor SET seq = ?, hash = ?')
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const reducers = REDUCERS.map((reducer) => ({ reducer, write: prepareWrites(db, reducer.statements) }))
  let cursor = readCursor.get() as Cursor

  const apply = (fact: Fact) => {
    assert(fact.event.seq === cursor.seq + 1 && fact.event.prev === cursor.hash, `event ${fact.event.seq} does not follow ${cursor.seq}`)
    const lifted = { ...fact, event: upcast(fact.event) }
    for (const { reducer, write } of reducers) reducer.apply(lifted, write)
    cursor = { seq: fact.event.seq, hash: fact.event.hash }
  }

  return {
    cursor: () => readCursor.get() as Cursor,
    pending: createQueries(db),
    queries: createQueries(readDb),
    begin() {
      begin.run()
      cursor = readCursor.get() as Cursor
    },
    apply,
    applyIf(fact, holds) {
      const before = cursor
      db.exec('SAVEPOINT attempt')
      apply(fact)
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
}

function runCopyWorker(file: string, copy: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('copy-worker.ts', import.meta.url), { workerData: { file, copy } })
    worker.on('error', reject)
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`copying the tables ended with ${code}`))))
  })
}

function prepareWrites(db: Database.Database, statements: Readonly<Record<string, string>>): Write {
  const prepared = new Map(Object.entries(statements).map(([name, sql]) => [name, db.prepare(sql)]))
  return (name, ...values) => {
    const statement = prepared.get(name)
    assert(statement !== undefined, `no statement ${name}`)
    statement.run(...values)
  }
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
