import { expect, test } from 'vitest'
import type { EventData } from '@choiros/sdk/contract.ts'
import type { LiveEvent } from '@choiros/sdk/live.ts'
import { trackRuns } from '../../sdk/track-runs.ts'
import { inWords } from './words.ts'
import { matches, titlesOf, toRows } from './rows.ts'

/** As much of an event as matters here. */
function event<Type extends LiveEvent['type']>(
  seq: number,
  type: Type,
  data: Partial<EventData[Type]>,
  run: string | null = null,
): LiveEvent {
  return {
    seq,
    time: seq,
    type,
    source: 'user',
    via: run === null ? 'desktop' : 'agent',
    user: 'ana',
    run,
    data,
  } as unknown as LiveEvent
}

const EVENTS = [
  event(1, 'message', { role: 'user', text: 'make it teal' }, 'one'),
  event(2, 'window.open', { title: 'Files' }),
  event(3, 'tool.call', { summary: 'Following the recipe' }, 'one'),
  event(4, 'file.change', { changes: [{ path: 'artifacts/a.md', from: null, to: null, movedFrom: null }] }),
  event(5, 'run.land', { summary: 'The accent is teal' }, 'one'),
]

const ROWS = toRows(EVENTS, trackRuns([], EVENTS), false)

test('a run is one row, where its newest event is, whatever happened in between', () => {
  expect(
    ROWS.map((row) =>
      row.kind === 'run' ? [row.run.text, ...row.lines.map(({ event: { seq } }) => seq)] : row.event.seq,
    ),
  ).toEqual([['make it teal', 5, 3, 1], 4])
})

test('windows are shown when they are asked for', () => {
  expect(toRows(EVENTS, [], true)).toHaveLength(5)
})

test('a run is found by what was asked and by each of its steps; an event by its path', () => {
  expect(
    ['teal', 'recipe', 'a.md', 'nothing'].map((wanted) => ROWS.filter((row) => matches(row, wanted)).length),
  ).toEqual([1, 1, 1, 0])
})

test('an undo is called by what it took back, and a redo is a redo', () => {
  const undo = event(8, 'undo', { kind: 'stretch', target: 4 })
  const redo = event(9, 'undo', { kind: 'redo', target: 8 })
  const typed = event(4, 'file.change', { changes: [] })
  const titles = titlesOf([undo, redo], [{ seq: 4, title: 'Typing in “a.md”' }])
  expect([inWords(typed, titles), inWords(undo, titles), inWords(redo, titles), inWords(redo)]).toEqual([
    'Typing in “a.md”',
    'Undo: Typing in “a.md”',
    'Redo: Typing in “a.md”',
    'Redo: you brought back an earlier change',
  ])
})
