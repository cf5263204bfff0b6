import { BudgetCap, BudgetReserve, BudgetSettle } from '@choiros/contract/events/account.ts'
import type { BudgetView, CapName, Caps } from '@choiros/contract/budget.ts'
import type { InputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Draft } from '@choiros/contract/event.ts'
import { labelFrom, type RunId } from '@choiros/contract/ids.ts'
import type { ModelTier, Usage } from '@choiros/contract/models.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import { agentDraft } from '../computer/drafts.ts'
import type { Queries } from '../state/queries.ts'
import type { ModelConfig } from './config.ts'

/**
 * Counts what models cost on a computer and keeps it within what the person allows: reserved before each call, settled
 * after it.
 */
export interface Budget {
  /**
   * Writes the reservation down and names it, or refuses with `budget.spent`. Where less than `output` is left, but
   * enough for an answer, that is what may be written.
   */
  reserve(computer: Computer, run: RunId, wanted: Wanted): Promise<{ readonly call: string; readonly output: number }>
  /** The counted usage is the cost, even where it is more than was reserved. */
  settle(computer: Computer, run: RunId, call: string, usage: Usage): Promise<void>
  /** The part of the tightest cap that a run has left, from 0 to 1. */
  left(computer: Computer, run: RunId, share: number): number
  view(computer: Computer): BudgetView
  setCaps(
    computer: Computer,
    caps: InputOf<'budget.set'>,
    toDraft: (definition: typeof BudgetCap, data: Caps) => Draft,
  ): Promise<void>
}

interface Wanted {
  readonly tier: ModelTier
  readonly model: string
  readonly input: number
  readonly output: number
  /** The part of the run's cap that may be used. */
  readonly share: number
}

export interface BudgetOptions {
  readonly config: ModelConfig
  readonly machine: Machine
  /** The caps until the person sets others. */
  readonly caps: Caps
}

/** What an answer may be where the cap has no room for a long one. Below the last, none would be of use. */
const OUTPUTS_LESS = [16_384, 8192, 4096, 2048]

const DAY_MS = 24 * 60 * 60 * 1000

export function createBudget({ config, machine, caps: firstCaps }: BudgetOptions): Budget {
  const today = () => Math.floor(machine.now() / DAY_MS)
  const capsOf = (state: Queries): Caps => state.caps() ?? firstCaps

  return {
    async reserve(computer, run, { tier, model, input, output: wanted, share }) {
      const call = labelFrom(machine.randomBytes(16))
      let output = wanted
      await computer.append(({ state }) => {
        const whole = capsOf(state)
        const caps = { ...whole, run: Math.floor(whole.run * share) }
        const used = usedSoFar(state, caps, run, today())
        const fits = (most: number) => reachedCap(caps, used, config.mostCost({ input, output: most })) === null
        output = [wanted, ...OUTPUTS_LESS.filter((less) => less < wanted)].find(fits) ?? wanted
        const most = config.mostCost({ input, output })
        const reached = reachedCap(caps, used, most)
        if (reached !== null) throw share < 1 ? inMood(reached, share) : reached
        const data = { call, tier, model: model.slice(0, 200), ...most }
        return { draft: agentDraft(computer, run, BudgetReserve, data, 'system') }
      })
      return { call, output }
    },
    async settle(computer, run, call, usage) {
      const { input, output, cached } = usage
      const data = { call, input, output, cached, ...config.cost(usage) }
      await computer.append(() => ({ draft: agentDraft(computer, run, BudgetSettle, data, 'system') }))
    },
    left(computer, run, share) {
      const whole = capsOf(computer.queries)
      const caps = { ...whole, run: Math.floor(whole.run * share) }
      const used = usedSoFar(computer.queries, caps, run, today())
      const parts = (Object.keys(CAPS) as CapName[]).flatMap((cap) => {
        const most = caps[cap]
        return most === null ? [] : [most === 0 ? 0 : Math.max(0, 1 - used[cap] / most)]
      })
      return Math.min(1, ...parts)
    },
    view(computer) {
      const { queries } = computer
      const atWork = queries.openRuns().find(({ status }) => status === 'running')
      return {
        today: queries.tokensOfDay(today()),
        computer: { tokens: queries.tokensOfAll() },
        run:
          atWork === undefined ? null : { run: atWork.run, text: atWork.text, tokens: queries.tokensOfRun(atWork.run) },
        caps: capsOf(queries),
        priced: config.mostCost({ input: 0, output: 0 }).micros !== null,
      }
    },
    async setCaps(computer, wanted, toDraft) {
      await computer.append(({ state }) => {
        const before = capsOf(state)
        const after: Caps = { ...before, ...wanted }
        const isSame = (Object.keys(after) as CapName[]).every((name) => after[name] === before[name])
        return isSame ? null : { draft: toDraft(BudgetCap, after) }
      })
    },
  }
}

interface Used {
  readonly run: number
  readonly day: number
  readonly computer: number
  readonly micros: number
}

function usedSoFar(state: Queries, caps: Caps, run: RunId, day: number): Used {
  const ofDay = state.tokensOfDay(day)
  const ofAll = caps.computer === null ? 0 : state.tokensOfAll() // Reads every call that was ever made.
  return { run: state.tokensOfRun(run), day: ofDay.tokens, computer: ofAll, micros: ofDay.micros }
}

/** What each cap is called, and the option by which the command line sets it. */
const CAPS: Readonly<Record<CapName, { of: string; option: string }>> = {
  run: { of: 'this run', option: '--run' },
  day: { of: 'today', option: '--day' },
  computer: { of: 'this computer', option: '--total' },
  micros: { of: 'today', option: '--money' },
}

/** Raising the cap is not the only way to go on then. */
function inMood(reached: ChoirError, share: number): ChoirError {
  if (reached.details['cap'] !== 'run') return reached
  const part = `${Math.round(share * 100)} %`
  const { details } = reached
  return new ChoirError('budget.spent', `${reached.message}. In its present mood a run may use ${part} of it`, {
    details,
  })
}

/** A call that could end beyond a cap is not begun: what it will cost is known only when it is too late. */
function reachedCap(caps: Caps, used: Used, next: { tokens: number; micros: number | null }): ChoirError | null {
  for (const cap of Object.keys(CAPS) as CapName[]) {
    const most = caps[cap]
    const more = cap === 'micros' ? (next.micros ?? 0) : next.tokens
    if (most === null || used[cap] + more <= most) continue
    const { of, option } = CAPS[cap]
    const amount = (value: number) => (cap === 'micros' ? (value / 1e6).toFixed(2) : value.toLocaleString('en'))
    const unit = cap === 'micros' ? 'in money' : 'tokens'
    return new ChoirError(
      'budget.spent',
      `the cap of ${amount(most)} ${unit} for ${of} is reached: ${amount(used[cap])} are used, and the next call could take ${amount(more)}. ` +
        `Raise it under Model in the frame, or with "choir model caps ${option}"`,
      { details: { cap } },
    )
  }
  return null
}
