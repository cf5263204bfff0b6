import { RunRevert } from '@choiros/contract/events/runs.ts'
import { clip } from '@choiros/contract/clip.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { RunId, Seq } from '@choiros/contract/ids.ts'
import type { Computer } from '../computer/computer.ts'
import { agentDraft } from '../computer/drafts.ts'
import { carryOut } from './carry-out.ts'
import { planEvent } from './plan.ts'

export interface RevertOptions {
  /** Whether its run may mend it. */
  readonly goesOn: boolean
  readonly enterSafeMode: (why: string) => Promise<void>
}

/**
 * Takes a landing back in one event that also says why. What the person did since stays; if it cannot stay, the landing
 * is not taken back and the desk serves an older tree that still starts. Answers with what the person should know;
 * null: they took it back themselves.
 */
export async function revertLanding(
  computer: Computer,
  run: RunId,
  land: Seq,
  why: string,
  { goesOn, enterSafeMode }: RevertOptions,
): Promise<{ readonly said: string | null; readonly goesOn: boolean }> {
  try {
    await carryOut(
      computer,
      () => planEvent(computer, land, 'run'),
      ({ tree }) => agentDraft(computer, run, RunRevert, { land, reason: clip(why, 1000), goesOn, tree }, 'system'),
    )
    return { said: `This was taken back by itself: ${why}. Everything else is as it was.`, goesOn }
  } catch (error) {
    if (!(error instanceof ChoirError)) throw error
    if (error.code === 'undo.nothing') return { said: null, goesOn: false } // The person was faster.
    await enterSafeMode(`${why}; it could not be taken back by itself: ${error.message}`)
    return {
      said: `The desktop does not work with this: ${why}. It could not be taken back by itself (${error.message}), so you see the desktop as it last worked.`,
      goesOn: false,
    }
  }
}
