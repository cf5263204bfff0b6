import { sameEntry, type Change } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { isIgnored } from '@choiros/contract/path.ts'
import type { TreeReader } from './tree.ts'

export interface LandingFacts {
  readonly run: { readonly status: string } | null
  /** The verifiers' results for exactly the tree that is to land, made by the supervisor. */
  readonly receipts: readonly { readonly verifier: string; readonly ok: number | boolean }[]
  readonly tree: TreeReader
}

/** Refuses a landing unless its run is open, its very tree was verified, and every change starts from what is there (L12). */
export function checkLanding({ run, receipts, tree }: LandingFacts, landing: { tree: Hash; changes: readonly Change[] }): void {
  if (run === null) throw new ChoirError('run.unknown', 'there is no such run')
  if (run.status !== 'running') throw new ChoirError('run.unknown', `the run has already ended: it is ${run.status}`)
  const failed = receipts.find((receipt) => !receipt.ok)
  if (receipts.length === 0 || failed !== undefined) {
    throw new ChoirError(
      'run.unverified',
      failed === undefined ? `no verifier has seen the tree ${landing.tree}` : `the verifier ${failed.verifier} refused the tree ${landing.tree}`,
    )
  }
  for (const { path, from } of landing.changes) {
    if (isIgnored(path)) throw new ChoirError('path.ignored', `${path} lies in a folder that the computer does not keep`)
    if (!sameEntry(tree.entry(path), from))
      throw new ChoirError('file.conflict', `${path} has changed since the run began; merge and verify again`, { details: { path } })
  }
}
