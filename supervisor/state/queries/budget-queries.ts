import type { Caps } from '@choiros/contract/budget.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import type { Ask } from './ask.ts'

/** What models cost, and what they may cost. */
export function createBudgetQueries(ask: Ask) {
  const tokensOfRun = ask('SELECT coalesce(sum(tokens), 0) AS tokens FROM spend WHERE run = ?')
  const tokensOfDay = ask(
    'SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(micros), 0) AS micros FROM spend WHERE day = ?',
  )
  const tokensOfAll = ask('SELECT coalesce(sum(tokens), 0) AS tokens FROM spend')
  const caps = ask('SELECT run, day, computer, micros FROM cap')
  const openCalls = ask('SELECT call, run, tokens, micros FROM spend WHERE settled IS NULL')

  return {
    tokensOfRun: (run: string): number => (tokensOfRun().get(run) as { tokens: number }).tokens,
    tokensOfDay: (day: number) => tokensOfDay().get(day) as { tokens: number; micros: number },
    tokensOfAll: (): number => (tokensOfAll().get() as { tokens: number }).tokens,
    /** The caps, where the person has set them. */
    caps: () => (caps().get() as Caps | undefined) ?? null,
    /** Calls that were reserved and never settled. */
    openCalls: () => openCalls().all() as { call: string; run: RunId; tokens: number; micros: number | null }[],
  }
}
