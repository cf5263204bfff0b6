import { z } from 'zod'
import { LIMITS } from './limits.ts'

/** Which providers can be configured. Keys stay in the supervisor's key file. */
export const ModelProvider = z.enum(['anthropic', 'bedrock', 'openai-compatible'])
export type ModelProvider = z.infer<typeof ModelProvider>

/** What an agent asks for. The person chooses which model that is. */
export const ModelTier = z.enum(['fast', 'strong'])
export type ModelTier = z.infer<typeof ModelTier>

/** How long a model that can think before it answers should. */
export const ModelEffort = z.enum(['low', 'medium', 'high'])
export type ModelEffort = z.infer<typeof ModelEffort>

const text = z.string().max(LIMITS.modelTextCharsMax)
const name = z.string().min(1).max(LIMITS.nameCharsMax)

export const ToolUse = z.strictObject({ id: name, name, input: z.unknown() })
export type ToolUse = z.infer<typeof ToolUse>

/**
 * What a model thought before it answered. Some providers want it back with the next message, unchanged: `kept` is
 * theirs and means nothing to anybody else.
 */
export const Reasoning = z.strictObject({ text, kept: z.record(z.string(), z.unknown()).nullable() })
export type Reasoning = z.infer<typeof Reasoning>

/** A picture, for models that can see. */
export const Picture = z.strictObject({
  type: z.enum(['image/png', 'image/jpeg']),
  base64: z.base64().max(LIMITS.pictureBase64Max),
})
export type Picture = z.infer<typeof Picture>
const pictures = z.array(Picture).max(LIMITS.picturesPerMessageMax).optional()

export const ModelMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), text }),
  z.strictObject({ role: z.literal('user'), text, pictures }),
  z.strictObject({
    role: z.literal('assistant'),
    text,
    uses: z.array(ToolUse).max(LIMITS.modelUsesMax),
    reasoning: z.array(Reasoning).max(LIMITS.modelUsesMax).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), id: name, name, text, pictures }),
])
export type ModelMessage = z.infer<typeof ModelMessage>

/** `input` is a JSON schema. */
export const ModelTool = z.strictObject({ name, description: text, input: z.record(z.string(), z.unknown()) })
export type ModelTool = z.infer<typeof ModelTool>

export const ModelRequest = z.strictObject({
  tier: ModelTier,
  messages: z.array(ModelMessage).min(1).max(LIMITS.modelMessagesMax),
  tools: z.array(ModelTool).max(LIMITS.modelToolsMax),
})
export type ModelRequest = z.infer<typeof ModelRequest>

/**
 * How many tokens a call took. `cached` and `written` are parts of `input`: read from what the provider had kept, and
 * kept by it for the next call; both have prices of their own.
 */
const count = z.number().int().min(0)
export const Usage = z.strictObject({
  input: count,
  output: count,
  cached: count,
  written: count,
})
export type Usage = z.infer<typeof Usage>

export const ModelAnswer = z.strictObject({
  text,
  uses: z.array(ToolUse),
  reasoning: z.array(Reasoning),
  /** `length`: it was cut off by its limit. */
  finish: z.enum(['stop', 'tools', 'length', 'other']),
  usage: Usage,
})
export type ModelAnswer = z.infer<typeof ModelAnswer>

/** Per million tokens, in the person's own currency. `cached`: of input that the provider had kept. */
export const Prices = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cached: z.number().min(0).optional(),
})
export type Prices = z.infer<typeof Prices>

/** What may be known about a configured model outside of the supervisor: never its key. */
export const ModelView = z.strictObject({
  provider: ModelProvider,
  url: z.string().nullable(),
  tiers: z.strictObject({ fast: name, strong: name }),
  hasKey: z.boolean(),
  prices: Prices.nullable(),
  /** Null: as is usual for the provider. */
  effort: ModelEffort.nullable(),
  /** Whether it is shown pictures. */
  sees: z.boolean(),
})
export type ModelView = z.infer<typeof ModelView>
