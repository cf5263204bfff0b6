import { BudgetCap, BudgetReserve, BudgetSettle } from '@choiros/contract/events/account.ts'
import type { BudgetView, CapName, Caps } from '@choiros/contract/budget.ts'
import type { InputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Draft } from '@choiros/contract/event.ts'
import { labelFrom, type RunId } from '@choiros/contract/ids.ts'
import type { ModelTier } from '@choiros/contract/models.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import { agentDraft } from '../computer/drafts.ts'
import type { Queries } from '../state/queries.ts'
import type { ModelConfig } from './config.ts'

interface Usage {
  readonly input: number
  readonly output: number
}

/**
 * Counts what models cost on a computer and keeps it within what the person allows: reserved before each call, settled
 * after it.
 */
export interface Budget {
  /** Writes the reservation down and names it, or refuses with `budget.spent`. */
  reserve(computer: Computer, run: RunId, wanted: { tier: ModelTier; model: string; most: Usage }): Promise<string>
  /** The counted usage is the cost, even where it is more than was reserved. */
  settle(computer: Computer, run: RunId, call: string, usage: Usage): Promise<void>
  view(computer: Computer): BudgetView
  setCaps(
    computer: Computer,
    caps: InputOf<'budget.set'>,
    toDraft: (definition: typeof BudgetCap, data: Caps) => Draft,
  ): Promise<void>
}

export interface BudgetOptions {
  readonly config: ModelConfig
  readonly machine: Machine
  /** The caps until the person sets others. */
  readonly caps: Caps
}

const DAY_MS = 24 * 60 * 60 * 1000

export function createBudget({ config, machine, caps: firstCaps }: BudgetOptions): Budget {
  const today = () => Math.floor(machine.now() / DAY_MS)
  const capsOf = (state: Queries): Caps => state.caps() ?? firstCaps

  return {
    async reserve(computer, run, { tier, model, most }) {
      const call = labelFrom(machine.randomBytes(16))
      const tokens = most.input + most.output
      const micros = config.micros(most)
      await computer.append(({ state }) => {
        const caps = capsOf(state)
        checkCaps(caps, usedSoFar(state, caps, run, today()), { tokens, micros })
        return {
          draft: agentDraft(
            computer,
            run,
            BudgetReserve,
            { call, tier, model: model.slice(0, 200), tokens, micros },
            'system',
          ),
        }
      })
      return call
    },
    async settle(computer, run, call, usage) {
      const data = {
        call,
        input: usage.input,
        output: usage.output,
        tokens: usage.input + usage.output,
        micros: config.micros(usage),
      }
      await computer.append(() => ({ draft: agentDraft(computer, run, BudgetSettle, data, 'system') }))
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
        priced: config.micros({ input: 0, output: 0 }) !== null,
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

/** A call that could end beyond a cap is not begun: what it will cost is known only when it is too late. */
function checkCaps(caps: Caps, used: Used, next: { tokens: number; micros: number | null }): void {
  for (const cap of Object.keys(CAPS) as CapName[]) {
    const most = caps[cap]
    const more = cap === 'micros' ? (next.micros ?? 0) : next.tokens
    if (most === null || used[cap] + more <= most) continue
    const { of, option } = CAPS[cap]
    const amount = (value: number) => (cap === 'micros' ? (value / 1e6).toFixed(2) : value.toLocaleString('en'))
    const unit = cap === 'micros' ? 'in money' : 'tokens'
    throw new ChoirError(
      'budget.spent',
      `the cap of ${amount(most)} ${unit} for ${of} is reached: ${amount(used[cap])} are used, and the next call could take ${amount(more)}. ` +
        `Raise it under Model in the frame, or with "choir model caps ${option}"`,
      { details: { cap } },
    )
  }
}
