import { existsSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import { assert } from '@choiros/contract/error.ts'
import { NO_HASH, type Hash } from '@choiros/contract/ids.ts'
import { upcast } from '@choiros/contract/upcast.ts'
import { REDUCERS, REDUCERS_VERSION } from '@choiros/core/reducers/all.ts'
import type { Fact, Reducer, Write } from '@choiros/core/reducers/reducer.ts'
import { prepareLater } from './prepare-later.ts'
import { SEAL_SUFFIX } from './seal.ts'

/** The event that tables have reached; the hash tells another log, or one that lost its tail, from ours. */
export interface Cursor {
  readonly seq: number
  readonly hash: Hash
}

/** Tables that can be brought up to a log, page by page. */
export interface Replay {
  cursor(): Cursor
  replay(facts: readonly Fact[]): void | Promise<void>
}

export function removeTableFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm', SEAL_SUFFIX]) rmSync(file + suffix, { force: true })
}

/** Null where the file has no tables. */
export function readVersion(db: Database.Database): string | null {
  const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'cursor'").get()
  return known === undefined
    ? null
    : ((db.prepare('SELECT reducers FROM cursor').get() as { reducers: string } | undefined)?.reducers ?? '')
}

export function createTables(db: Database.Database): void {
  db.exec(
    'CREATE TABLE cursor (seq INTEGER NOT NULL, hash TEXT NOT NULL, reducers TEXT NOT NULL, sum INTEGER NOT NULL) STRICT',
  )
  for (const reducer of REDUCERS) db.exec(reducer.schema)
  db.prepare('INSERT INTO cursor VALUES (0, ?, ?, ?)').run(NO_HASH, REDUCERS_VERSION, sumOf({ seq: 0, hash: NO_HASH }))
}

/** The cursor is a witness of how far the log had got: one flipped bit in it must not accuse a log that is whole. */
function sumOf({ seq, hash }: Cursor): number {
  return crc32(`${seq} ${hash}`)
}

/** Returns the function that moves the cursor. */
export function prepareCursor(db: Database.Database): (to: Cursor) => void {
  const move = db.prepare('UPDATE cursor SET seq = ?, hash = ?, sum = ?')
  return (to) => void move.run(to.seq, to.hash, sumOf(to))
}

/**
 * How far the log had got when these tables were written, even if they are of no other use. Null where they do not
 * tell.
 */
export function readCursor(file: string): Cursor | null {
  if (!existsSync(file)) return null
  let db: Database.Database | null = null
  try {
    db = new Database(file, { readonly: true })
    const { seq, hash, sum } = db.prepare('SELECT seq, hash, sum FROM cursor').get() as Cursor & { sum: number }
    return seq > 0 && sumOf({ seq, hash }) === sum ? { seq, hash } : null
  } catch {
    return null
  } finally {
    db?.close()
  }
}

export function createIndexes(db: Database.Database): void {
  for (const { indexes } of REDUCERS) if (indexes !== undefined) db.exec(indexes)
}

/** All reducers at work. */
export interface Reducers {
  /** Throws unless the event follows on `from`. Returns the cursor after it. */
  apply(fact: Fact, from: Cursor): Cursor
  /** All rows are written when this returns. */
  settle(): void
  /** Called when rows were taken off the tables again. */
  forget(): void
}

export function startReducers(writeOf: (reducer: Reducer) => Write): Reducers {
  const reducing = REDUCERS.map((reducer) => reducer.start(writeOf(reducer)))
  return {
    apply(fact, from) {
      const { seq, prev, hash } = fact.event
      if (seq !== from.seq + 1 || prev !== from.hash) throw new Error(`event ${seq} does not follow ${from.seq}`)
      const lifted = lift(fact)
      for (const reducer of reducing) reducer.apply(lifted)
      return { seq, hash }
    },
    settle() {
      for (const reducer of reducing) reducer.settle()
    },
    forget() {
      for (const reducer of reducing) reducer.forget?.()
    },
  }
}

function lift(fact: Fact): Fact {
  const event = upcast(fact.event)
  return event === fact.event ? fact : { ...fact, event }
}

/** Writes rows straight into the tables. */
export function prepareWrites(db: Database.Database, { statements }: Reducer): Write {
  const prepared = new Map(Object.entries(statements).map(([name, sql]) => [name, prepareLater(db, sql)]))
  return (name, ...values) => {
    const statement = prepared.get(name)
    assert(statement !== undefined, 'a reducer writes by its own statements')
    statement().run(...values)
  }
}
