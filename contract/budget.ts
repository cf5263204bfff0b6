import { z } from 'zod'
import { RunId } from './ids.ts'
import { LIMITS } from './limits.ts'

const tokens = z.number().int().min(0).max(LIMITS.capMax)
const micros = z.number().int().min(0).max(LIMITS.capMax)

/**
 * How much models may cost on one computer. A call that could go past any of these is not begun. Only the person sets
 * them.
 */
export const Caps = z.strictObject({
  /** Tokens, read and written together, in one run and in one day. */
  run: tokens,
  day: tokens,
  /** Tokens in the computer's whole history; null: no limit. */
  computer: tokens.nullable(),
  /** Millionths of the price table's currency in one day; null: no limit. Without prices it cannot be kept. */
  micros: micros.nullable(),
})
export type Caps = z.infer<typeof Caps>

export const CapName = z.enum(['run', 'day', 'computer', 'micros'])
export type CapName = z.infer<typeof CapName>

const used = z.number().int()

export const BudgetView = z.strictObject({
  today: z.strictObject({ tokens: used, micros: used }),
  /** In the computer's whole history. */
  computer: z.strictObject({ tokens: used }),
  /** The run at work. */
  run: z.strictObject({ run: RunId, text: z.string(), tokens: used }).nullable(),
  caps: Caps,
  /** Whether prices are known: without them no money is counted. */
  priced: z.boolean(),
})
export type BudgetView = z.infer<typeof BudgetView>
