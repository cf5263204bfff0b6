import { z } from 'zod'
import { BudgetView, Caps } from '../budget.ts'
import { ModelEffort, ModelProvider, ModelTier, ModelView, Prices } from '../models.ts'
import { type Command, homeChange, homeLook, look, shortText } from './command.ts'

/**
 * To a parser, "localhost:4499/v1" is an address with the scheme "localhost"; calls to it would only fail much later.
 */
const modelAddress = z
  .url({ protocol: /^https?$/, error: 'an address begins with http:// or https://, as in http://localhost:11434/v1' })
  .max(500)

/** Language models, and what they may cost. */
export const MODELS_COMMANDS = {
  /** Which language model the agents use. The key goes in and never comes out. */
  'model.set': {
    ...homeChange,
    input: z.strictObject({
      provider: ModelProvider,
      url: modelAddress.nullable(),
      /** Null: the key stays as it is. */
      key: z.string().max(2000).nullable(),
      fast: shortText,
      strong: shortText,
      /** Null: the prices are not known. */
      prices: Prices.nullable(),
      /** How long the strong model should think; left out or null: as is usual for the provider. */
      effort: ModelEffort.nullable().optional(),
      /** Whether the model can see pictures; left out or null: as is usual for the provider. */
      sees: z.boolean().nullable().optional(),
    }),
    output: ModelView,
  },
  'model.list': {
    ...homeLook,
    input: z.strictObject({}),
    output: z.array(ModelView),
  },
  'model.remove': {
    ...homeChange,
    input: z.strictObject({}),
    output: z.strictObject({}),
  },
  /** Asks the model to say one word. If it does not, the message says what is wrong. */
  'model.test': {
    ...homeLook,
    input: z.strictObject({ tier: ModelTier }),
    output: z.strictObject({ ok: z.boolean(), message: z.string(), tookMs: z.number().int() }),
  },
  'budget.get': {
    ...look,
    input: z.strictObject({}),
    output: BudgetView,
  },
  /** Sets how much models may cost on this computer; caps that are not named stay as they are. */
  'budget.set': {
    ...homeChange,
    writes: true,
    computer: true,
    input: Caps.partial(),
    output: BudgetView,
  },
} as const satisfies Record<string, Command>
