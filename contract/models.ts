import { z } from 'zod'
import { LIMITS } from './limits.ts'

/** Which providers can be configured. Keys stay in the supervisor's key file. */
export const ModelProvider = z.enum(['anthropic', 'bedrock', 'openai-compatible'])
export type ModelProvider = z.infer<typeof ModelProvider>

/** What an agent asks for. The person chooses which model that is. */
export const ModelTier = z.enum(['fast', 'strong'])
export type ModelTier = z.infer<typeof ModelTier>

const text = z.string().max(LIMITS.modelTextCharsMax)
const name = z.string().min(1).max(LIMITS.nameCharsMax)

export const ToolUse = z.strictObject({ id: name, name, input: z.unknown() })
export type ToolUse = z.infer<typeof ToolUse>

export const ModelMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), text }),
  z.strictObject({ role: z.literal('user'), text }),
  z.strictObject({ role: z.literal('assistant'), text, uses: z.array(ToolUse).max(LIMITS.modelUsesMax) }),
  z.strictObject({ role: z.literal('tool'), id: name, name, text }),
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

export const ModelAnswer = z.strictObject({
  text,
  uses: z.array(ToolUse),
  /** `length`: it was cut off by its limit. */
  finish: z.enum(['stop', 'tools', 'length', 'other']),
  usage: z.strictObject({ input: z.number().int().min(0), output: z.number().int().min(0) }),
})
export type ModelAnswer = z.infer<typeof ModelAnswer>

/** Per million tokens, in the person's own currency. */
export const Prices = z.strictObject({ input: z.number().min(0), output: z.number().min(0) })
export type Prices = z.infer<typeof Prices>

/** What may be known about a configured model outside of the supervisor: never its key. */
export const ModelView = z.strictObject({
  provider: ModelProvider,
  url: z.string().nullable(),
  tiers: z.strictObject({ fast: name, strong: name }),
  hasKey: z.boolean(),
  prices: Prices.nullable(),
})
export type ModelView = z.infer<typeof ModelView>
