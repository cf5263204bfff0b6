import { setImmediate as nextTurn } from 'node:timers/promises'
import { ChoirError } from '@choiros/contract/error.ts'

/** How long work may go on before others get their turn. */
const TURN_MS = 15
/**
 * How long one plan may work in all: 800 files that had to be merged line by line kept the supervisor busy for 42 s.
 */
const WORK_MS_MAX = 15_000

/**
 * Awaited between the steps of long work: others get a turn meanwhile, and work that would take too long is ended (L8,
 * L11).
 */
export function createPace(
  what: string,
  clock: () => number = () => performance.now(),
  workMsMax = WORK_MS_MAX,
): () => Promise<void> {
  let turnBegan = clock()
  let worked = 0
  return async () => {
    const spent = clock() - turnBegan
    if (spent < TURN_MS) return
    worked += spent
    if (worked > workMsMax)
      throw new ChoirError(
        'quota.exceeded',
        `${what} takes too long, so nothing was changed. Try it in smaller parts, or go back to a checkpoint.`,
      )
    await nextTurn()
    turnBegan = clock()
  }
}
