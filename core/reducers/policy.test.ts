import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { policy } from './policy.ts'
import { createTables, fact } from './table-harness.ts'

const grant = (lease: string, task: string) => ({ lease, task, kind: 'write', scope: ['app/'], untilMs: 9, uses: 3 })
const ask = (approval: string) => ({ approval, kind: 'scope', scope: ['artifacts/'], risk: 'r' })
const answer = (approval: string, word: string) => ({ approval, answer: word, by: 'person' })

describe('[RD10] policy', () => {
  const tablesAfter = (...facts: ReturnType<typeof fact>[]) => {
    const tables = createTables(new Database(':memory:'), [policy])
    tables.apply(...facts)
    return tables
  }

  test('a permission counts its uses and ends with its task', () => {
    const tables = tablesAfter(
      fact(1, 'lease.grant', grant('l1', 't1'), { run: 'r' }),
      fact(2, 'lease.grant', grant('l2', 't2'), { run: 'r' }),
      fact(3, 'tool.result', { lease: 'l1' }, { run: 'r' }),
      fact(4, 'tool.result', { lease: null }, { run: 'r' }),
      fact(5, 'task.result', { task: 't2' }, { run: 'r' }),
    )
    expect(tables.rows('SELECT lease, scope, until, uses, used, revoked FROM lease')).toEqual([
      { lease: 'l1', scope: '["app/"]', until: 9, uses: 3, used: 1, revoked: null },
    ])
  })

  test('one that was taken back is remembered as long as its run goes on, also past a landing', () => {
    const revoked = [
      fact(1, 'lease.grant', grant('l1', 't1'), { run: 'r' }),
      fact(2, 'lease.revoke', { lease: 'l1' }, { run: 'r' }),
      fact(3, 'task.result', { task: 't1' }, { run: 'r' }),
    ]
    const rows = (...more: ReturnType<typeof fact>[]) =>
      tablesAfter(...revoked, ...more).rows('SELECT revoked FROM lease')
    expect(rows(fact(4, 'run.land', { summary: 's' }, { run: 'r' }))).toEqual([{ revoked: 2 }])
    expect(rows(fact(4, 'run.discard', { reason: 'x' }, { run: 'r' }))).toEqual([])
    expect(rows(fact(4, 'run.start', { base: 1 }, { run: 'next' }))).toEqual([])
  })

  test('no is the last word on an approval, and only what is always allowed outlives its run', () => {
    const tables = tablesAfter(
      fact(1, 'approval.ask', ask('a'), { run: 'r' }),
      fact(2, 'approval.ask', ask('b'), { run: 'r' }),
      fact(3, 'approval.ask', ask('c'), { run: 'r' }),
      fact(4, 'approval.answer', answer('a', 'once'), { run: 'r' }),
      fact(5, 'approval.answer', answer('a', 'deny'), { run: 'r' }),
      fact(6, 'approval.answer', answer('a', 'computer'), { run: 'r' }),
      fact(7, 'approval.answer', answer('b', 'computer'), { run: 'r' }),
    )
    const answers = () => tables.rows('SELECT approval, answer FROM approval ORDER BY approval')
    expect(answers()).toEqual([
      { approval: 'a', answer: 'deny' },
      { approval: 'b', answer: 'computer' },
      { approval: 'c', answer: null },
    ])
    tables.apply(fact(8, 'run.cancel', { reason: 'x', by: 'person' }, { run: 'r' }))
    expect(answers()).toEqual([{ approval: 'b', answer: 'computer' }])
    tables.apply(fact(9, 'approval.revoke', { approval: 'b' }))
    expect(answers()).toEqual([])
  })

  test('the person’s choice of a mood stands until they take it back', () => {
    const tables = tablesAfter(fact(1, 'mood.pin', { mood: 'BOLD' }), fact(2, 'mood.pin', { mood: 'PETTY' }))
    expect(tables.rows('SELECT mood FROM pin')).toEqual([{ mood: 'PETTY' }])
    tables.apply(fact(3, 'mood.unpin', {}))
    expect(tables.rows('SELECT mood FROM pin')).toEqual([])
  })

  test('what somebody else has allowed or chosen does not count in an import, and does in a fork', () => {
    const all = [
      fact(1, 'mood.pin', { mood: 'BOLD' }),
      fact(2, 'approval.ask', ask('a'), { run: 'r' }),
      fact(3, 'approval.answer', answer('a', 'computer'), { run: 'r' }),
    ]
    const left = (how: string) => {
      const tables = tablesAfter(...all, fact(4, 'fork', { how }))
      return [...tables.rows('SELECT mood FROM pin'), ...tables.rows('SELECT answer FROM approval')].length
    }
    expect([left('import'), left('fork')]).toEqual([0, 2])
  })
})
