import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { requestText, type ChatRequest } from './request-text.ts'

/** What an answer file may say: words, uses of tools, or both. */
const Answer = z.strictObject({
  text: z.string().default(''),
  uses: z.array(z.strictObject({ name: z.string().min(1), input: z.record(z.string(), z.unknown()) })).default([]),
  /** What the model is to have thought, for those who want to see how that is shown. */
  thoughts: z.string().default(''),
})
type Answer = z.infer<typeof Answer>

export interface ByHand {
  readonly url: string
  close(): Promise<void>
}

const LOOK_EVERY_MS = 200
/** A byte now and then shows that somebody is still thinking; without it a call is given up after five minutes. */
const ALIVE_EVERY_MS = 10_000
const THINK_MS_MAX = 6 * 60 * 60 * 1000
const REQUEST_CHARS_MAX = 64 * 1024 * 1024

/**
 * A language model played by a person: every request becomes a file to read, and the answer is read from a file beside
 * it. It speaks the wire of OpenAI.
 */
export async function startByHand(
  folder: string,
  { port = 0, told = () => {} }: { port?: number; told?: (line: string) => void } = {},
): Promise<ByHand> {
  mkdirSync(folder, { recursive: true })
  let calls = 0
  const talks = new Map<string, number>()
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      told(`a request could not be read: ${error instanceof Error ? error.message : String(error)}`)
      response.destroy()
    })
  })
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'by-hand', object: 'model' }] }))
      return
    }
    const text = await bodyOf(request)
    const body = JSON.parse(text) as ChatRequest
    const name = freeName(folder, () => ++calls)
    told(`${name}: ${tell(folder, name, body, talks)}`)
    const answer = await answerFrom(folder, name, body, response, told)
    if (answer === null) return
    send(response, body.stream === true, name, answer, text.length)
    told(`${name}: answered`)
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${own}/v1`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) {
    text += String(piece)
    if (text.length > REQUEST_CHARS_MAX) throw new Error('the request is too long')
  }
  return text
}

const NAMES_MAX = 10_000

/** Numbered, and never a name that an earlier session has left in the folder. */
function freeName(folder: string, next: () => number): string {
  for (let tries = 0; tries < NAMES_MAX; tries++) {
    const name = String(next()).padStart(3, '0')
    if (!existsSync(join(folder, `${name}-request.md`))) return name
  }
  throw new Error(`${folder} is full: use an empty folder`)
}

/** Writes the request for a reader, whole for a program, and its pictures; says who asks. */
function tell(folder: string, name: string, body: ChatRequest, talks: Map<string, number>): string {
  // The same talk goes on with the same first messages: only what is new is shown.
  const key = JSON.stringify(body.messages.slice(0, 2))
  const before = talks.get(key) ?? 0
  talks.set(key, body.messages.length)
  const { who, text, pictures } = requestText(name, body, before)
  for (const [index, picture] of pictures.entries())
    writeFileSync(join(folder, `${name}-picture-${index + 1}.png`), picture)
  writeFileSync(join(folder, `${name}-request.json`), JSON.stringify(body, null, 2))
  writeFileSync(join(folder, `${name}-request.md`), text)
  return `${who} asks; answer in ${name}-answer.md or ${name}-answer.json`
}

/** Waits for the answer's file. One that cannot be used is put aside, with the reason beside it. */
async function answerFrom(
  folder: string,
  name: string,
  body: ChatRequest,
  response: ServerResponse,
  told: (line: string) => void,
): Promise<Answer | null> {
  if (body.stream === true) response.writeHead(200, { 'content-type': 'text/event-stream' })
  let alive = performance.now()
  const deadline = alive + THINK_MS_MAX
  while (performance.now() < deadline) {
    if (response.destroyed) {
      writeFileSync(join(folder, `${name}-gone.txt`), 'Nobody waits for this answer any more.\n')
      told(`${name}: nobody waits for this answer any more`)
      return null
    }
    const read = readAnswer(folder, name, body)
    if (read !== null && 'answer' in read) return read.answer
    if (read !== null) told(`${name}: ${read.problem}`)
    if (body.stream === true && performance.now() - alive > ALIVE_EVERY_MS) {
      response.write(': still thinking\n\n')
      alive = performance.now()
    }
    await delay(LOOK_EVERY_MS)
  }
  response.destroy()
  return null
}

function readAnswer(folder: string, name: string, body: ChatRequest): { answer: Answer } | { problem: string } | null {
  const words = join(folder, `${name}-answer.md`)
  if (existsSync(words)) {
    const text = readFileSync(words, 'utf8').trim()
    // An editor makes the file before it writes into it.
    return text === '' ? null : { answer: { text, uses: [], thoughts: '' } }
  }
  const file = join(folder, `${name}-answer.json`)
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  if (text.trim() === '') return null
  const problem = problemOf(text, body)
  if (problem === null) return { answer: Answer.parse(JSON.parse(text)) }
  renameSync(file, join(folder, `${name}-answer.bad.json`))
  writeFileSync(
    join(folder, `${name}-problem.txt`),
    `${problem}\nMend ${name}-answer.bad.json and give it its name back.\n`,
  )
  return { problem }
}

function problemOf(text: string, { tools = [] }: ChatRequest): string | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return `the answer is no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  const answer = Answer.safeParse(parsed)
  if (!answer.success) return `the answer does not have its form: ${z.prettifyError(answer.error)}`
  const offered = tools.map((tool) => tool.function.name)
  const unknown = answer.data.uses.find(({ name }) => !offered.includes(name))
  if (unknown !== undefined) return `there is no tool ${unknown.name}; there are ${offered.join(', ')}`
  return answer.data.text === '' && answer.data.uses.length === 0 ? 'the answer says and uses nothing' : null
}

