import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { createTables, fact } from './table-harness.ts'
import { talk } from './talk.ts'

const TREE = sha256('tree')

describe('[RD3] talk', () => {
  test('messages are kept as they were said', () => {
    const tables = createTables(new Database(':memory:'), [talk])
    tables.apply(
      fact(1, 'message', { role: 'user', text: 'make it glass', object: null }),
      fact(2, 'message', { role: 'director', text: 'done', object: TREE }, { run: 'r1' }),
    )
    expect(tables.rows('SELECT * FROM message ORDER BY seq')).toEqual([
      { seq: 1, run: null, user: 'u1', role: 'user', text: 'make it glass', object: null },
      { seq: 2, run: 'r1', user: 'u1', role: 'director', text: 'done', object: TREE },
    ])
  })
})
