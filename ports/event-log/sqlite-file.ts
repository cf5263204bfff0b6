import Database from 'better-sqlite3'
import { ChoirError } from '@choiros/contract/error.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import { NO_HASH, type ComputerId, type Hash } from '@choiros/contract/ids.ts'
import { toStorageError } from '../storage-error.ts'
import type { Head } from './event-log.ts'
import { keepWriteAhead } from './sqlite-leftover.ts'

/** Part of the file, so that a later release can tell an old layout from a damaged one. */
const LOG_FORMAT = 1

const LOG_SCHEMA = `
  CREATE TABLE identity (format INTEGER NOT NULL, computer TEXT NOT NULL) STRICT;
  CREATE TABLE event (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE object (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
`

/** SQLite waits in this process's only thread: everything else stands still meanwhile. */
const BUSY_WAIT_MS = 1000

/** A damaged page can hold any type in any column; a row that is no event must not crash its reader. */
export function checkRow(row: StoredEvent): void {
  if (typeof row.hash === 'string' && Buffer.isBuffer(row.bytes)) return
  throw new ChoirError('log.corrupt', `event ${row.seq} is damaged`, { details: { seq: row.seq } })
}

/** A driver's error must not leave this folder: callers branch on our codes. */
export function guard<Result>(doing: string, call: () => Result): Result {
  try {
    return call()
  } catch (error) {
    throw toStorageError(error, doing)
  }
}

export type LogStatements = ReturnType<typeof prepare>

export function openLogFile(file: string, computer: ComputerId) {
  let db: Database.Database | undefined
  try {
    keepWriteAhead(file)
    db = new Database(file, { timeout: BUSY_WAIT_MS })
    checkIdentity(db, computer)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL') // L3: durable when append resolves, even across power loss.
    db.pragma('trusted_schema = OFF')
    db.pragma('secure_delete = ON') // Always: a page split without it leaves a copy that no later erase finds.
    return { db, statements: prepare(db) }
  } catch (error) {
    db?.close()
    const known = toStorageError(error, 'opening the log')
    if (!(known instanceof Database.SqliteError) || known.code !== 'SQLITE_ERROR') throw known
    throw new ChoirError('log.corrupt', 'the log is damaged: it is not laid out as a log is', { cause: error })
  }
}

/** Looks before it writes: a foreign database must not be turned into half a log. */
function checkIdentity(db: Database.Database, computer: ComputerId): void {
  const tables = db.prepare('SELECT name FROM sqlite_schema').pluck().all()
  if (tables.length === 0) return createTables(db, computer)
  if (['identity', 'event', 'object'].some((table) => !tables.includes(table))) {
    throw new ChoirError('log.corrupt', 'the file is a database, but not the log of a computer')
  }
  const identity = db.prepare('SELECT format, computer FROM identity').get() as
    | { format: number; computer: string }
    | undefined
  if (identity?.format === LOG_FORMAT && identity.computer === computer) return
  throw new ChoirError(
    'log.corrupt',
    `the log belongs to ${identity?.computer ?? 'nobody'} (format ${identity?.format ?? 'none'}), not to ${computer}`,
  )
}

function createTables(db: Database.Database, computer: ComputerId): void {
  db.transaction(() => {
    db.exec(LOG_SCHEMA)
    db.prepare('INSERT INTO identity VALUES (?, ?)').run(LOG_FORMAT, computer)
  })()
}

function prepare(db: Database.Database) {
  return {
    head: db.prepare('SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1'),
    lastSeq: db.prepare('SELECT coalesce(max(seq), 0) FROM event').pluck(),
    addEvent: db.prepare('INSERT INTO event VALUES (?, ?, ?)'),
    // Where an object is there already with other bytes, those are damaged: writing it again mends it.
    addObject: db.prepare(
      'INSERT INTO object VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes WHERE bytes IS NOT excluded.bytes',
    ),
    // SQLite makes the hex: otherwise a rebuild would spend a tenth of its time on buffers for hashes.
    page: db.prepare('SELECT seq, lower(hex(hash)) AS hash, bytes FROM event WHERE seq > ? ORDER BY seq LIMIT ?'),
    object: db.prepare('SELECT bytes FROM object WHERE hash = ?'),
    objectSize: db.prepare('SELECT length(bytes) FROM object WHERE hash = ?').pluck(),
    eraseObject: db.prepare('DELETE FROM object WHERE hash = ?'),
  }
}

export function readHead(statements: LogStatements): Head {
  const row = statements.head.get() as { seq: number; hash: Buffer } | undefined
  if (row === undefined) return { seq: 0, hash: NO_HASH }
  if (!Buffer.isBuffer(row.hash))
    throw new ChoirError('log.corrupt', `event ${row.seq} is damaged`, { details: { seq: row.seq } })
  return { seq: row.seq, hash: row.hash.toString('hex') as Hash }
}
