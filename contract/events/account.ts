import { z } from 'zod'
import { Caps } from '../budget.ts'
import { CallId } from '../ids.ts'
import { ModelTier } from '../models.ts'
import { defineEvent, shortText } from './define.ts'

const FirstBudgetReserve = defineEvent(
  'budget.reserve',
  1,
  z.strictObject({ call: CallId, tier: ModelTier, model: shortText, tokens: z.number().int().min(0) }),
)
/**
 * Written before a model is called: the most that the call may cost. Where a crash left it unsettled, it counts in
 * full. `micros`: null where no price is known.
 */
export const BudgetReserve = defineEvent(
  'budget.reserve',
  2,
  z.strictObject({
    call: CallId,
    tier: ModelTier,
    model: shortText,
    tokens: z.number().int().min(0),
    micros: z.number().int().min(0).nullable(),
  }),
)
const FirstBudgetSettle = defineEvent(
  'budget.settle',
  1,
  z.strictObject({
    call: CallId,
    input: z.number().int().min(0),
    output: z.number().int().min(0),
    tokens: z.number().int().min(0),
    micros: z.number().int().min(0).nullable(),
  }),
)
/**
 * Written after the call: what it did cost. `micros` are millionths of the price table's currency; null where no price
 * is known. `cached` is the part of the input that the provider had kept; it counts in `tokens` as much less as it
 * costs less.
 */
export const BudgetSettle = defineEvent(
  'budget.settle',
  2,
  z.strictObject({
    call: CallId,
    input: z.number().int().min(0),
    cached: z.number().int().min(0),
    output: z.number().int().min(0),
    tokens: z.number().int().min(0),
    micros: z.number().int().min(0).nullable(),
  }),
)
/** What models may cost from now on, as the person said: all caps, not only those that were changed. */
export const BudgetCap = defineEvent('budget.cap', 1, Caps)

export const ACCOUNT_EVENTS = [FirstBudgetReserve, BudgetReserve, FirstBudgetSettle, BudgetSettle, BudgetCap]
