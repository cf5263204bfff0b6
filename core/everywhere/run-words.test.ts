import { expect, test } from 'vitest'
import type { LiveEvent, RunStatus } from './contract.ts'
import { progressWords, stateWords } from './run-words.ts'

const said = (type: LiveEvent['type'], data: object) => progressWords({ type, data } as unknown as LiveEvent)

test('who stopped a run is told from the event, and not from its words', () => {
  expect(said('run.cancel', { reason: 'you name it', by: 'person' })).toBe('Stopped by you')
  expect(said('run.cancel', { reason: 'stopped by you', by: 'system' })).toBe('Stopped: stopped by you')
})

test('what says nothing of the work is not told', () => {
  expect(said('window.open', { title: 'Notes' })).toBeNull()
  expect(said('tool.result', { ok: true, summary: 'wrote it' })).toBeNull()
})

test('a card has a line: orders and faults are told by how they begin', () => {
  const order = `make a new app in app/apps/tip/.\n${'It has a field for the bill. '.repeat(20)}`
  expect(said('task.request', { instruction: order })).toMatch(
    /^Make a new app in app\/apps\/tip\/\. It has .{60,100}…$/,
  )
  const fault = `the checks found problems: types: app/apps/tip/tip.tsx:20: ${'Property does not exist. '.repeat(9)}`
  expect(said('tool.result', { ok: false, summary: fault })).toBe('That did not work: the checks found problems')
  expect(said('tool.result', { ok: false, summary: 'no file: a.ts' })).toBe('That did not work: no file: a.ts')
  expect(said('tool.result', { ok: false, summary: 'x'.repeat(500) })).toHaveLength(140)
})

test.each<[RunStatus, boolean, string]>([
  ['landed', false, 'done'],
  ['landed', true, 'undone'],
  ['reverted', false, 'taken back automatically'],
])('%s, undone %s: %s', (status, undone, words) => {
  expect(stateWords({ status, undone })).toBe(words)
})
