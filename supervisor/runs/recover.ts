import { RunCancel, RunDiscard } from '@choiros/contract/catalog.ts'
import type { Computer } from '../computer/computer.ts'
import { PERSON_RESERVE_BYTES } from '../computer/room.ts'
import { agentDraft } from './drafts.ts'
import { revertLanding } from './health.ts'
import { clearWorkPlaces } from './workshop.ts'

/** Ends what a crash left open (L4). Nothing of it is in the tree: a run that had not landed only ever changed its own stage, which went with its sandbox. */
export async function endOpenRuns(computer: Computer): Promise<void> {
  const { queries } = computer.state
  clearWorkPlaces(computer.folder)
  for (const { run, status } of queries.openRuns()) {
    const [definition, reason] =
      status === 'running'
        ? [RunDiscard, 'ChoirOS stopped while this was being done; nothing was changed. Ask again.']
        : [RunCancel, 'ChoirOS stopped before this began; nothing was changed. Ask again.']
    await computer.writer.submit(() => ({ draft: agentDraft(computer, run, definition, { reason }, 'system') }), PERSON_RESERVE_BYTES)
  }
  const newest = queries.newestLanded()
  if (newest?.health === 'bad' && queries.run(newest.run)?.status === 'landed')
    await revertLanding(computer, newest.run, newest.landed, 'the desktop did not work with it', async () => {})
}
