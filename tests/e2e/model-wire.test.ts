import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelProvider, ModelRequest } from '@choiros/contract/models.ts'
import { openAiSdkModels } from '@choiros/ports/models/ai-sdk.ts'
import { ModelFailure, type ModelCall } from '@choiros/ports/models/models.ts'
import { startScriptedModel, type Scripted, type ScriptedModel } from '../support/scripted-model.ts'

const KEY = 'sk-secret-77'
const TOOL = { name: 'read', description: 'reads', input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } }
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

/** The rules of ports/models/SPEC.md, in both wire formats. */
describe.each<ModelProvider>(['openai-compatible', 'anthropic'])('models by %s', (provider) => {
  let model: ScriptedModel
  const models = openAiSdkModels()
  beforeAll(async () => void (model = await startScriptedModel(() => ({ text: 'hi' }))))
  afterAll(() => model.close())

  const call = (answer: Scripted, more: Partial<ModelCall> = {}) => {
    model.script = () => answer
    return models.call({
      access: { provider, url: model.url, key: KEY, model: 'scripted' },
      request: REQUEST,
      outputTokensMax: 100,
      signal: new AbortController().signal,
      onText() {},
      onLife() {},
      ...more,
    })
  }
  const failure = (answer: Scripted, more: Partial<ModelCall> = {}) =>
    call(answer, more).then(
      () => null,
      (error: unknown) => error,
    )

  test('[MO1] [MO6] text and tool uses come out whole, however the stream is cut into pieces', async () => {
    const input = { path: 'a file with "quotes", \\ and \u{1f600}\n' }
    let heard = ''
    const answer = await call({ text: 'Let me look at that for you.', uses: [{ name: 'read', input }] }, { onText: (piece) => (heard += piece) })
    expect(answer).toMatchObject({ text: 'Let me look at that for you.', finish: 'tools', uses: [{ name: 'read', input }] })
    expect([heard, answer.usage.output > 0]).toEqual(['Let me look at that for you.', true])
    const seen = JSON.stringify(model.seen.at(-1)?.body)
    for (const said of ['be brief', 'hello', 'I look.', 'what stands in a']) expect(seen).toContain(said)
    expect(seen.match(/cache_control/g)?.length ?? 0).toBe(provider === 'anthropic' ? 1 : 0)
  })

  test('[MO1] a tool that does not exist is passed on; so is input that is no JSON, as the text it is', async () => {
    expect(await call({ uses: [{ name: 'approve', input: {} }] })).toMatchObject({ uses: [{ name: 'approve' }] })
    const broken = await call({ uses: [{ name: 'read', raw: '{"path": ' }] })
    expect(broken.uses).toMatchObject([{ name: 'read', input: expect.any(String) as string }])
  })

  test('[MO2] [MO4] [MO5] failures say whose they are, in words without the key, after one try', async () => {
    for (const [status, kind, words] of [
      [429, 'busy', /busy/],
      [503, 'busy', /busy/],
      [401, 'refused', /key was not accepted/],
      [404, 'refused', /no such model/],
      [400, 'refused', /refused/],
    ] as const) {
      const before = model.seen.length
      const error = await failure({ status, body: JSON.stringify({ error: { message: `bad key ${KEY}`, type: 'x' } }) })
      expect(error).toBeInstanceOf(ModelFailure)
      expect(error).toMatchObject({ kind, message: expect.stringMatching(words) as string })
      expect(String(error)).not.toContain(KEY)
      expect(model.seen.length - before).toBe(1)
    }
    expect(await failure({ text: 'x', cut: true })).toMatchObject({ kind: 'unreachable' })
    const nobody = { provider, url: 'http://127.0.0.1:9/v1', key: KEY, model: 'x' }
    expect(await failure({}, { access: nobody })).toMatchObject({ kind: 'unreachable' })
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

  test('[MO3] the signal ends the call at once', async () => {
    const abort = new AbortController()
    const failing = failure({ hang: true }, { signal: abort.signal })
    setTimeout(() => abort.abort(new Error('stopped')), 100)
    expect(await failing).not.toBeNull()
  })

  /** A server that means no good, with an address of its own. */
  const hostile = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/v1`, close: () => (server.closeAllConnections(), server.close()) }
  }

  test('[MO7] [L9] a redirect is not followed, and the key does not go with it', async () => {
    const stolen: unknown[] = []
    const thief = await hostile((request, response) => {
      stolen.push(request.headers['x-api-key'] ?? request.headers.authorization)
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const sender = await hostile((_, response) => response.writeHead(status, { location: `${thief.url}/messages` }).end())
      const access = { provider, url: sender.url, key: KEY, model: 'x' }
      expect(await failure({}, { access })).toMatchObject({ kind: 'refused', message: expect.stringContaining('another address') as string })
      sender.close()
    }
    thief.close()
    expect(stolen).toEqual([])
  })

  test('[MO8] [L11] an answer without end is ended by its size, and so is a drip of tiny pieces', async () => {
    for (const size of [1, 4096]) {
      let sent = 0
      const flood = await hostile((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const piece =
          provider === 'anthropic'
            ? 'event: ping\ndata: {"type":"ping"}\n\n'
            : `data: {"id":"x","choices":[{"index":0,"delta":{"content":"${'a'.repeat(size)}"}}]}\n\n`
        const pour = () => {
          while (!response.destroyed && response.write(piece)) sent += piece.length
          if (!response.destroyed) response.once('drain', pour)
        }
        pour()
      })
      const access = { provider, url: flood.url, key: KEY, model: 'x' }
      expect(await failure({}, { access })).toMatchObject({ kind: 'nonsense', message: expect.stringContaining('longer than any answer') as string })
      expect(sent).toBeLessThan(16 * 1024 * 1024)
      flood.close()
    }
  })
})
