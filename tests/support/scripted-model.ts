import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** One answer of the scripted model. */
export interface Scripted {
  readonly text?: string | undefined
  readonly uses?: readonly ScriptedUse[] | undefined
  /** Instead of an answer. */
  readonly status?: number | undefined
  readonly body?: string | undefined
  /** Never sends anything. */
  readonly hang?: true | undefined
  /** Ends the connection in the middle. */
  readonly cut?: true | undefined
  /** Waits this long before the first word. */
  readonly pauseMs?: number | undefined
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number } | undefined
  /** What it thinks before it answers. */
  readonly thoughts?: string | undefined
  /** While it pauses, it shows by a byte now and then that it is alive. */
  readonly pulseMs?: number | undefined
  /** Waits this long between two pieces. */
  readonly pieceMs?: number | undefined
}

/** `raw`: sent as it is, for input that is no JSON. */
type ScriptedUse = { readonly name: string } & ({ readonly input: unknown } | { readonly raw: string })

export interface SeenRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: {
    messages: { role: string; content: unknown }[]
    tools?: { function?: { name: string }; name?: string }[]
    system?: unknown
  }
}

/** What the model says next, given what it was asked. It may think for as long as it likes. */
export type Script = (request: SeenRequest, index: number) => Scripted | Promise<Scripted>

export interface Asked {
  readonly role: 'director' | 'associate'
  /** How often it has answered in this talk. */
  readonly turn: number
  /** Whether the model has said nothing yet. */
  readonly isOpening: boolean
  /** What was said last; `all` is everything that was said. */
  readonly last: string
  /** With the two messages before it: what the person adds, or a mood that moved, may stand behind a result. */
  readonly recent: string
  readonly all: string
}

/** Who asks, and how often the model has answered in this conversation. Only a Director has the tool `look`. */
export function askedOf({ body: { tools = [], messages } }: SeenRequest): Asked {
  const turn = messages.filter(({ role }) => role === 'assistant').length
  return {
    role: tools.some((tool) => (tool.function?.name ?? tool.name) === 'look') ? 'director' : 'associate',
    turn,
    isOpening: turn === 0 && !JSON.stringify(messages.at(-1)).includes('You said nothing'),
    last: JSON.stringify(messages.at(-1)),
    recent: JSON.stringify(messages.slice(-3)),
    all: JSON.stringify(messages),
  }
}

/** Whether an agent is asking; a request without tools only tests whether the model is there. */
export function isTalk({ body: { tools = [] } }: SeenRequest): boolean {
  return tools.length > 0
}

/** As many criteria as a task can have, with the person's own words. */
const CRITERIA_MAX = 20
const ALL_GOOD: Script = () => ({
  uses: [
    {
      name: 'verdict',
      input: {
        criteria: Array.from({ length: CRITERIA_MAX }, (_, index) => ({ number: index + 1, grade: 5, seen: 'it is' })),
      },
    },
  ],
})

/** Whether somebody with fresh eyes asks, who judges what was made. */
export function isReview({ body: { tools = [] } }: SeenRequest): boolean {
  return tools.some((tool) => (tool.function?.name ?? tool.name) === 'verdict')
}

export interface ScriptedModel {
  readonly url: string
  /** What was asked; reviews are counted apart, for most scripts know nothing of them. */
  readonly seen: SeenRequest[]
  readonly reviews: SeenRequest[]
  script: Script
  /** What a reviewer says; without it that all is well. */
  reviewer: Script | null
  close(): Promise<void>
}

/**
 * Plays a language model for tests, in the wire formats of OpenAI and Anthropic, streamed, with tool input split in the
 * middle of words. Never in the product.
 */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const model: { -readonly [Key in keyof ScriptedModel]: ScriptedModel[Key] } = {
    url: '',
    seen: [],
    reviews: [],
    script,
    reviewer: null,
    close: async () => {},
  }
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const piece of request) text += String(piece)
    const seen = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as SeenRequest['body'] }
    const answer = isReview(seen)
      ? await (model.reviewer ?? ALL_GOOD)(seen, model.reviews.push(seen) - 1)
      : await model.script(seen, model.seen.push(seen) - 1)
    if (answer.status !== undefined) {
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(answer.body ?? '{"error":{"message":"scripted"}}')
      return
    }
    if (answer.pauseMs !== undefined && answer.pulseMs === undefined) await delay(answer.pauseMs)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (
      let leftMs = answer.pulseMs === undefined ? 0 : (answer.pauseMs ?? 0);
      leftMs > 0;
      leftMs -= answer.pulseMs ?? 1
    ) {
      response.write(': still here\n\n')
      await delay(answer.pulseMs)
    }
    if (answer.hang === true) {
      response.flushHeaders()
      return
    }
    const pieces = seen.path.endsWith('/messages') ? anthropicPieces(answer) : openAiPieces(answer)
    const sent = answer.cut === true ? pieces.slice(0, Math.ceil(pieces.length / 2)) : pieces
    for (const piece of sent) {
      response.write(piece)
      if (answer.pieceMs !== 0) await delay(answer.pieceMs ?? 1)
    }
    if (answer.cut === true) response.destroy()
    else response.end()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  model.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`
  model.close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return model
}

function split(text: string): string[] {
  return text.match(/[\s\S]{1,7}/g) ?? ['']
}

/** The usage that is reported if the script gives none. */
const USAGE = { input: 100, output: 20 }

function inputOf(use: ScriptedUse): string {
  return 'raw' in use ? use.raw : JSON.stringify(use.input)
}

function openAiPieces({ text = '', uses = [], usage = USAGE, thoughts = '' }: Scripted): string[] {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const calls = uses.flatMap((use, index) => [
    chunk({
      tool_calls: [
        { index, id: `call-${index}-${use.name}`, type: 'function', function: { name: use.name, arguments: '' } },
      ],
    }),
    ...split(inputOf(use)).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
  ])
  const counted = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
  }
  return [
    chunk({ role: 'assistant' }),
    ...(thoughts === '' ? [] : split(thoughts).map((part) => chunk({ reasoning_content: part }))),
    ...(text === '' ? [] : split(text).map((part) => chunk({ content: part }))),
    ...calls,
    chunk({}, uses.length > 0 ? 'tool_calls' : 'stop'),
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [], usage: counted })}\n\n`,
    'data: [DONE]\n\n',
  ]
}

function anthropicPieces({ text = '', uses = [], usage = USAGE, thoughts = '' }: Scripted): string[] {
  const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    // This wire counts what was kept beside what was read.
    usage: {
      input_tokens: usage.input - (usage.cached ?? 0),
      cache_read_input_tokens: usage.cached ?? 0,
      output_tokens: 1,
    },
  }
  const blocks = [
    ...(thoughts === ''
      ? []
      : [
          {
            start: { type: 'thinking', thinking: '' },
            deltas: [
              ...split(thoughts).map((part) => ({ type: 'thinking_delta', thinking: part })),
              { type: 'signature_delta', signature: 'signed' },
            ],
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: split(text).map((part) => ({ type: 'text_delta', text: part })),
          },
        ]),
    ...uses.map((use, index) => ({
      start: { type: 'tool_use', id: `toolu_${index}`, name: use.name, input: {} },
      deltas: split(inputOf(use)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    })),
  ]
  return [
    event('message_start', { message }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: uses.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    event('message_stop', {}),
  ]
}
