import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { budgets } from './budgets.ts'
import { createTables, fact } from './table-harness.ts'

const reserve = (seq: number, call: string, tokens: number, micros: number | null) =>
  fact(seq, 'budget.reserve', { call, tier: 'strong', model: 'm', tokens, micros }, { run: 'r1' })
const CAPS = { run: 10, day: 20, computer: null, micros: 5 }

describe('[RD3] budgets', () => {
  test('a reservation counts in full until it is settled, and is settled once', () => {
    const tables = createTables(new Database(':memory:'), [budgets])
    tables.apply(reserve(1, 'a', 900, 90), reserve(2, 'b', 800, null))
    tables.apply(
      fact(3, 'budget.settle', { call: 'a', input: 10, output: 2, tokens: 12, micros: 3 }),
      fact(4, 'budget.settle', { call: 'a', input: 0, output: 0, tokens: 0, micros: 0 }),
    )
    expect(tables.rows('SELECT call, run, tokens, micros, settled FROM spend ORDER BY call')).toEqual([
      { call: 'a', run: 'r1', tokens: 12, micros: 3, settled: 3 },
      { call: 'b', run: 'r1', tokens: 800, micros: null, settled: null },
    ])
  })

  test('the last word on caps counts, and is all of it', () => {
    const tables = createTables(new Database(':memory:'), [budgets])
    tables.apply(fact(1, 'budget.cap', CAPS), fact(2, 'budget.cap', { ...CAPS, day: 30, micros: null }))
    expect(tables.rows('SELECT * FROM cap')).toEqual([{ one: 1, run: 10, day: 30, computer: null, micros: null }])
  })

  test('a fork keeps both; an import keeps neither, for they were somebody else’s', () => {
    for (const [how, left] of [
      ['fork', 1],
      ['import', 0],
    ] as const) {
      const tables = createTables(new Database(':memory:'), [budgets])
      tables.apply(fact(1, 'budget.cap', CAPS), reserve(2, 'a', 9, null), fact(3, 'fork', { how }))
      expect([how, tables.rows('SELECT * FROM cap').length, tables.rows('SELECT * FROM spend').length]).toEqual([
        how,
        left,
        left,
      ])
    }
  })
})
