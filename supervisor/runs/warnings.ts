import type { MoodName } from '@choiros/contract/policy.ts'
import type { RunAtWork, RunTools } from './run.ts'

/** What is left when agents are warned, of whatever it is. */
const WARN_AT = 0.2

/**
 * What one agent is told of what runs short, and of how the mood has moved: each agent hears it, each thing once.
 * `knows`: the mood that it has been told of already.
 */
export function warningsTo(
  { computer, machine, models, clocks }: Pick<RunTools, 'computer' | 'machine' | 'models' | 'clocks'>,
  { run, untilMs, policy }: RunAtWork,
  knows: MoodName | null,
): () => string[] {
  let told = knows ?? 'CALM'
  const warned = new Set<string>()
  const once = (what: string, isShort: boolean, words: string) => {
    if (!isShort || warned.has(what)) return []
    warned.add(what)
    return [words]
  }
  return () => {
    const { mood } = policy.mood()
    const moved = mood === told ? [] : [policy.order().words]
    told = mood
    const leftMs = untilMs - machine.now()
    const minutes = Math.max(1, Math.round(leftMs / 60_000))
    const left = models.budget.left(computer, run, policy.rules().budget.share)
    return [
      ...moved,
      ...once('time', leftMs <= clocks.runMs * WARN_AT, `The whole run has ${minutes} minutes left.`),
      ...once('cap', left <= WARN_AT, 'Less than a fifth of what may be spent on this is left. Come to an end.'),
    ]
  }
}
