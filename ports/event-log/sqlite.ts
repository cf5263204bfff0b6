import Database from 'better-sqlite3'
import { sha256 } from '@choiros/contract/canonical.ts'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import { NO_HASH, type ComputerId, type Hash } from '@choiros/contract/ids.ts'
import { toStorageError } from '../storage-error.ts'
import { gapProblem, type EventLog, type Head, type LogStep } from './event-log.ts'
import { followLog } from './follow.ts'
import { headerProblem, sealFile, takeSeal } from './sqlite-file-check.ts'
import { forgetWriteAhead, keepWriteAhead, openLeftover } from './sqlite-leftover.ts'
import { createWaiters } from './waiters.ts'

/** Part of the file, so that a later release can tell an old layout from a damaged one. */
export const LOG_FORMAT = 1

export const LOG_SCHEMA = `
  CREATE TABLE identity (format INTEGER NOT NULL, computer TEXT NOT NULL) STRICT;
  CREATE TABLE event (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE object (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
`

/** SQLite waits in this process's only thread: everything else stands still meanwhile. */
const BUSY_WAIT_MS = 1000

/** A damaged page can hold any type in any column; what is no event must not crash whoever reads it. */
function checkRow(row: StoredEvent): void {
  if (typeof row.hash === 'string' && Buffer.isBuffer(row.bytes)) return
  throw new ChoirError('log.corrupt', `event ${row.seq} is damaged`, { details: { seq: row.seq } })
}

export interface SqliteEventLogOptions {
  readonly file: string
  readonly computer: ComputerId
  readonly reached?: (step: LogStep) => void
}

export function openSqliteEventLog({ file, computer, reached = () => {} }: SqliteEventLogOptions): EventLog {
  const isAsClosed = takeSeal(file)
  let isWritten = false
  const { db, statements } = openFile(file, computer)
  const waiters = createWaiters()

  const append = db.transaction((batch: readonly StoredEvent[], objects: Parameters<EventLog['append']>[1], after: number) => {
    const last = statements.lastSeq.get() as number
    if (last !== after) throw new ChoirError('log.conflict', `the log ends at ${last}, not at ${after}`)
    const gap = gapProblem(batch, after)
    assert(gap === null, gap ?? '')
    for (const object of objects) statements.addObject.run(Buffer.from(object.hash, 'hex'), object.bytes)
    for (const stored of batch) statements.addEvent.run(stored.seq, Buffer.from(stored.hash, 'hex'), stored.bytes)
  })

  const eraseInTransaction = db.transaction((hashes: readonly Hash[]) => {
    for (const hash of hashes) statements.eraseObject.run(Buffer.from(hash, 'hex'))
  })

  const log: EventLog = {
    append(batch, objects, after) {
      reached('log.append.before')
      isWritten = true
      try {
        append.immediate(batch, objects, after)
      } catch (error) {
        const told = toStorageError(error, 'saving')
        return Promise.reject(told instanceof Error ? told : new Error('saving failed', { cause: told }))
      }
      reached('log.append.after')
      waiters.wake()
      return undefined
    },
    async read({ after, limit }) {
      const page = guard('reading the log', () => statements.page.all(after, limit) as StoredEvent[])
      for (const row of page) checkRow(row)
      return page
    },
    follow: (after, signal) => followLog(log, waiters, after, signal),
    async head() {
      return guard('reading the log', () => readHead(statements))
    },
    async object(hash) {
      const row = guard('reading an object', () => statements.object.get(Buffer.from(hash, 'hex')) as { bytes: Buffer } | undefined)
      if (row === undefined) return null
      if (!Buffer.isBuffer(row.bytes) || sha256(row.bytes) !== hash) {
        throw new ChoirError('object.corrupt', `object ${hash} is damaged in the log: its bytes are not what its name says`)
      }
      return row.bytes
    },
    async objectHashes({ after, limit }) {
      const start = after === null ? Buffer.alloc(0) : Buffer.from(after, 'hex')
      const hashes = guard('listing objects', () => statements.objectHashes.all(start, limit) as Buffer[])
      if (!hashes.every((hash) => Buffer.isBuffer(hash))) throw new ChoirError('log.corrupt', 'the list of objects is damaged')
      return hashes.map((hash) => hash.toString('hex') as Hash)
    },
    async eraseObjects(hashes) {
      reached('log.erase.before')
      isWritten = true
      guard('erasing', () => eraseInTransaction(hashes))
      // The WAL keeps older copies until it is truncated, and a reader elsewhere can prevent that.
      const [checkpoint] = guard('erasing', () => db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[])
      if (checkpoint?.busy !== 0)
        throw new ChoirError('log.io', 'the erased bytes are still on disk: another program is reading the log. Stop it and erase again.')
      forgetWriteAhead(file)
      reached('log.erase.after')
    },
    async damage() {
      try {
        // Not the quick one: it does not compare an index with its table, and a flipped bit in the name of an object went unseen there.
        const found = String(db.pragma('integrity_check(1)', { simple: true }))
        if (found !== 'ok') return found
        return (
          headerProblem(file) ??
          (!isWritten && isAsClosed() === false ? 'it is not as it was closed: a byte that holds nothing yet has changed' : null)
        )
      } catch (error) {
        return (error as Error).message
      }
    },
    leftover: async () => guard('looking for what is left', () => openLeftover(file)),
    settle: () => forgetWriteAhead(file),
    async close() {
      if (!db.open) return
      db.close()
      sealFile(file)
    },
  }
  return log
}

/** No call may let a driver's error out: callers branch on our codes. */
function guard<Result>(doing: string, call: () => Result): Result {
  try {
    return call()
  } catch (error) {
    throw toStorageError(error, doing)
  }
}

function openFile(file: string, computer: ComputerId) {
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

/** Looks before it writes: somebody else's database must not be made half a log. */
function checkIdentity(db: Database.Database, computer: ComputerId): void {
  const tables = db.prepare('SELECT name FROM sqlite_schema').pluck().all()
  if (tables.length === 0) return createTables(db, computer)
  if (['identity', 'event', 'object'].some((table) => !tables.includes(table))) {
    throw new ChoirError('log.corrupt', 'the file is a database, but not the log of a computer')
  }
  const identity = db.prepare('SELECT format, computer FROM identity').get() as { format: number; computer: string } | undefined
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
    // Bytes that are there already and differ are damaged: writing the same object again mends it.
    addObject: db.prepare('INSERT INTO object VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes WHERE bytes IS NOT excluded.bytes'),
    // SQLite makes the hex: a rebuild would spend a tenth of its time on buffers for hashes.
    page: db.prepare('SELECT seq, lower(hex(hash)) AS hash, bytes FROM event WHERE seq > ? ORDER BY seq LIMIT ?'),
    object: db.prepare('SELECT bytes FROM object WHERE hash = ?'),
    objectHashes: db.prepare('SELECT hash FROM object WHERE hash > ? ORDER BY hash LIMIT ?').pluck(),
    eraseObject: db.prepare('DELETE FROM object WHERE hash = ?'),
  }
}

function readHead(statements: ReturnType<typeof prepare>): Head {
  const row = statements.head.get() as { seq: number; hash: Buffer } | undefined
  if (row === undefined) return { seq: 0, hash: NO_HASH }
  if (!Buffer.isBuffer(row.hash)) throw new ChoirError('log.corrupt', `event ${row.seq} is damaged`, { details: { seq: row.seq } })
  return { seq: row.seq, hash: row.hash.toString('hex') as Hash }
}
