import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  jsonSchema,
  NoSuchToolError,
  streamText,
  tool,
  type JSONValue,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage as SdkMessage,
  type ProviderMetadata,
  type ToolResultPart,
  type ToolSet,
  type UserContent,
} from 'ai'
import type {
  ModelAnswer,
  ModelEffort,
  ModelMessage,
  ModelRequest,
  Picture,
  Reasoning,
  ToolUse,
  Usage,
} from '@choiros/contract/models.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { bytesMaxOf, countOf, ModelFailure, tooLong, type ModelAccess, type ModelCall } from './models.ts'

function modelOf({ provider, url, key, model }: ModelAccess, fetch: typeof globalThis.fetch): LanguageModel {
  switch (provider) {
    case 'anthropic':
      return createAnthropic({ fetch, apiKey: key ?? '', ...(url === null ? {} : { baseURL: url }) })(model)
    case 'bedrock':
      // A key of Bedrock's own, or "access:secret:region".
      return bedrock(url, key, fetch)(model)
    case 'openai-compatible':
      return createOpenAICompatible({
        name: 'model',
        fetch,
        baseURL: url ?? 'http://localhost:11434/v1',
        includeUsage: true,
        ...(key === null ? {} : { apiKey: key }),
      })(model)
  }
}

function bedrock(
  url: string | null,
  key: string | null,
  fetch: typeof globalThis.fetch,
): ReturnType<typeof createAmazonBedrock> {
  const [access = '', secret, region = 'us-east-1'] = (key ?? '').split(':')
  const base = url === null ? { fetch } : { fetch, baseURL: url }
  return secret === undefined
    ? createAmazonBedrock({ apiKey: access, region, ...base })
    : createAmazonBedrock({ accessKeyId: access, secretAccessKey: secret, region, ...base })
}

/**
 * [MO6] An agent sends its whole talk again with every step. Providers that can are asked to keep it: up to the end of
 * what stays as it is, and up to the last message, so that only what is new is read in full.
 */
const KEEP_SO_FAR = { anthropic: { cacheControl: { type: 'ephemeral' } }, bedrock: { cachePoint: { type: 'default' } } }

/** One call by the AI SDK, whose types stay in this file. */
export async function callOnce({
  access,
  request,
  outputTokensMax,
  effort,
  signal,
  onText,
  onUnseen,
  onLife,
}: ModelCall): Promise<ModelAnswer> {
  let text = ''
  const uses: ToolUse[] = []
  const thoughts = createThoughts()
  let finish: ModelAnswer['finish'] = 'other'
  let usage: Usage = { input: 0, output: 0, cached: 0, written: 0 }
  const thinking = effortOptions(access, effort, outputTokensMax)
  const stream = streamText({
    model: modelOf(access, carefulFetch(bytesMaxOf(outputTokensMax), onLife)),
    messages: toSdkMessages(request.messages, access),
    tools: toSdkTools(request),
    maxOutputTokens: outputTokensMax - thinking.addedTokens,
    maxRetries: 0,
    abortSignal: signal,
    providerOptions: thinking.options,
    allowSystemInMessages: true,
    onError() {}, // The error comes as a part of the stream, too, and is handled there.
  })
  try {
    for await (const part of stream.fullStream) {
      if (part.type === 'text-delta') {
        text += part.text
        onText(part.text)
      } else if (part.type === 'tool-input-delta') onUnseen(part.delta)
      else if (part.type === 'reasoning-start' || part.type === 'reasoning-delta' || part.type === 'reasoning-end') {
        thoughts.add(part.id, part.type === 'reasoning-delta' ? part.text : '', part.providerMetadata)
        if (part.type === 'reasoning-delta') onUnseen(part.text)
      } else if (part.type === 'tool-call') {
        // A tool that does not exist, or input that is no JSON, is left to the agent: a model that is told of its
        // mistake can do better.
        const isText = part.invalid === true && !NoSuchToolError.isInstance(part.error)
        if (uses.length < LIMITS.modelUsesMax)
          uses.push({
            id: part.toolCallId,
            name: part.toolName,
            input: isText ? String(part.input).slice(0, 1000) : part.input,
          })
      } else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') {
        finish = FINISHES[part.finishReason] ?? 'other'
        usage = usageOf(part.totalUsage)
      }
    }
  } catch (error) {
    throw toFailure(error, access)
  }
  signal.throwIfAborted()
  const reasoning = thoughts.all()
  return { text, uses, reasoning, finish: uses.length > 0 && finish !== 'length' ? 'tools' : finish, usage }
}

