import { sameEntry, type Change, type Entry } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { isIgnored, type TreePath } from '@choiros/contract/path.ts'
import { hashAfterChanges, type TreeReader } from './tree.ts'
import { requiredVerifiers, VERIFIED_FOLDER } from './verifier-plan.ts'

export interface LandingFacts {
  readonly run: { readonly status: string } | null
  /** The verifiers' results for exactly the tree they saw, made by the supervisor. */
  readonly receipts: readonly { readonly verifier: string; readonly ok: number | boolean }[]
  /** The computer as it is at the moment of landing. */
  readonly tree: TreeReader
}

export interface VerifiedChanges {
  readonly changes: readonly Change[]
  readonly verified: {
    readonly tree: Hash
    /** The hash of everything in that tree that verifiers see. */
    readonly seen: Hash
  }
}

/**
 * The identity of what verifiers see: their folder as it will be, and everything the run changed elsewhere. Changes are
 * sorted by path.
 */
export function hashSeen(tree: TreeReader, changes: readonly Change[]): Hash {
  const inside: readonly (readonly [TreePath, Entry])[] = [...tree.below(VERIFIED_FOLDER)]
  return hashAfterChanges(inside, changes)
}

/**
 * Refuses a landing unless its run is open, every verifier it needs said yes, every change starts from what is there,
 * and what the verifiers saw is byte for byte what will stand (L12). Elsewhere the person may have gone on working:
 * that is theirs, and no verifier looked at it.
 */
export function checkLanding({ run, receipts, tree }: LandingFacts, { changes, verified }: VerifiedChanges): void {
  if (run === null) throw new ChoirError('run.unknown', 'there is no such run')
  if (run.status !== 'running') throw new ChoirError('run.unknown', 'the run has already ended')
  const failed = receipts.find((receipt) => !receipt.ok)
  if (failed !== undefined)
    throw new ChoirError('run.unverified', `the verifier ${failed.verifier} refused the tree ${verified.tree}`)
  const missing = requiredVerifiers(changes).find((name) => !receipts.some((receipt) => receipt.verifier === name))
  if (missing !== undefined)
    throw new ChoirError('run.unverified', `the verifier ${missing} has not seen the tree ${verified.tree}`)
  for (const { path, from } of changes) {
    if (isIgnored(path))
      throw new ChoirError('path.ignored', `${path} lies in a folder that the computer does not keep`)
    if (!sameEntry(tree.entry(path), from))
      throw new ChoirError('file.conflict', `${path} has changed since the run began; merge and verify again`, {
        details: { path },
      })
  }
  if (hashSeen(tree, changes) !== verified.seen)
    throw new ChoirError(
      'file.conflict',
      'the desktop’s files have changed since they were verified; merge and verify again',
    )
}
