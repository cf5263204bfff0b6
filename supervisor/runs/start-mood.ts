import type { RunId } from '@choiros/contract/ids.ts'
import type { RunMood } from '@choiros/contract/policy.ts'
import { isOver } from '@choiros/core/everywhere/run-projection.ts'
import { nextMood, type MoodFacts } from '@choiros/core/moods/guards.ts'
import type { Queries } from '../state/queries.ts'

/** How many runs are looked back at. */
const LOOKED_BACK = 20

/** The mood that a run begins with: the one the person has chosen, or what the runs before it tell. */
export function startMood(queries: Queries, run: RunId | null, now: MoodFacts): RunMood {
  const pinned = queries.pinnedMood()
  if (pinned !== null) return { mood: pinned, why: '', by: 'person' }
  return { ...nextMood('CALM', { ...factsBefore(queries, run), ...now }), by: 'rules' }
}

function factsBefore(queries: Queries, run: RunId | null): MoodFacts {
  const before = queries.runs(LOOKED_BACK).filter((one) => one.run !== run && isOver(one))
  // Answers and what was stopped tell nothing about how well things go.
  const [last] = before.filter(({ status, landed }) => landed !== null || ['discarded', 'reverted'].includes(status))
  const changed = before.filter(({ status, landed }) => landed !== null || status === 'reverted')
  const kept = changed.findIndex(({ undone, status }) => !undone && status !== 'reverted')
  return {
    reverted: changed[0]?.status === 'reverted',
    undone: (kept === -1 ? changed : changed.slice(0, kept)).filter(({ status }) => status !== 'reverted').length,
    refusals: last?.status === 'discarded' ? queries.refusedTrees(last.run, last.asked) : 0,
    successes: successesOf(changed, queries),
  }
}

/** Those of recipes are no merit of a model. */
function successesOf(changed: ReturnType<Queries['runs']>, queries: Queries): number {
  const isGood = ({ status, undone, health }: (typeof changed)[number]) =>
    status === 'landed' && !undone && health === 'ok'
  const bad = changed.findIndex((one) => !isGood(one))
  return (bad === -1 ? changed : changed.slice(0, bad)).filter((one) => queries.tokensOfRun(one.run) > 0).length
}
