import { expect, test } from 'vitest'
import { ChoirError } from '@choiros/contract/error.ts'
import type { ModelAnswer, ModelMessage, ModelRequest } from '@choiros/contract/models.ts'
import { charsIn, cutAt, NEWEST_KEPT, withoutOldPictures, withoutOldResults } from './shorten.ts'
import { createTalk } from './talk.ts'

const START: ModelMessage[] = [
  { role: 'system', text: 'rules' },
  { role: 'user', text: 'the task, with a file in it that stays as it is' },
]
const answer = (text: string, input = 0): ModelAnswer => ({
  text,
  uses: [],
  reasoning: [],
  finish: 'stop',
  usage: { input, output: 1, cached: 0, written: 0 },
})
function step(number: number, chars: number): ModelMessage[] {
  return [
    { role: 'assistant', text: '', uses: [{ id: `c${number}`, name: 'read', input: { path: `app/${number}.ts` } }] },
    { role: 'tool', id: `c${number}`, name: 'read', text: `${number}:${'x'.repeat(chars)}` },
  ]
}
/** Every result stands behind the call that it answers, as providers want it. */
function isWhole(messages: readonly ModelMessage[]): boolean {
  const asked = new Set<string>()
  return messages.every((message) => {
    if (message.role === 'assistant') for (const { id } of message.uses) asked.add(id)
    return message.role !== 'tool' || asked.has(message.id)
  })
}

test('two hundred steps stay within what the model can read, and the first and newest messages are never touched', async () => {
  const sent: ModelRequest[] = []
  const talk = createTalk({
    start: START,
    tokensMax: 20_000,
    async call(request) {
      sent.push(request)
      return request.tools.length === 0 && request.tier === 'fast' ? answer('retold') : answer('go on')
    },
  })
  for (let number = 0; number < 200; number++) {
    await talk.ask({ tier: 'strong', tools: [{ name: 'read', description: '', input: {} }] })
    talk.add(...step(number, 3000))
  }
  const steps = sent.filter(({ tier }) => tier === 'strong')
  expect(steps).toHaveLength(200)
  expect(Math.max(...steps.map(({ messages }) => charsIn(messages)))).toBeLessThan(3 * 20_000)
  for (const { messages } of steps) {
    expect(messages.slice(0, 2)).toEqual(START)
    expect(isWhole(messages)).toBe(true)
  }
  expect(steps.at(-1)?.messages.at(-1)?.text).toMatch(/^198:x{3000}$/)
})

test('old results go first, and nothing is retold while that is enough', () => {
  const messages = [...START, ...Array.from({ length: 20 }, (_, number) => step(number, 1000)).flat()]
  const short = withoutOldResults(messages, START.length)
  expect(short).toHaveLength(messages.length)
  expect(short.slice(-NEWEST_KEPT)).toEqual(messages.slice(-NEWEST_KEPT))
  expect(short[3]?.text).toContain('left out by now')
  expect(short.slice(0, 2)).toEqual(START)
})

/** One answer that asks for many files at once, and what came of it. */
function manyAtOnce(count: number, chars: number): ModelMessage[] {
  const uses = Array.from({ length: count }, (_, number) => ({ id: `m${number}`, name: 'read', input: {} }))
  const results = uses.map(({ id, name }): ModelMessage => ({ role: 'tool', id, name, text: id.padEnd(chars, '.') }))
  return [{ role: 'assistant', text: '', uses }, ...results]
}

test('what the model asked for last is whole when it reads it, however much it asked for at once', async () => {
  const newest = manyAtOnce(NEWEST_KEPT + 8, 1000)
  const messages = [...START, ...Array.from({ length: 20 }, (_, number) => step(number, 1000)).flat(), ...newest]
  expect(withoutOldResults(messages, START.length).slice(-newest.length)).toEqual(newest)
  const sent: ModelRequest[] = []
  const talk = createTalk({
    start: START,
    tokensMax: 12_000,
    call: async (request) => (sent.push(request), answer('retold')),
  })
  talk.add(...messages.slice(START.length))
  await talk.ask({ tier: 'strong', tools: [] })
  expect(sent.at(-1)?.messages.slice(-newest.length)).toEqual(newest)
})

