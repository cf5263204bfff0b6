import { describe, expect, test } from 'vitest'
import { askedOf, type SeenRequest } from '../support/scripted-model.ts'
import { parseScenario, play, readScenario, scenarioNames, type Scenario } from './scenario.ts'

const GOOD = { about: 'x', wish: 'x', director: [{ text: 'hello' }] }
const parse = (value: unknown) => parseScenario(JSON.stringify(value), 'mine.json')

/** A request as the agents make it: `said` is everything after what it is asked for. */
function asked(role: 'director' | 'associate', ...said: readonly string[]): SeenRequest {
  const messages = ['system', 'user', ...said].map((one, index) => ({
    role: one,
    content: one === 'user' && index > 1 ? 'You said nothing.' : 'x',
  }))
  return {
    path: '/v1/chat/completions',
    headers: {},
    body: { messages, tools: [{ name: role === 'director' ? 'look' : 'read' }] },
  }
}

describe('scenario files', () => {
  test.each(scenarioNames())('%s fits, and says how it ends', (name) => {
    expect(readScenario(name).ends).toBeDefined()
  })

  test.each([
    ['{', /mine\.json is no JSON/],
    ['[]', /mine\.json does not fit:\nthe whole: /],
    [JSON.stringify({ ...GOOD, director: [] }), /director: /],
    [JSON.stringify({ ...GOOD, director: [{}] }), /director\.0: it says nothing: give it text, uses, status or hang/],
    [JSON.stringify({ ...GOOD, associates: [[{ text: 'a' }, { txt: 'b' }]] }), /associates\.0\.1: .*txt/],
    [JSON.stringify({ ...GOOD, ends: { status: 'done' } }), /ends\.status: /],
    [JSON.stringify({ ...GOOD, ends: { status: 'landed', reply: '(' } }), /ends\.reply: it is no regular expression/],
  ])('%s is refused with the place of the mistake', (text, why) => {
    expect(() => parseScenario(text, 'mine.json')).toThrow(why)
  })

  test('lines are a text, and numbers make no two answers alike', async () => {
    const uses = [{ name: 'search', input: { text: 'x{n}', in: [{ lines: ['a', '{n}'] }] } }]
    const say = play(parse({ ...GOOD, director: [{ uses, numbered: true }] }))
    const first = await say(asked('director'), 0)
    const second = await say(asked('director', 'assistant', 'tool'), 1)
    expect([first.uses, second.uses]).toEqual([
      [{ name: 'search', input: { text: 'x0', in: ['a\n0\n'] } }],
      [{ name: 'search', input: { text: 'x1', in: ['a\n1\n'] } }],
    ])
  })

  test('each talk goes its own way: by turns, also past busy servers and empty answers; the last answer and the last talk are repeated', async () => {
    const scenario: Scenario = parse({
      ...GOOD,
      director: [{ status: 429 }, { text: 'd1' }, { text: 'd2' }],
      associates: [[{ text: '' }, { text: 'a1' }], [{ text: 'b1' }]],
    })
    const say = play(scenario)
    const talk = [
      asked('director'),
      asked('director'), // The server was busy: the same again.
      asked('associate'),
      asked('associate', 'user'), // It said nothing, and was told so.
      asked('associate', 'user', 'assistant', 'tool'),
      asked('director', 'assistant', 'tool'),
      asked('associate'),
      asked('associate'),
      asked('director', 'assistant', 'tool', 'assistant', 'tool'),
    ]
    const answers: unknown[] = []
    for (const request of talk) {
      const { status, text } = await say(request, 0)
      answers.push(`${askedOf(request).role}: ${status ?? text}`)
    }
    expect(answers).toEqual([
      'director: 429',
      'director: d1',
      'associate: ',
      'associate: a1',
      'associate: a1',
      'director: d2',
      'associate: b1',
      'associate: b1',
      'director: d2',
    ])
  })
})
