import type { Change } from '@choiros/contract/change.ts'
import type { Event } from '@choiros/contract/event.ts'
import {
  eventIdFrom,
  NO_HASH,
  type ComputerId,
  type Hash,
  type RunId,
  type Seq,
  type UserId,
} from '@choiros/contract/ids.ts'
import type { Fact, Reducer, SqlValue } from './reducer.ts'

interface Statement {
  run(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): unknown[]
}

interface Tables {
  exec(sql: string): unknown
  prepare(sql: string): Statement
}

/** For tests: the reducers' own statements on a real database, and nothing else. */
export function createTables(database: Tables, reducers: readonly Reducer[]) {
  const started = reducers.map((reducer) => {
    database.exec(reducer.schema + (reducer.indexes ?? ''))
    const statements = new Map(Object.entries(reducer.statements).map(([name, sql]) => [name, database.prepare(sql)]))
    return reducer.start((name, ...values) => void statements.get(name)?.run(...values))
  })
  return {
    /** As when they happen: one after the other, with all rows written after each. */
    apply(...facts: Fact[]): void {
      for (const next of facts) {
        for (const reducing of started) {
          reducing.apply(next)
          reducing.settle()
        }
      }
    },
    /** As in a replay: rows may wait until the last event. */
    replay(...facts: Fact[]): void {
      for (const reducing of started) {
        for (const next of facts) reducing.apply(next)
        reducing.settle()
      }
    },
    /** Applies them and rolls their rows back, as for a batch that could not be written. */
    takeBack(...facts: Fact[]): void {
      database.exec('SAVEPOINT attempt')
      this.apply(...facts)
      database.exec('ROLLBACK TO attempt')
      database.exec('RELEASE attempt')
      for (const reducing of started) reducing.forget?.()
    },
    rows: (query: string): unknown[] => database.prepare(query).all(),
    /** Every row of every table, to see that nothing was written. */
    everything: () =>
      reducers.flatMap((reducer) =>
        reducer.tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]),
      ),
  }
}

export function fact(
  seq: number,
  type: string,
  data: Record<string, unknown> = {},
  more: {
    changes?: Change[]
    erased?: Hash[]
    bytes?: number
    run?: string
    via?: Event['via']
    version?: number
  } = {},
): Fact {
  const event: Event = {
    id: eventIdFrom(seq, new Uint8Array(10)),
    computer: 'c1' as ComputerId,
    seq: seq as Seq,
    time: 1000 + seq,
    user: 'u1' as UserId,
    source: 'user',
    via: more.via ?? 'cli',
    type,
    version: more.version ?? 1,
    data,
    run: (more.run as RunId | undefined) ?? null,
    cause: null,
    prev: NO_HASH,
    hash: NO_HASH,
  }
  return { event, changes: more.changes ?? [], erased: more.erased ?? [], bytes: more.bytes ?? 0 }
}
