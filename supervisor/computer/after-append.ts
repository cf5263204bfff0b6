import type { Entry } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import { newestSnapshotSeq, takeSnapshot } from '../history/snapshots.ts'
import type { State } from '../state/state.ts'
import type { Projector } from '../tree/projector.ts'
import type { Machine } from './machine.ts'

export interface AfterAppendOptions {
  readonly name: string
  readonly snapshots: string
  readonly state: State
  readonly projector: Projector
  readonly machine: Pick<Machine, 'reached' | 'snapshotEveryEvents' | 'warn'>
}

/**
 * What is done by itself once events are in the log: files on disk, and now and then a snapshot of the tables. The
 * writer does not wait for it.
 */
export interface AfterAppend {
  project(facts: readonly Fact[]): void
  snapshotSometimes(seq: number): void
  close(): Promise<void>
}

export function createAfterAppend({ name, snapshots, state, projector, machine }: AfterAppendOptions): AfterAppend {
  let snapshotSeq = newestSnapshotSeq(snapshots)
  let snapshotting: Promise<unknown> | null = null
  return {
    project(facts) {
      const wanted = new Map<TreePath, Entry | null>()
      for (const fact of facts) for (const change of fact.changes) wanted.set(change.path, change.to)
      const seq = facts.at(-1)?.event.seq
      if (seq === undefined || wanted.size === 0) return
      projector
        .project(seq, wanted)
        .catch((error: unknown) => machine.warn(`the files of ${name} are behind its log`, error))
    },
    snapshotSometimes(seq) {
      if (snapshotting !== null || seq - snapshotSeq < machine.snapshotEveryEvents) return
      snapshotSeq = seq
      snapshotting = takeSnapshot(state, snapshots, machine.reached)
        .catch((error: unknown) => machine.warn('no snapshot was taken', error))
        .finally(() => (snapshotting = null))
    },
    async close() {
      await snapshotting
      await projector.close()
    },
  }
}
