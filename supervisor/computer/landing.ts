import { RunLand } from '@choiros/contract/events/files.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change } from '@choiros/contract/change.ts'
import { clip } from '@choiros/contract/clip.ts'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { checkLanding, type VerifiedChanges } from '@choiros/core/landing.ts'
import { hashAfterChanges } from '@choiros/core/tree.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Queries } from '../state/queries.ts'
import type { Computer } from './computer.ts'

export interface Landing {
  readonly run: RunId
  readonly summary: string
  readonly changes: readonly Change[]
  readonly objects: readonly ObjectBytes[]
  /** What the verifiers saw. Exactly this lands, byte for byte, or nothing. */
  readonly verified: VerifiedChanges['verified'] & { readonly attestation: ObjectBytes }
}

/**
 * Puts a verified tree's changes into the log as one event. Resolves when the files on disk show it. `mayLand` refuses
 * it by what stands in the log at that very moment.
 */
export async function landRun(
  computer: Computer,
  landing: Landing,
  mayLand: (state: Queries) => void = () => {},
): Promise<Event> {
  await checkObjects(computer, landing)
  const event = await computer.change(
    ({ state }) => {
      const { verified, changes } = landing
      mayLand(state)
      checkLanding(
        { run: state.run(landing.run), receipts: state.receipts(verified.tree, landing.run), tree: state.tree },
        landing,
      )
      const tree = hashAfterChanges(state.allEntries(), changes)
      return {
        draft: {
          type: RunLand.type,
          version: RunLand.version,
          data: {
            tree,
            verified: verified.tree,
            attestation: verified.attestation.hash,
            summary: clip(landing.summary, LIMITS.messageBytesMax),
          },
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
    },
    { atOnce: true },
  )
  assert(event !== null, 'a landing writes an event')
  return event
}

/**
 * The tree's hash says which objects the tree is made of. This checks that all of them are there, and that those which
 * the run brings are what their names say.
 */
async function checkObjects({ objects: kept }: Computer, { changes, objects }: Landing): Promise<void> {
  const brought = new Set<string>()
  for (const { hash, bytes } of objects) {
    if (sha256(bytes) !== hash) throw new ChoirError('run.unverified', `the object ${hash} is not what was verified`)
    brought.add(hash)
  }
  for (const { path, to } of changes) {
    if (to === null || to.object === null || brought.has(to.object) || (await kept.has(to.object))) continue
    throw new ChoirError('object.missing', `the content of ${path} is missing`)
  }
}