test('if even that is more than the model can read, each result keeps its beginning and says that there was more', async () => {
  const sent: ModelRequest[] = []
  const talk = createTalk({
    start: START,
    tokensMax: 10_000,
    call: async (request) => (sent.push(request), answer('go on')),
  })
  talk.add(...manyAtOnce(20, 5000))
  await talk.ask({ tier: 'strong', tools: [] })
  const results = sent.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? []
  expect(results).toHaveLength(20)
  expect(charsIn(results)).toBeLessThan(3 * 10_000)
  for (const { text } of results) expect(text).toMatch(/^m\d+\.{600}[^]*it was 5000 characters/)
})

test('what is retold holds no content of files, and a cut leaves no result without its call', async () => {
  let old = ''
  const talk = createTalk({
    start: START,
    tokensMax: 3000,
    async call({ tier, messages }) {
      if (tier === 'fast') old = messages.at(-1)?.text ?? ''
      return answer('retold')
    },
  })
  for (let number = 0; number < 60; number++) talk.add(...step(number, 900))
  await talk.ask({ tier: 'strong', tools: [] })
  expect(old).toContain('app/3.ts')
  expect(old).not.toContain('x'.repeat(300))
  expect(talk.length()).toBeLessThan(20)
  const even = [...START, ...Array.from({ length: 20 }, (_, number) => step(number, 1)).flat()]
  expect(even[cutAt(even, 2)]?.role).toBe('assistant')
  expect(even.slice(1)[cutAt(even.slice(1), 1)]?.role).toBe('assistant')
})

test('a model that says it was given too much is asked again with less; any other failure is the caller’s', async () => {
  let calls = 0
  const talk = createTalk({
    start: START,
    async call({ tier, messages }) {
      if (tier === 'fast') return answer('retold')
      calls++
      if (charsIn(messages) > 20_000) throw new ChoirError('model.failed', 'prompt is too long: 9 tokens > 8 maximum')
      return answer('fits')
    },
  })
  for (let number = 0; number < 40; number++) talk.add(...step(number, 3000))
  expect((await talk.ask({ tier: 'strong', tools: [] })).text).toBe('fits')
  expect(calls).toBeGreaterThan(1)
  const other = createTalk({ start: START, call: () => Promise.reject(new ChoirError('model.failed', 'the key…')) })
  await expect(other.ask({ tier: 'strong', tools: [] })).rejects.toThrow('the key')
})

test('where no model can retell it, the talk goes on with its own lines', async () => {
  const talk = createTalk({
    start: START,
    tokensMax: 3000,
    call: ({ tier }) =>
      tier === 'fast' ? Promise.reject(new ChoirError('model.failed', 'busy')) : Promise.resolve(answer('done')),
  })
  for (let number = 0; number < 60; number++) talk.add(...step(number, 900))
  expect((await talk.ask({ tier: 'strong', tools: [] })).text).toBe('done')
})

test('what a provider counted is what counts', async () => {
  const sizes: number[] = []
  const talk = createTalk({
    start: START,
    tokensMax: 10_000,
    async call({ tier, messages }) {
      if (tier === 'strong') sizes.push(charsIn(messages))
      return answer('x', charsIn(messages)) // A token per character: three times as many as guessed.
    },
  })
  for (let number = 0; number < 30; number++) {
    await talk.ask({ tier: 'strong', tools: [] })
    talk.add(...step(number, 700))
  }
  expect(Math.max(...sizes.slice(1))).toBeLessThan(12_000)
})

test('of many pictures only the newest stay', () => {
  const picture = { type: 'image/jpeg' as const, base64: 'AAAA' }
  const seen = (number: number): ModelMessage => ({
    role: 'tool',
    id: `c${number}`,
    name: 'see',
    text: '',
    pictures: [picture],
  })
  const few = Array.from({ length: 6 }, (_, number) => seen(number))
  expect(withoutOldPictures(few)).toEqual(few)
  const many = withoutOldPictures([...few, seen(6)])
  expect(many.map((message) => 'pictures' in message)).toEqual([false, false, false, false, false, true, true])
})
