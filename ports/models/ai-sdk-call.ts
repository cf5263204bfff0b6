import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  jsonSchema,
  NoSuchToolError,
  streamText,
  tool,
  type LanguageModel,
  type ModelMessage as SdkMessage,
  type ToolSet,
} from 'ai'
import type { ModelAnswer, ModelMessage, ModelRequest, ToolUse } from '@choiros/contract/models.ts'
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
 * An agent sends its whole talk again with every step. Providers that can are asked to keep it up to the last message,
 * so that only what is new is read in full.
 */
const KEEP_SO_FAR = { anthropic: { cacheControl: { type: 'ephemeral' } }, bedrock: { cachePoint: { type: 'default' } } }

/** One call by the AI SDK, whose types stay in this file. */
export async function callOnce({
  access,
  request,
  outputTokensMax,
  signal,
  onText,
  onLife,
}: ModelCall): Promise<ModelAnswer> {
  let text = ''
  const uses: ToolUse[] = []
  let finish: ModelAnswer['finish'] = 'other'
  let usage = { input: 0, output: 0 }
  const system = request.messages.flatMap((message) => (message.role === 'system' ? [message.text] : [])).join('\n\n')
  const stream = streamText({
    model: modelOf(access, carefulFetch(bytesMaxOf(outputTokensMax))),
    ...(system === '' ? {} : { system }),
    messages: request.messages
      .filter((message) => message.role !== 'system')
      .map(toSdkMessage)
      .map((message, index, all) =>
        index === all.length - 1 ? { ...message, providerOptions: KEEP_SO_FAR } : message,
      ),
    tools: toSdkTools(request),
    maxOutputTokens: outputTokensMax,
    maxRetries: 0,
    abortSignal: signal,
    onError() {}, // The error comes as a part of the stream, too, and is handled there.
  })
  try {
    for await (const part of stream.fullStream) {
      onLife()
      if (part.type === 'text-delta') {
        text += part.text
        onText(part.text)
      } else if (part.type === 'tool-call') {
        // A tool that does not exist, or input that is no JSON, is left to the agent: a model that is told of its
        // mistake can do better.
        const isText = part.invalid === true && !NoSuchToolError.isInstance(part.error)
        uses.push({
          id: part.toolCallId,
          name: part.toolName,
          input: isText ? String(part.input).slice(0, 1000) : part.input,
        })
      } else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') {
        finish =
          part.finishReason === 'tool-calls'
            ? 'tools'
            : part.finishReason === 'stop'
              ? 'stop'
              : part.finishReason === 'length'
                ? 'length'
                : 'other'
        usage = { input: countOf(part.totalUsage.inputTokens), output: countOf(part.totalUsage.outputTokens) }
      }
    }
  } catch (error) {
    throw toFailure(error, access)
  }
  signal.throwIfAborted()
  return { text, uses, finish: uses.length > 0 && finish !== 'length' ? 'tools' : finish, usage }
}

/** Follows no redirect, which would take the key to another server, and reads no more bytes than an answer may have. */
function carefulFetch(bytesMax: number): typeof globalThis.fetch {
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

function toSdkMessage(message: ModelMessage): SdkMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.uses.map(({ id, name, input }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: isInput(input) ? input : {},
          })),
        ],
      }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.id,
            toolName: message.name,
            output: { type: 'text', value: message.text },
          },
        ],
      }
  }
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

function toFailure(error: unknown, { key }: ModelAccess): unknown {
  const own = failureIn(error)
  if (own !== null || (error instanceof Error && error.name === 'AbortError')) return own ?? error
  const hide = (words: string) => (key === null || key === '' ? words : words.replaceAll(key, '…')).slice(0, 500)
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
