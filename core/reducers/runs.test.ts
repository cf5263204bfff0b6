import Database from 'better-sqlite3'
import { array, assert, constant, constantFrom, integer, oneof, property, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { LiveEvent, RunView } from '../everywhere/contract.ts'
import { afterEvent, runFrom } from '../everywhere/run-projection.ts'
import { runs } from './runs.ts'
import { createTables, fact } from './table-harness.ts'

const TREE = sha256('tree')

describe('[RD4] runs', () => {
  const begin = [fact(2, 'run.start', { base: 1 }, { run: 'r1' })]
  const statusAfter = (...endings: ReturnType<typeof fact>[]) => {
    const tables = createTables(new Database(':memory:'), [runs])
    tables.apply(...begin, ...endings)
    return tables.rows('SELECT status, reason, ended FROM run')
  }

  test('a copy has none of the drafts, which are no part of the log', () => {
    const draft = fact(4, 'run.draft', { draft: TREE, files: 1, bytes: 9, base: 1 }, { run: 'r1' })
    const draftAfter = (...more: ReturnType<typeof fact>[]) => {
      const tables = createTables(new Database(':memory:'), [runs])
      tables.apply(...begin, fact(3, 'run.discard', { reason: 'red' }, { run: 'r1' }), draft, ...more)
      return tables.rows('SELECT draft IS NULL AS gone FROM run')
    }
    expect([draftAfter(), draftAfter(fact(5, 'fork', { how: 'import' }))]).toEqual([[{ gone: 0 }], [{ gone: 1 }]])
  })

  test('run and receipt are rows with what became of them', () => {
    const tables = createTables(new Database(':memory:'), [runs])
    tables.apply(
      ...begin,
      fact(6, 'receipt.verifier', { tree: TREE, verifier: 'types', ok: false, report: null }, { run: 'r1' }),
    )
    expect(tables.everything()).toEqual([
      [
        'run',
        [expect.objectContaining({ run: 'r1', text: '', status: 'running', reason: null, started: 2, ended: null })],
      ],
      ['receipt', [{ seq: 6, run: 'r1', tree: TREE, verifier: 'types', ok: 0, report: null }]],
    ])
  })

  test('a run is asked for in words, waits, begins, lands, is found healthy, and keeps what was replied', () => {
    const tables = createTables(new Database(':memory:'), [runs])
    const row = () => tables.rows('SELECT text, status, reply, asked, started, landed, ended, health FROM run')[0]
    tables.apply(fact(1, 'message', { role: 'user', text: 'dark please' }, { run: 'r1' }))
    expect(row()).toEqual({
      text: 'dark please',
      status: 'queued',
      reply: null,
      asked: 1,
      started: null,
      landed: null,
      ended: null,
      health: null,
    })
    tables.apply(fact(2, 'run.start', { base: 1 }, { run: 'r1' }), fact(3, 'run.land', { summary: 's' }, { run: 'r1' }))
    tables.apply(fact(4, 'health', { land: 3, verdict: 'unknown', why: '' }, { run: 'r1' }))
    tables.apply(
      fact(5, 'health', { land: 3, verdict: 'ok', why: '' }, { run: 'r1' }),
      fact(6, 'health', { land: 3, verdict: 'bad', why: '' }, { run: 'r1' }),
    )
    tables.apply(
      fact(7, 'message', { role: 'director', text: 'It is dark now.', offers: [] }, { run: 'r1' }),
      fact(8, 'checkpoint', { name: 'c', kind: 'automatic', tree: TREE }, { run: 'r1' }),
    )
    expect(row()).toEqual({
      text: 'dark please',
      status: 'landed',
      reply: 'It is dark now.',
      asked: 1,
      started: 2,
      landed: 3,
      ended: 3,
      health: 'ok',
    })
  })

  test('a run that undoes, redoes or saves a checkpoint is done by that', () => {
    for (const type of ['undo', 'checkpoint'])
      expect(statusAfter(fact(3, type, {}, { run: 'r1' }))).toEqual([{ status: 'landed', reason: null, ended: 3 }])
    expect(statusAfter(fact(3, 'undo', {}))).toEqual([{ status: 'running', reason: null, ended: null }])
  })

  test('[L4] a run ends once: the first ending counts, but a landing can be reverted', () => {
    const land = fact(3, 'run.land', { summary: 's' }, { run: 'r1' })
    const ends = {
      landed: land,
      discarded: fact(3, 'run.discard', { reason: 'red' }, { run: 'r1' }),
      cancelled: fact(3, 'run.cancel', { reason: 'stop' }, { run: 'r1' }),
    }
    for (const [status, ending] of Object.entries(ends)) {
      const late = fact(4, 'run.cancel', { reason: 'late' }, { run: 'r1' })
      expect(statusAfter(ending, late)).toEqual([expect.objectContaining({ status, ended: 3 })])
    }
    expect(statusAfter(land, fact(4, 'run.revert', { land: 3, reason: 'blank' }, { run: 'r1' }))).toEqual([
      { status: 'reverted', reason: 'blank', ended: 4 },
    ])
    expect(statusAfter(ends.discarded, fact(4, 'run.revert', { land: 3, reason: 'x' }, { run: 'r1' }))).toEqual([
      { status: 'discarded', reason: 'red', ended: 3 },
    ])
  })

  test('the end of a run that never began, and of no run, is no row', () => {
    const tables = createTables(new Database(':memory:'), [runs])
    tables.apply(
      fact(1, 'run.land', { summary: 's' }, { run: 'r9' }),
      fact(2, 'run.cancel', { reason: 'x' }),
      fact(3, 'run.start', { base: 1 }),
    )
    expect(tables.rows('SELECT * FROM run')).toEqual([])
  })
})

const SAID = {
  'message': record({
    role: constantFrom('user', 'director', 'system'),
    text: string({ maxLength: 4 }),
    offers: constantFrom([], ['a wish']),
  }),
  'run.start': record({ work: constant('w1'), base: constant(1) }),
  'question.ask': record({
    question: constant('q'),
    questions: constant([{ text: 'Which?', choices: [], fallback: '', slot: null }]),
  }),
  'question.answer': record({ question: constant('q'), answers: constant(['this']), by: constant('person') }),
  'health': record({
    land: integer({ min: 1, max: 12 }),
    verdict: constantFrom('ok', 'bad', 'unknown'),
    why: constant(''),
  }),
  'run.land': record({ summary: constant('done') }),
  'undo': record({ kind: constant('run'), target: constant(1) }),
  'checkpoint': record({ name: constant('c'), kind: constant('automatic') }),
  'run.answer': record({}),
  'run.discard': record({ reason: constant('red') }),
  'run.cancel': record({ reason: constant('stop'), by: constant('person') }),
  'run.revert': record({ land: constant(3), reason: constant('blank') }),
  'tool.call': record({ summary: constant('writes') }),
}

const anything = array(
  oneof(
    ...Object.entries(SAID).map(([type, data]) => data.map((said): [string, Record<string, unknown>] => [type, said])),
  ),
  {
    maxLength: 12,
  },
)

test('[RD4] tables and pages tell the same of a run, whatever happens to it and in whatever order', () => {
  assert(
    property(anything, (told) => {
      const facts = [fact(1, 'message', { role: 'user', text: 'teal', offers: [] }, { run: 'r1' })]
      for (const [type, data] of told) facts.push(fact(facts.length + 1, type, data, { run: 'r1' }))
      const tables = createTables(new Database(':memory:'), [runs])
      tables.apply(...facts)
      const [row] = tables.rows(
        'SELECT text, status, reason, reply, offers, asked, landed, health, asked_ms, ended_ms, asking FROM run',
      )
      const live = facts.map(({ event }) => event as unknown as LiveEvent)
      const view = live.reduce<RunView>(afterEvent, runFrom('r1', live[0]!))
      const { text, status, reason, reply, asked, landed, health, askedMs, endedMs } = view
      expect(row).toEqual({
        text,
        status,
        reason,
        reply,
        asked,
        landed,
        health,
        asked_ms: askedMs,
        ended_ms: endedMs,
        offers: view.offers.length === 0 ? null : JSON.stringify(view.offers),
        asking: view.asking === null ? null : JSON.stringify(view.asking),
      })
    }),
    { numRuns: 300 },
  )
})
