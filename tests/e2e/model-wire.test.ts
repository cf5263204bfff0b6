import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelProvider } from '@choiros/contract/models.ts'
import { openAiSdkModels } from '@choiros/ports/models/ai-sdk.ts'
import { callOf, KEY, testModels } from '@choiros/ports/models/models.suite.ts'
import type { Saying } from '@choiros/ports/models/memory.fake.ts'
import { ModelFailure, type ModelCall } from '@choiros/ports/models/models.ts'
import { startScriptedModel, type Scripted, type ScriptedModel } from '../support/scripted-model.ts'

const PROVIDERS: readonly ModelProvider[] = ['openai-compatible', 'anthropic']

/** The same as a server would say it. */
function scripted({ text, uses, usage, thoughts, fails, hangs, isEndless }: Saying): Scripted {
  if (fails === 'busy')
    return { status: 429, body: JSON.stringify({ error: { message: `bad key ${KEY}`, type: 'x' } }) }
  if (fails === 'refused')
    return { status: 401, body: JSON.stringify({ error: { message: `bad key ${KEY}`, type: 'x' } }) }
  if (fails !== undefined) return { text: 'x', cut: true }
  if (hangs === true) return { hang: true }
  return {
    text: isEndless === true ? (text ?? '').repeat(25) : text,
    uses: uses?.map(({ name, input, raw }) => (raw === undefined ? { name, input } : { name, raw })),
    usage,
    thoughts,
    pieceMs: 0,
  }
}

for (const provider of PROVIDERS)
  testModels(`AI SDK, ${provider}`, async () => {
    const model = await startScriptedModel(() => ({ text: 'hi' }))
    return {
      models: openAiSdkModels(),
      access: { provider, url: model.url, key: KEY, model: 'scripted', sees: true },
      say: (saying) => (model.script = () => scripted(saying)),
      asked: () => model.seen.map(({ body }) => JSON.stringify(body)),
      close: model.close,
    }
  })

/** What only a wire can get wrong. */
describe.each<ModelProvider>(PROVIDERS)('the wire of %s', (provider) => {
  let model: ScriptedModel
  const models = openAiSdkModels()
  beforeAll(async () => void (model = await startScriptedModel(() => ({ text: 'hi' }))))
  afterAll(() => model.close())

  const call = (answer: Scripted, more: Partial<ModelCall> = {}) => {
    model.script = () => answer
    return models.call(callOf({ provider, url: model.url, key: KEY, model: 'scripted', sees: true }, more))
  }
  const failure = (answer: Scripted, more: Partial<ModelCall> = {}) =>
    call(answer, more).then(
      () => null,
      (error: unknown) => error,
    )

  test('[MO6] what was said so far is kept where the provider can, and others are sent nothing they do not know', async () => {
    await call({ text: 'hi' })
    expect(JSON.stringify(model.seen.at(-1)?.body).match(/cache_control/g)?.length ?? 0).toBe(
      provider === 'anthropic' ? 3 : 0,
    )
  })

  test('[MO2] [MO4] [MO5] every status says whose the failure is, in words without the key, after one try', async () => {
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
    const nobody = { provider, url: 'http://127.0.0.1:9/v1', key: KEY, model: 'x', sees: true }
    expect(await failure({}, { access: nobody })).toMatchObject({ kind: 'unreachable' })
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
      const sender = await hostile((_, response) =>
        response.writeHead(status, { location: `${thief.url}/messages` }).end(),
      )
      const access = { provider, url: sender.url, key: KEY, model: 'x', sees: true }
      expect(await failure({}, { access })).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('another address') as string,
      })
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
      const access = { provider, url: flood.url, key: KEY, model: 'x', sees: true }
      expect(await failure({}, { access })).toMatchObject({
        kind: 'nonsense',
        message: expect.stringContaining('longer than any answer') as string,
      })
      expect(sent).toBeLessThan(16 * 1024 * 1024)
      flood.close()
    }
  })
})

test.each<readonly [ModelProvider, string]>([
  ['anthropic', 'claude-sonnet-4-5'],
  ['bedrock', 'anthropic.claude-sonnet-4-5-v1:0'],
  ['openai-compatible', 'any'],
])('[MO13] [L11] %s is asked for no more output than was reserved, thinking included', async (provider, model) => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => (body += String(piece)))
    request.on('end', () => (bodies.push(body), response.writeHead(400).end('{}')))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const effort of ['low', 'medium', 'high'] as const) {
    const access = { provider, url, key: KEY, model, sees: false }
    await openAiSdkModels()
      .call(callOf(access, { effort, outputTokensMax: 32_768 }))
      .catch(() => null)
  }
  server.close()
  expect(bodies).toHaveLength(3)
  for (const body of bodies) {
    expect(body).toMatch(/thinking|reasoning/)
    expect(Number(/"max_?tokens":(\d+)/i.exec(body)?.[1])).toBe(32_768)
  }
})

test('[MO4] [L9] no part of a key that has several is told, only where it is used', async () => {
  const told = 'AKIA77 and its secret/77+ are not known in eu-west-9'
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ message: told }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const access = { provider: 'bedrock', url, key: 'AKIA77:secret/77+:eu-west-9', model: 'any', sees: false } as const
  const failure: unknown = await openAiSdkModels()
    .call(callOf(access))
    .catch((error: unknown) => error)
  server.close()
  expect(String(failure)).toContain('… and its … are not known in eu-west-9')
})
