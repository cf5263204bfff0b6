import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { createTables, fact } from './table-harness.ts'
import { talk } from './talk.ts'

const TREE = sha256('tree')

describe('[RD3] talk', () => {
  test('conversations and messages are kept as they were said, and a conversation starts once', () => {
    const tables = createTables(new Database(':memory:'), [talk])
    tables.apply(
      fact(1, 'conversation.start', { conversation: 'c', title: 'first' }),
      fact(2, 'conversation.start', { conversation: 'c', title: 'again' }),
      fact(3, 'message', { conversation: 'c', role: 'user', text: 'make it glass', object: null }),
      fact(4, 'message', { conversation: 'c', role: 'director', text: 'done', object: TREE }, { run: 'r1' }),
    )
    expect(tables.rows('SELECT * FROM conversation')).toEqual([{ conversation: 'c', title: 'first', seq: 1 }])
    expect(tables.rows('SELECT * FROM message ORDER BY seq')).toEqual([
      { seq: 3, conversation: 'c', run: null, user: 'u1', role: 'user', text: 'make it glass', object: null },
      { seq: 4, conversation: 'c', run: 'r1', user: 'u1', role: 'director', text: 'done', object: TREE },
    ])
  })
})
