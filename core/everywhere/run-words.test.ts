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

test.each<[RunStatus, boolean, string]>([
  ['landed', false, 'done'],
  ['landed', true, 'undone'],
  ['reverted', false, 'taken back automatically'],
])('%s, undone %s: %s', (status, undone, words) => {
  expect(stateWords({ status, undone })).toBe(words)
})
