import { z } from 'zod'
import type { ScenarioAnswer } from './scenario.ts'

/** What a model said, read from the stream in which it came. */
interface Heard {
  text: string
  readonly uses: { id: string; name: string; input: string }[]
  usage: { input: number; output: number }
  /** Whether it came to its end. */
  isWhole: boolean
}

const count = z.number().int().min(0).nullish()
const OpenAiChunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().int().nullish(),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
})

const Usage = z.object({ input_tokens: count, output_tokens: count }).nullish()
const AnthropicEvent = z.object({
  type: z.string(),
  message: z.object({ usage: Usage }).nullish(),
  content_block: z
    .object({ type: z.string(), id: z.string().nullish(), name: z.string().nullish(), text: z.string().nullish() })
    .nullish(),
  delta: z.object({ text: z.string().nullish(), partial_json: z.string().nullish() }).nullish(),
  usage: Usage,
})

/** The answer in a stream of either wire format. What breaks off before its end is a cut. */
export function readStream(path: string, stream: string): ScenarioAnswer {
  const heard: Heard = { text: '', uses: [], usage: { input: 0, output: 0 }, isWhole: false }
  const hear = path.endsWith('/messages') ? hearAnthropic : hearOpenAi
  for (const data of dataOf(stream)) hear(heard, data)
  return toAnswer(heard)
}

function dataOf(stream: string): unknown[] {
  return stream.split(/\r?\n/).flatMap((line): unknown[] => {
    const data = /^data:\s*(\{.*\})\s*$/.exec(line)?.[1]
    if (data === undefined) return []
    try {
      return [JSON.parse(data)]
    } catch {
      return [] // Cut in the middle.
    }
  })
}

function hearOpenAi(heard: Heard, data: unknown): void {
  const { choices, usage } = OpenAiChunk.parse(data)
  if (usage != null) heard.usage = { input: usage.prompt_tokens ?? 0, output: usage.completion_tokens ?? 0 }
  const [choice] = choices
  heard.text += choice?.delta?.content ?? ''
  if (choice?.finish_reason != null) heard.isWhole = true
  for (const { index, id, function: called } of choice?.delta?.tool_calls ?? []) {
    const known = heard.uses[index ?? heard.uses.length - 1]
    // Some servers give every call the same index: only an id of its own tells that it is another.
    const isNew = known === undefined || (id != null && id !== '' && id !== known.id)
    const use = isNew ? { id: id ?? '', name: called?.name ?? '', input: '' } : known
    if (isNew) heard.uses.push(use)
    use.input += called?.arguments ?? ''
  }
}

function hearAnthropic(heard: Heard, data: unknown): void {
  const { type, message, content_block: block, delta, usage } = AnthropicEvent.parse(data)
  if (message?.usage != null) heard.usage.input = message.usage.input_tokens ?? 0
  if (usage != null) heard.usage.output = usage.output_tokens ?? 0
  if (block?.type === 'tool_use') heard.uses.push({ id: block.id ?? '', name: block.name ?? '', input: '' })
  heard.text += (block?.text ?? '') + (delta?.text ?? '')
  const use = heard.uses.at(-1)
  if (use !== undefined) use.input += delta?.partial_json ?? ''
  if (type === 'message_stop') heard.isWhole = true
}

function toAnswer({ text, uses, usage, isWhole }: Heard): ScenarioAnswer {
  return {
    ...(text === '' && uses.length > 0 ? {} : { text }),
    ...(uses.length === 0 ? {} : { uses: uses.map(({ name, input }) => toUse(name, input)) }),
    ...(isWhole ? { usage } : { cut: true }),
  }
}

function toUse(name: string, input: string): NonNullable<ScenarioAnswer['uses']>[number] {
  try {
    const parsed = z.record(z.string(), z.unknown()).parse(JSON.parse(input === '' ? '{}' : input))
    return { name, input: Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, readable(value)])) }
  } catch {
    return { name, raw: input }
  }
}

/** A text of several lines is written as lines: that is for people to read. */
function readable(value: unknown): unknown {
  if (typeof value !== 'string' || !/\n[\s\S]*\n$/.test(value)) return value
  return { lines: value.slice(0, -1).split('\n') }
}