const FINISHES: Readonly<Record<string, ModelAnswer['finish']>> = {
  'tool-calls': 'tools',
  'stop': 'stop',
  'length': 'length',
}

function usageOf({ inputTokens, outputTokens, inputTokenDetails }: LanguageModelUsage): Usage {
  const input = countOf(inputTokens)
  const cached = Math.min(input, countOf(inputTokenDetails.cacheReadTokens))
  const written = Math.min(input - cached, countOf(inputTokenDetails.cacheWriteTokens))
  return { input, output: countOf(outputTokens), cached, written }
}

/** [MO10] Thoughts come in pieces, of several blocks at a time; what their provider wants back comes with any. */
function createThoughts(): { add(id: string, text: string, kept: object | undefined): void; all(): Reasoning[] } {
  const blocks = new Map<string, Reasoning>()
  return {
    add(id, text, kept) {
      const before = blocks.get(id)
      const merged = { ...before?.kept, ...kept }
      blocks.set(id, {
        text: (before?.text ?? '') + text,
        kept: Object.keys(merged).length === 0 ? null : merged,
      })
    },
    all: () => [...blocks.values()].filter(({ text, kept }) => text !== '' || kept !== null),
  }
}

interface Thinking {
  readonly options: Record<string, Record<string, JSONValue>>
  /** What the SDK adds to the output that is asked for: were it not taken off first, more could come than reserved. */
  readonly addedTokens: number
}

/** [MO13] Thinking is asked for in the words of each provider, and only where it has any. */
function effortOptions({ provider }: ModelAccess, effort: ModelEffort | null, outputTokensMax: number): Thinking {
  const none = { options: {}, addedTokens: 0 }
  if (effort === null) return none
  if (provider === 'openai-compatible') return { ...none, options: { openaiCompatible: { reasoningEffort: effort } } }
  const budgetTokens = Math.min(THINKING_TOKENS[effort], Math.floor(outputTokensMax / 2))
  if (budgetTokens < THINKING_TOKENS_MIN) return none
  const asked = { type: 'enabled', budgetTokens }
  return {
    options:
      provider === 'anthropic' ? { [provider]: { thinking: asked } } : { [provider]: { reasoningConfig: asked } },
    addedTokens: budgetTokens,
  }
}

const THINKING_TOKENS: Readonly<Record<ModelEffort, number>> = { low: 2048, medium: 8192, high: 16_384 }
const THINKING_TOKENS_MIN = 1024

/** Follows no redirect, which would take the key to another server, and reads no more bytes than an answer may have. */
function carefulFetch(bytesMax: number, onLife: () => void): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, { ...init, redirect: 'manual' })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw new ModelFailure(
        'refused',
        'the server sends the request on to another address: if that is right, give that address itself',
      )
    }
    if (response.body === null) return response
    let bytes = 0
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.length
        onLife()
        if (bytes > bytesMax) controller.error(tooLong(bytesMax))
        else controller.enqueue(piece)
      },
    })
    return new Response(response.body.pipeThrough(counted), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }
}

function toSdkMessages(messages: readonly ModelMessage[], access: ModelAccess): SdkMessage[] {
  // What never changes while a task lasts: tools and system, then the first message; and all that was said so far.
  const kept = new Set([
    messages.findLastIndex(({ role }) => role === 'system'),
    messages.findIndex(({ role }) => role === 'user'),
    messages.length - 1,
  ])
  const sdk: SdkMessage[] = []
  let waiting: Picture[] = []
  for (const [index, message] of messages.entries()) {
    const own = toSdkMessage(message, access)
    sdk.push(kept.has(index) ? { ...own, providerOptions: KEEP_SO_FAR } : own)
    if (message.role !== 'tool' || access.provider !== 'openai-compatible' || !access.sees) continue
    // The OpenAI format has no pictures in a tool's result: they follow behind the last result of the same answer.
    waiting.push(...(message.pictures ?? []))
    if (waiting.length === 0 || messages[index + 1]?.role === 'tool') continue
    sdk.push({ role: 'user', content: withPictures('The pictures of these results:', waiting, true) })
    waiting = []
  }
  return sdk
}

function toSdkMessage(message: ModelMessage, { provider, sees }: ModelAccess): SdkMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return { role: 'user', content: withPictures(message.text, message.pictures, sees) }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.reasoning ?? []).map(toSdkReasoning),
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.uses.map(({ id, name, input }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: isInput(input) ? input : {},
          })),
        ],
      }
    case 'tool': {
      const { id, name, text, pictures } = message
      const output = toSdkOutput(text, pictures, { inside: provider !== 'openai-compatible', sees })
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }] }
    }
  }
}

