import { z } from 'zod'
import { BudgetView, Caps } from '../budget.ts'
import { ModelProvider, ModelTier, ModelView, Prices } from '../models.ts'
import { everyone, owner, shortText, type Command } from './command.ts'

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
    from: owner,
    role: 'owner',
    writes: false,
    rate: 'change',
    cost: 1,
    computer: false,
    input: z.strictObject({
      provider: ModelProvider,
      url: modelAddress.nullable(),
      /** Null: the key stays as it is. */
      key: z.string().max(2000).nullable(),
      fast: shortText,
      strong: shortText,
      /** Null: the prices are not known. */
      prices: Prices.nullable(),
    }),
    output: ModelView,
  },
  'model.list': {
    from: owner,
    role: 'owner',
    writes: false,
    rate: 'look',
    cost: 1,
    computer: false,
    input: z.strictObject({}),
    output: z.array(ModelView),
  },
  'model.remove': {
    from: owner,
    role: 'owner',
    writes: false,
    rate: 'change',
    cost: 1,
    computer: false,
    input: z.strictObject({}),
    output: z.strictObject({}),
  },
  /** Asks the model to say one word. If it does not, the message says what is wrong. */
  'model.test': {
    from: owner,
    role: 'owner',
    writes: false,
    rate: 'look',
    cost: 1,
    computer: false,
    input: z.strictObject({ tier: ModelTier }),
    output: z.strictObject({ ok: z.boolean(), message: z.string(), tookMs: z.number().int() }),
  },
  'budget.get': {
    from: everyone,
    role: 'viewer',
    writes: false,
    rate: 'look',
    cost: 1,
    computer: true,
    input: z.strictObject({}),
    output: BudgetView,
  },
  /** Sets how much models may cost on this computer; caps that are not named stay as they are. */
  'budget.set': {
    from: owner,
    role: 'owner',
    writes: true,
    rate: 'change',
    cost: 1,
    computer: true,
    input: Caps.partial(),
    output: BudgetView,
  },
} as const satisfies Record<string, Command>
