import { expect, test } from 'vitest'
import type { EventData } from '@choiros/sdk/contract.ts'
import type { LiveEvent } from '@choiros/sdk/live.ts'
import { detailsOf, durationText } from './steps.ts'

/** As much of an event as matters here. */
function event<Type extends LiveEvent['type']>(seq: number, type: Type, data: Partial<EventData[Type]>): LiveEvent {
  return {
    seq,
    time: seq * 100,
    type,
    source: 'agent',
    via: 'agent',
    user: 'u',
    run: 'r',
    data,
  } as unknown as LiveEvent
}

const EVENTS = [
  event(1, 'task.request', { task: 't', instruction: 'make a dice app' }),
  event(2, 'budget.settle', { call: 'a', tokens: 120, micros: 2_500_000 }),
  event(3, 'tool.call', { task: 't', call: 'c', summary: 'write app/apps/dice/app.tsx' }),
  event(5, 'tool.result', { task: 't', call: 'c', ok: true, summary: 'write app/apps/dice/app.tsx' }),
  event(6, 'receipt.verifier', { verifier: 'types', ok: false, summary: 'no number', tookMs: 340 }),
  event(7, 'task.result', { task: 't', status: 'failed', summary: 'types said no' }),
  event(8, 'run.land', { changes: [] }),
]

test('tasks, tools and checks are steps with what became of them; tokens and money are counted', () => {
  const { steps, calls, tokens, money } = detailsOf(EVENTS, true)
  expect(steps.map(({ kind, title, state, tookMs, detail }) => [kind, title, state, tookMs, detail])).toEqual([
    ['task', 'make a dice app', 'bad', 600, 'types said no'],
    ['tool', 'write app/apps/dice/app.tsx', 'good', 200, null],
    ['check', 'Check: the code fits together', 'bad', 340, 'no number'],
    ['land', 'Put into place', 'good', 0, null],
  ])
  expect([calls, tokens, money]).toEqual([1, 120, 2.5])
})

test('what has begun goes on, until the run is over', () => {
  expect(detailsOf(EVENTS.slice(0, 3), false).steps.map(({ state }) => state)).toEqual(['going', 'going'])
  expect(detailsOf(EVENTS.slice(0, 3), true).steps.map(({ state }) => state)).toEqual(['bad', 'bad'])
  expect(detailsOf([], false)).toEqual({ steps: [], calls: 0, tokens: 0, money: null })
})

test('durations are read at a glance', () => {
  expect([42, 949, 1234, 61_000].map(durationText)).toEqual(['40 ms', '950 ms', '1.2 s', '1 min 1 s'])
})
