import { RunLand } from '@choiros/contract/catalog.ts'
import type { Change } from '@choiros/contract/change.ts'
import { assert } from '@choiros/contract/error.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import { checkLanding, type VerifiedChanges } from '@choiros/core/landing.ts'
import { hashAfterChanges } from '@choiros/core/tree.ts'
import type { SmallObject } from '@choiros/ports/event-log/event-log.ts'
import type { Computer } from './computer.ts'

export interface Landing {
  readonly run: RunId
  readonly summary: string
  readonly changes: readonly Change[]
  readonly objects: readonly SmallObject[]
  /** What the verifiers saw. What lands is this, byte for byte, or nothing. */
  readonly verified: VerifiedChanges['verified'] & { readonly attestation: SmallObject }
}

/** Puts a verified tree's changes into the log as one event. Resolves when the files on disk show it. */
export async function landRun(computer: Computer, landing: Landing): Promise<Event> {
  const event = await computer.change(({ state }) => {
    const { verified, changes } = landing
    checkLanding({ run: state.run(landing.run), receipts: state.receipts(verified.tree, landing.run), tree: state.tree }, landing)
    const tree = hashAfterChanges(state.allEntries(), changes)
    return {
      draft: {
        type: RunLand.type,
        version: RunLand.version,
        data: { tree, verified: verified.tree, attestation: verified.attestation.hash, summary: landing.summary },
        user: computer.user,
        source: 'agent',
        via: 'agent',
        run: landing.run,
        cause: null,
      },
      changes,
      objects: [...landing.objects, verified.attestation],
      tree,
    }
  })
  assert(event !== null, 'a landing writes an event')
  return event
}
