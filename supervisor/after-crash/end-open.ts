import { BudgetSettle } from '@choiros/contract/events/account.ts'
import { RunCancel, RunDiscard } from '@choiros/contract/events/runs.ts'
import { hasCode } from '@choiros/contract/error.ts'
import type { Computer } from '../computer/computer.ts'
import { PERSON_RESERVE_BYTES } from '../computer/room.ts'
import { agentDraft } from '../computer/drafts.ts'
import { revertLanding } from '../undo/revert-landing.ts'
import { clearWorkPlaces } from '../computer/places.ts'
import { openRunDrafts } from '../computer/run-drafts.ts'

/**
 * Ends what was going on when the computer stopped, before anybody is answered. A full disk only warns: it must not
 * keep anyone from reading.
 */
export async function endOpenWork(computer: Computer, warn: (message: string, cause?: unknown) => void): Promise<void> {
  try {
    await settleOpenCalls(computer)
    await endOpenRuns(computer)
  } catch (error) {
    if (!hasCode(error, 'disk.full')) throw error
    warn(`what ${computer.name} was doing when it stopped is not ended yet`, error)
  }
}

/**
 * Ends the runs that a crash left open (L4). None of their changes is in the tree: a run that had not landed only ever
 * changed its own stage, which went with its sandbox; what was saved of it is its draft.
 */
async function endOpenRuns(computer: Computer): Promise<void> {
  const { queries } = computer
  const drafts = openRunDrafts(computer)
  clearWorkPlaces(computer.folder)
  for (const { run, status } of queries.openRuns()) {
    const draft =
      status === 'running'
        ? agentDraft(
            computer,
            run,
            RunDiscard,
            { reason: 'ChoirOS stopped while this was being done; nothing was changed. Ask again.' },
            'system',
          )
        : agentDraft(
            computer,
            run,
            RunCancel,
            { reason: 'ChoirOS stopped before this began; nothing was changed. Ask again.', by: 'system' },
            'system',
          )
    await computer.append(() => ({ draft }), PERSON_RESERVE_BYTES)
    await drafts.keep(run)
  }
  await drafts.keepLeft()
  const newest = queries.newestLanded()
  if (newest?.health === 'bad' && queries.run(newest.run)?.status === 'landed')
    await revertLanding(computer, newest.run, newest.landed, 'the desktop did not work with it', {
      goesOn: false,
      enterSafeMode: async () => {},
    })
}

/** After a crash in the middle of a call nobody knows what it cost, so it counts as what was reserved. */
async function settleOpenCalls(computer: Computer): Promise<void> {
  for (const { call, run, tokens, micros } of computer.queries.openCalls()) {
    const data = { call, input: tokens, cached: 0, output: 0, tokens, micros }
    const draft = agentDraft(computer, run, BudgetSettle, data, 'system')
    await computer.append(() => ({ draft }), PERSON_RESERVE_BYTES)
  }
}
