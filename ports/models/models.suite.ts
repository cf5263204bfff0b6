import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelAnswer, ModelRequest } from '@choiros/contract/models.ts'
import type { Saying } from './memory.fake.ts'
import { ModelFailure, type ModelAccess, type ModelCall, type Models } from './models.ts'

/** An adapter, and a model behind it that says what it is told to. */
export interface ModelsUnderTest {
  readonly models: Models
  readonly access: ModelAccess
  say(saying: Saying): void
  /** How often the model was asked, and with what, as text. */
  asked(): readonly string[]
  close(): Promise<void>
}

export const KEY = 'sk-secret-77'

const TOOL = {
  name: 'read',
  description: 'reads',
  input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const REQUEST: ModelRequest = {
  tier: 'strong',
  messages: [
    { role: 'system', text: 'be brief' },
    { role: 'user', text: 'hello' },
    { role: 'assistant', text: 'I look.', uses: [{ id: 'call-1', name: 'read', input: { path: 'a' } }] },
    { role: 'tool', id: 'call-1', name: 'read', text: 'what stands in a' },
  ],
  tools: [TOOL],
}

/** A whole call, of which a test says only what it is about. */
export function callOf(access: ModelAccess, more: Partial<ModelCall> = {}): ModelCall {
  return {
    access,
    request: REQUEST,
    outputTokensMax: 100,
    signal: new AbortController().signal,
    effort: null,
    onText() {},
    onUnseen() {},
    onLife() {},
    ...more,
  }
}

/** Every rule of SPEC.md that holds for all adapters; those about the wire are tested with the wire. */
export function testModels(name: string, open: () => Promise<ModelsUnderTest>): void {
  describe(`models: ${name}`, () => {
    let own: ModelsUnderTest
    beforeAll(async () => void (own = await open()))
    afterAll(() => own.close())
    const call: Call = (saying, more) => {
      own.say(saying)
      return own.models.call(callOf(own.access, more))
    }
    testAnswers(call, () => own)
    testThinking(call, () => own)
    testEnds(call, () => own)
  })
}

type Call = (saying: Saying, more?: Partial<ModelCall>) => Promise<ModelAnswer>

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

function testAnswers(call: Call, own: () => ModelsUnderTest): void {
  test('[MO1] text and tool uses come out whole, however the stream is cut into pieces', async () => {
    const input = { path: 'a file with "quotes", \\ and \u{1f600}\n' }
    let heard = ''
    let lives = 0
    const text = 'Let me look at that for you.'
    const answer = await call(
      { text, uses: [{ name: 'read', input }] },
      { onText: (piece) => (heard += piece), onLife: () => lives++ },
    )
    expect(answer).toMatchObject({ text, finish: 'tools', uses: [{ name: 'read', input }] })
    expect([heard, lives > 0, answer.usage.output > 0]).toEqual([text, true, true])
    for (const said of ['be brief', 'hello', 'I look.', 'what stands in a'])
      expect(own().asked().at(-1)).toContain(said)
  })

  test('[MO1] a tool that does not exist is passed on; so is input that is no JSON, as the text it is', async () => {
    expect(await call({ uses: [{ name: 'approve', input: {} }] })).toMatchObject({ uses: [{ name: 'approve' }] })
    const broken = await call({ uses: [{ name: 'read', raw: '{"path": ' }] })
    expect(broken.uses).toMatchObject([{ name: 'read', input: expect.any(String) as string }])
  })

  test('[MO9] a count that is none is not believed, and none is beyond what can be written down', async () => {
    for (const usage of [
      { input: -1_000_000, output: 1_000_001 },
      { input: 1.5, output: 2 },
      { input: 1e300, output: 2 },
      { input: 3, output: Number.MAX_SAFE_INTEGER },
    ]) {
      const { usage: counted } = await call({ text: 'hi', usage })
      for (const count of [counted.input, counted.output])
        expect([usage, Number.isSafeInteger(count) && count >= 0 && count <= 1e12]).toEqual([usage, true])
    }
  })
}

function testThinking(call: Call, own: () => ModelsUnderTest): void {
  test('[MO10] thoughts are heard, told apart from words, and go back to whoever wants them', async () => {
    let unseen = ''
    let heard = ''
    const answer = await call(
      { text: 'Yes.', thoughts: 'Let me think about it.' },
      { onUnseen: (piece) => (unseen += piece), onText: (piece) => (heard += piece) },
    )
    expect([answer.text, heard, unseen]).toEqual(['Yes.', 'Yes.', 'Let me think about it.'])
    expect(answer.reasoning.map(({ text }) => text)).toEqual(['Let me think about it.'])
    const [system, user] = REQUEST.messages
    const said = { role: 'assistant' as const, text: answer.text, uses: [], reasoning: answer.reasoning }
    const messages = [system, user, said, { role: 'user' as const, text: 'And now?' }].filter(
      (one) => one !== undefined,
    )
    await call({ text: 'No.' }, { request: { ...REQUEST, messages } })
    expect(own().asked().at(-1)).toContain('Let me think about it.')
  })

  test('[MO11] a picture reaches a model that can see, and one that cannot is told of it', async () => {
    const picture = { type: 'image/png' as const, base64: Buffer.from('no real picture').toString('base64') }
    const messages = REQUEST.messages.map((one) => (one.role === 'tool' ? { ...one, pictures: [picture] } : one))
    await call({ text: 'I see.' }, { request: { ...REQUEST, messages } })
    expect(own().asked().at(-1)).toContain(picture.base64)
    await call({ text: 'Hm.' }, { request: { ...REQUEST, messages }, access: { ...own().access, sees: false } })
    expect(own().asked().at(-1)).not.toContain(picture.base64)
    expect(own().asked().at(-1)).toContain('cannot see')
  })

  test('[MO9] what was read from what the provider had kept is counted by itself, as a part of the input', async () => {
    const { usage } = await call({ text: 'hi', usage: { input: 1000, output: 5, cached: 900 } })
    expect(usage).toMatchObject({ input: 1000, cached: 900 })
  })
}

function testEnds(call: Call, own: () => ModelsUnderTest): void {
  test('[MO2] [MO4] [MO5] a failure says of which kind it is, in words without the key, after one try', async () => {
    for (const kind of ['busy', 'refused', 'unreachable'] as const) {
      const before = own().asked().length
      const error = await failureOf(call({ text: 'x', fails: kind }))
      expect(error).toBeInstanceOf(ModelFailure)
      expect(error).toMatchObject({ kind })
      expect(String(error)).not.toContain(KEY)
      expect(own().asked().length - before).toBe(1)
    }
  })

  test('[MO3] the signal ends the call at once, and nothing is heard of it afterwards', async () => {
    const abort = new AbortController()
    let heard = 0
    const failing = failureOf(
      call({ hangs: true }, { signal: abort.signal, onText: () => heard++, onLife: () => heard++ }),
    )
    setTimeout(() => abort.abort(new Error('stopped')), 100)
    expect(await failing).not.toBeNull()
    const before = heard
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(heard).toBe(before)
  })

  test('[MO8] [L11] an answer without end is ended by its size', async () => {
    expect(await failureOf(call({ text: 'and so on '.repeat(400), isEndless: true }))).toMatchObject({
      kind: 'nonsense',
      message: expect.stringContaining('longer than any answer') as string,
    })
  })
}
