import { closeSync, fsyncSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { ChoirError } from '@choiros/contract/error.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import type { Hash, Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { toStorageError } from '../storage-error.ts'
import type { ObjectBytes } from '../objects/objects.ts'
import type { ExportReader, ExportWriter } from './export-file.ts'

/** Part of the file: an older or newer layout is refused by name, not misread. */
const EXPORT_FORMAT = 1

/** Enough for a hundred thousand lost objects. The card is read into memory at once, so it may not be a gigabyte. */
const CARD_CHARS_MAX = 16 * 1024 * 1024

const TABLES: Readonly<Record<string, string>> = {
  about: 'CREATE TABLE about (format INTEGER NOT NULL, card TEXT NOT NULL) STRICT',
  event: 'CREATE TABLE event (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, bytes BLOB NOT NULL) STRICT',
  object: 'CREATE TABLE object (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT',
}

export function createExportFile(file: string): ExportWriter {
  const db = createDatabase(file)
  const addEvent = db.prepare('INSERT INTO event VALUES (?, ?, ?)')
  const addObject = db.prepare('INSERT OR IGNORE INTO object VALUES (?, ?)')
  const add = db.transaction((events: readonly StoredEvent[], objects: readonly ObjectBytes[]) => {
    for (const { seq, hash, bytes } of events) addEvent.run(seq, Buffer.from(hash, 'hex'), bytes)
    for (const { hash, bytes } of objects) addObject.run(Buffer.from(hash, 'hex'), bytes)
  })
  return {
    add: (events, objects) => guard(() => add(events, objects)),
    finish: (card) =>
      guard(() => {
        db.prepare('INSERT INTO about VALUES (?, ?)').run(EXPORT_FORMAT, JSON.stringify(card))
        db.close()
        const handle = openSync(file, 'r')
        fsyncSync(handle)
        closeSync(handle)
      }),
    abandon() {
      db.close()
      rmSync(file, { force: true })
    },
  }
}

/** A full disk may be met by any of these calls. */
function guard(write: () => void): void {
  try {
    write()
  } catch (error) {
    throw toStorageError(error, 'exporting')
  }
}

function createDatabase(file: string): Database.Database {
  let db: Database.Database | null = null
  try {
    db = new Database(file)
    // Nobody sees the file before it is finished; what a crash leaves is thrown away.
    db.pragma('journal_mode = OFF')
    db.pragma('synchronous = OFF')
    for (const sql of Object.values(TABLES)) db.exec(sql)
    return db
  } catch (error) {
    db?.close()
    rmSync(file, { force: true })
    throw toStorageError(error, 'exporting')
  }
}

/**
 * Opens a file from anywhere. No other query runs before the file is known to hold exactly our three tables: no view,
 * trigger or virtual table of a stranger may run.
 */
export function openExportFile(file: string): ExportReader {
  // A folder cannot be read, and reading a pipe would wait for ever.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw foreign('there is no such file')
  if (!hasPlainHeader(file)) throw foreign('it is not a ChoirOS export')
  let db: Database.Database | null = null
  try {
    db = new Database(file, { readonly: true, fileMustExist: true })
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON')
    db.pragma('mmap_size = 0')
    checkSchema(db)
    const damage = db.pragma('quick_check(1)', { simple: true })
    if (damage !== 'ok') throw corrupt('its pages are damaged', damage)
    return createReader(db)
  } catch (error) {
    db?.close()
    if (error instanceof ChoirError) throw error
    throw corrupt('SQLite cannot read it', error)
  }
}

function checkSchema(db: Database.Database): void {
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema').all() as {
    type: string
    name: string
    sql: string | null
  }[]
  const tables = rows.filter((row) => row.type === 'table' && TABLES[row.name] === row.sql)
  const indexes = rows.filter(
    (row) => row.type === 'index' && row.name === 'sqlite_autoindex_object_1' && row.sql === null,
  )
  const same = tables.length === Object.keys(TABLES).length && indexes.length === 1 && rows.length === tables.length + 1
  if (!same) throw foreign('it is a database, but not a ChoirOS export')
}

function createReader(db: Database.Database): ExportReader {
  const about = db
    .prepare('SELECT format, CASE WHEN length(card) <= ? THEN card END AS card FROM about')
    .get(CARD_CHARS_MAX) as { format: number; card: string | null } | undefined
  if (about?.format !== EXPORT_FORMAT)
    throw foreign(
      `it is an export of format ${about?.format ?? 'none'}, and this ChoirOS reads format ${EXPORT_FORMAT}`,
    )
  const tooLarge = db
    .prepare(
      'SELECT 1 WHERE EXISTS (SELECT 1 FROM event WHERE length(bytes) > ? OR length(hash) != 32) OR EXISTS (SELECT 1 FROM object WHERE length(bytes) > ? OR length(hash) != 32)',
    )
    .get(LIMITS.eventBytesMax, LIMITS.objectBytesMax)
  if (tooLarge !== undefined) throw corrupt('an event or object in it is over the limit')
  const page = db.prepare('SELECT seq, hash, bytes FROM event WHERE seq > ? ORDER BY seq LIMIT ?')
  const object = db.prepare('SELECT bytes FROM object WHERE hash = ?')
  return {
    card: parseCard(about.card ?? ''),
    events: (db.prepare('SELECT count(*) AS count FROM event').get() as { count: number }).count,
    async read({ after, limit }) {
      return whole(() => (page.all(after, limit) as EventRow[]).map(toStored))
    },
    async object(hash) {
      const row = whole(() => object.get(Buffer.from(hash, 'hex')) as { bytes: Buffer } | undefined)
      return row === undefined ? null : asBytes(row.bytes)
    },
    close: () => void db.close(),
  }
}

interface EventRow {
  seq: number
  hash: Buffer
  bytes: Buffer
}

function toStored({ seq, hash, bytes }: EventRow): StoredEvent {
  return { seq: seq as Seq, hash: asBytes(hash).toString('hex') as Hash, bytes: asBytes(bytes) }
}

/** A damaged page can make SQLite return any type, whatever the table promises. */
function asBytes(value: unknown): Buffer {
  if (!Buffer.isBuffer(value)) throw corrupt('its pages are damaged')
  return value
}

function whole<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof ChoirError ? error : corrupt('SQLite cannot read it', error)
  }
}

function parseCard(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw corrupt('its card cannot be read', cause)
  }
}

/** Our exports are never in write-ahead mode: opening a file that is would make files beside it. */
function hasPlainHeader(file: string): boolean {
  const header = Buffer.alloc(20)
  const handle = openSync(file, 'r')
  try {
    if (readSync(handle, header, 0, 20, 0) !== 20) return false
  } finally {
    closeSync(handle)
  }
  return header.toString('latin1', 0, 16) === 'SQLite format 3\0' && header[18] === 1 && header[19] === 1
}

function foreign(why: string): ChoirError {
  return new ChoirError('import.foreign', `the file cannot be imported: ${why}. Nothing was changed.`)
}

function corrupt(why: string, cause?: unknown): ChoirError {
  return new ChoirError('import.corrupt', `the file cannot be imported: ${why}. Nothing was changed.`, { cause })
}
