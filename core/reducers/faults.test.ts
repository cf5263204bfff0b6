import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { createTables, fact } from './table-harness.ts'

const thrown = (seq: number, app: string, message: string, stack = '') =>
  fact(seq, 'render.error', { app, message, stack })

test('[RD8] an error of an app is counted as often as it is seen, and forgotten when the app works again', () => {
  const tables = createTables(new Database(':memory:'), [faults])
  const rows = () => tables.rows('SELECT app, message, stack, seq, count FROM fault ORDER BY app, message')
  tables.apply(thrown(1, 'dice', 'boom', 'a'), thrown(2, 'dice', 'boom', 'b'), thrown(3, 'dice', 'bang'))
  tables.apply(thrown(4, 'clock', 'boom'))
  expect(rows()).toEqual([
    { app: 'clock', message: 'boom', stack: '', seq: 4, count: 1 },
    { app: 'dice', message: 'bang', stack: '', seq: 3, count: 1 },
    { app: 'dice', message: 'boom', stack: 'b', seq: 2, count: 2 },
  ])
  tables.apply(fact(5, 'render.well', { app: 'dice' }))
  expect(rows()).toEqual([{ app: 'clock', message: 'boom', stack: '', seq: 4, count: 1 }])
  tables.apply(fact(7, 'health', { land: 6, verdict: 'unknown', why: '', stack: '' }))
  expect(rows()).toHaveLength(1)
  tables.apply(thrown(8, 'dice', 'boom'), fact(9, 'health', { land: 6, verdict: 'ok', why: '', stack: '' }))
  expect(rows()).toEqual([{ app: 'dice', message: 'boom', stack: '', seq: 8, count: 1 }])
})

test('[RD8] [L11] only so many are remembered, the newest', () => {
  const tables = createTables(new Database(':memory:'), [faults])
  for (let seq = 1; seq <= 80; seq++) tables.apply(thrown(seq, 'dice', `error ${seq}`))
  const [{ count, oldest } = { count: 0, oldest: 0 }] = tables.rows(
    'SELECT count(*) AS count, min(seq) AS oldest FROM fault',
  ) as { count: number; oldest: number }[]
  expect([count, oldest]).toEqual([50, 31])
})