function toSdkReasoning({ text, kept }: Reasoning) {
  return { type: 'reasoning' as const, text, ...(kept === null ? {} : { providerOptions: kept as ProviderMetadata }) }
}

/** `inside`: whether the wire has a place for pictures in a tool's result. */
function toSdkOutput(
  text: string,
  pictures: readonly Picture[] = [],
  { inside, sees }: { inside: boolean; sees: boolean },
): ToolResultPart['output'] {
  if (pictures.length === 0 || !sees || !inside)
    return { type: 'text', value: sees ? text : textWithout(text, pictures) }
  const shown = pictures.map(({ type, base64 }) => ({ type: 'image-data' as const, data: base64, mediaType: type }))
  return { type: 'content', value: [{ type: 'text', text }, ...shown] }
}

function withPictures(text: string, pictures: readonly Picture[] = [], sees: boolean): UserContent {
  if (pictures.length === 0 || !sees) return textWithout(text, pictures)
  return [
    { type: 'text', text },
    ...pictures.map(({ type, base64 }) => ({ type: 'image' as const, image: base64, mediaType: type })),
  ]
}

function textWithout(text: string, pictures: readonly Picture[]): string {
  return pictures.length === 0 ? text : `${text}\n(There is a picture, which this model cannot see.)`
}

/** Input that was no JSON when it came cannot be sent back as it was. */
function isInput(input: unknown): boolean {
  return typeof input === 'object' && input !== null
}

function toSdkTools({ tools }: ModelRequest): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, tool({ description, inputSchema: jsonSchema(input) })]),
  )
}

const REFUSALS: Readonly<Record<number, string>> = {
  401: 'the key was not accepted',
  403: 'the key may not use this model',
  404: 'there is no such model, or the address is wrong',
  413: 'the request was too large',
}

function toFailure(error: unknown, access: ModelAccess): unknown {
  const own = failureIn(error)
  if (own !== null || (error instanceof Error && error.name === 'AbortError')) return own ?? error
  const secrets = secretsIn(access)
  const hide = (words: string) =>
    secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '…'), words).slice(0, 500)
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders } = error
    if (statusCode !== undefined && statusCode < 400)
      return new ModelFailure('unreachable', 'the model’s answer broke off in the middle')
    if (statusCode === undefined)
      return new ModelFailure('unreachable', `the model's server does not answer: ${hide(error.message)}`)
    if (statusCode === 429 || statusCode >= 500) {
      const after = Number(responseHeaders?.['retry-after'])
      return new ModelFailure('busy', `the model's server is busy (${statusCode}): ${hide(error.message)}`, {
        retryAfterMs: Number.isFinite(after) ? after * 1000 : null,
      })
    }
    return new ModelFailure(
      'refused',
      `${REFUSALS[statusCode] ?? `the server refused the request (${statusCode})`}: ${hide(error.message)}`,
    )
  }
  const words = hide(wordsOf(error))
  if (/overloaded|rate.?limit|too many requests|capacity/i.test(words))
    return new ModelFailure('busy', `the model's server is busy: ${words}`)
  if (/without a finish reason/i.test(words))
    return new ModelFailure(
      'nonsense',
      'what answers at this address is no model’s API, or it does not stream: look at the address',
    )
  return new ModelFailure(
    /fetch|socket|ECONN|terminated|network/i.test(words) ? 'unreachable' : 'nonsense',
    `the model's answer could not be read: ${words}`,
  )
}

/** [MO4] A server repeats what it was sent, and that is a part of the key where the key has parts. */
function secretsIn({ provider, key }: ModelAccess): string[] {
  const whole = key ?? ''
  const [access = '', secret = ''] = provider === 'bedrock' ? whole.split(':') : []
  return [whole, secret, access].filter((one) => one !== '')
}

/** The SDK may wrap our own failures in its errors. */
function failureIn(error: unknown): ModelFailure | null {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++)
    if (inner instanceof ModelFailure) return inner
  return null
}

/** Some errors come in the middle of a stream as plain data. */
function wordsOf(error: unknown): string {
  if (error instanceof Error) return error.message
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, type, error: inner } = error as { message?: unknown; type?: unknown; error?: unknown }
  if (typeof inner === 'object' && inner !== null) return wordsOf(inner)
  return [type, message].filter((word) => typeof word === 'string').join(': ') || JSON.stringify(error)
}
