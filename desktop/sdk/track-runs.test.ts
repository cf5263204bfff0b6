import { expect, test } from 'vitest'
import type { LiveEvent } from './live.ts'
import type { EventData, RunView } from './contract.ts'
import { isOver, trackRuns } from './track-runs.ts'

let seq = 0
/** As much of an event as matters here. */
function event<Type extends LiveEvent['type']>(
  type: Type,
  data: Partial<EventData[Type]>,
  run: string | null = 'one',
): LiveEvent {
  seq++
  return { seq, time: seq * 1000, type, source: 'agent', via: 'agent', user: 'ana', run, data } as unknown as LiveEvent
}

function view(more: Partial<RunView>): RunView {
  return {
    run: 'one',
    text: 'make it teal',
    draft: null,
    mood: null,
    status: 'running',
    reason: null,
    reply: null,
    offers: [],
    asked: 1,
    landed: null,
    undone: false,
    health: null,
    askedMs: 1000,
    endedMs: null,
    asking: null,
    ...more,
  }
}

const doing = (events: readonly LiveEvent[]) =>
  events.map((_, index) => trackRuns([], events.slice(0, index + 1))[0]?.doing)

test('every step of a run is said in words', () => {
  expect(
    doing([
      event('message', { role: 'user', text: 'make it teal' }),
      event('run.start', { base: 3 }),
      event('task.request', { instruction: 'Set the accent to teal' }),
      event('tool.call', { summary: 'following the recipe “accent”' }),
      event('tool.result', { ok: false, summary: 'no such recipe' }),
      event('receipt.verifier', { verifier: 'types', ok: true }),
      event('run.land', { summary: 'The accent is teal' }),
      event('health', { verdict: 'bad', why: 'the page is silent' }),
      event('run.revert', { reason: 'the page is silent' }),
    ]),
  ).toEqual([
    'Waiting for its turn',
    'Planning',
    'Set the accent to teal',
    'Following the recipe “accent”',
    'That did not work: no such recipe',
    'Checking that it works',
    'The accent is teal',
    'The desktop did not work with it: the page is silent',
    'Taken back automatically: the page is silent',
  ])
})

test('after a reload in the middle of a run, the list gives what the events no longer show', () => {
  const [run] = trackRuns([view({})], [event('tool.call', { summary: 'Writing' })])
  expect(run).toEqual({ ...view({}), doing: 'Writing', before: 0, plan: [], thinks: false })
})

test('what a run asks is shown until it is answered or over', () => {
  const ask = event('question.ask', {
    question: 'q',
    questions: [{ text: 'Which teal?', choices: [], fallback: 'dark', slot: null }],
  })
  const asking = (...events: LiveEvent[]) =>
    trackRuns([view({})], events)[0]?.asking?.questions.map(({ text }) => text) ?? null
  expect(asking(ask)).toEqual(['Which teal?'])
  expect(asking(ask, event('question.answer', { question: 'q', answers: ['light'], by: 'person' }))).toBeNull()
  expect(asking(ask, event('run.cancel', { reason: 'stopped by you', by: 'person' }))).toBeNull()
})

test('who stopped a run is said once', () => {
  const words = (by: 'person' | 'system') =>
    trackRuns([view({})], [event('run.cancel', { reason: 'ChoirOS ended', by })])[0]?.doing
  expect([words('person'), words('system')]).toEqual(['Stopped by you', 'Stopped: ChoirOS ended'])
})

test('events that are older than the list do not bring an ended run back', () => {
  const [run] = trackRuns([view({ status: 'landed', landed: 9 })], [event('tool.call', { summary: 'Writing' })])
  expect([run?.status, isOver(run!)]).toEqual(['landed', true])
})

test('runs keep the order they were asked in, and the Director’s words are the answer', () => {
  const runs = trackRuns(
    [view({ run: 'two', asked: 800 }), view({ run: 'one', asked: 700 })],
    [event('message', { role: 'director', text: 'It is teal now.' }, 'two')],
  )
  expect(runs.map(({ run, reply }) => [run, reply])).toEqual([
    ['one', null],
    ['two', 'It is teal now.'],
  ])
})

test('of a run that is longer than what a page remembers, only the end is known, and that is enough', () => {
  const [run] = trackRuns(
    [],
    [event('tool.call', { summary: 'Writing' }), event('run.land', { summary: 'It is teal now' })],
  )
  expect([run?.status, run?.doing]).toEqual(['landed', 'It is teal now'])
})
