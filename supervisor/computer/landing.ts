import { RunLand } from '@choiros/contract/catalog.ts'
import type { Change } from '@choiros/contract/change.ts'
import { assert } from '@choiros/contract/error.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { Hash, RunId } from '@choiros/contract/ids.ts'
import { checkLanding } from '@choiros/core/landing.ts'
import type { SmallObject } from '@choiros/ports/event-log/event-log.ts'
import type { Computer } from './computer.ts'

export interface Landing {
  readonly run: RunId
  readonly summary: string
  readonly changes: readonly Change[]
  readonly objects: readonly SmallObject[]
  /** The tree the verifiers saw. What lands is this tree, byte for byte, or nothing. */
  readonly tree: Hash
}

/** Puts a verified tree's changes into the log as one event. Resolves when the files on disk show it. */
export async function landRun(computer: Computer, landing: Landing): Promise<Event> {
  const event = await computer.change(({ state }) => {
    checkLanding({ run: state.run(landing.run), receipts: state.receipts(landing.tree, landing.run), tree: state.tree }, landing)
    return {
      draft: {
        type: RunLand.type,
        version: RunLand.version,
        data: { tree: landing.tree, summary: landing.summary },
        user: computer.user,
        source: 'agent',
        via: 'agent',
        run: landing.run,
        cause: null,
      },
      changes: landing.changes,
      objects: landing.objects,
      tree: landing.tree,
    }
  })
  assert(event !== null, 'a landing writes an event')
  return event
}