/** Roughly what a real model would count. */
const CHARS_PER_TOKEN = 4

function send(
  response: ServerResponse,
  streamed: boolean,
  name: string,
  { text, uses, thoughts }: Answer,
  asked: number,
): void {
  const base = { id: `by-hand-${name}`, created: 0, model: 'by-hand' }
  const calls = uses.map((use, index) => ({
    index,
    id: `call-${name}-${index}`,
    type: 'function',
    function: { name: use.name, arguments: JSON.stringify(use.input) },
  }))
  const input = Math.ceil(asked / CHARS_PER_TOKEN)
  const output = Math.ceil((text.length + thoughts.length + JSON.stringify(uses).length) / CHARS_PER_TOKEN)
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  if (!streamed) {
    const message = { role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
    const choices = [{ index: 0, message, finish_reason: finish }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }))
    return
  }
  const write = (choices: readonly object[], rest: object = {}) =>
    response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...rest })}\n\n`)
  const piece = (delta: object, finished: string | null = null) => write([{ index: 0, delta, finish_reason: finished }])
  piece({ role: 'assistant' })
  if (thoughts !== '') piece({ reasoning_content: thoughts })
  if (text !== '') piece({ content: text })
  for (const call of calls) piece({ tool_calls: [call] })
  piece({}, finish)
  write([], { usage })
  response.end('data: [DONE]\n\n')
}

/** What somebody who plays the model has to know. */
export function howTo(url: string, folder: string): string {
  return `You are the model now. In another terminal:

  CHOIR_MODEL_PROVIDER=openai-compatible CHOIR_MODEL_URL=${url} CHOIR_MODEL_NAME=by-hand npm start

Ask for something on the desktop. Each call of an agent is a file in ${folder}:

  001-request.md    what is new since the last call of the same agent; the tools the first time
  001-request.json  all of it, as it was sent
  001-picture-1.png a picture it was shown

Answer with one of these, and the agent goes on:

  001-answer.md     plain words
  001-answer.json   {"text": "…", "uses": [{"name": "edit", "input": {"…": "…"}}]}

An answer that cannot be used becomes 001-answer.bad.json, and 001-problem.txt says why. End with Ctrl+C.
`
}
