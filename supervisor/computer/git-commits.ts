import type { Entry } from '@choiros/contract/change.ts'
import { hasCode } from '@choiros/contract/error.ts'
import type { ComputerId } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'
import { gitChanges, type GitCheckpoints } from '../history/git-checkpoints.ts'
import type { Queries } from '../state/queries.ts'
import type { Machine } from './machine.ts'

export interface GitCommitsOptions {
  readonly computer: ComputerId
  readonly log: Pick<EventLog, 'read'>
  readonly queries: Queries
  readonly git: GitCheckpoints
  readonly machine: Pick<Machine, 'signer' | 'reached'>
}

/**
 * Returns a function that makes the commits that checkpoints of the log still lack, one caller at a time. It resolves
 * with the newest commit, if one was made.
 */
export function createGitCommits({
  computer,
  log,
  queries,
  git,
  machine,
}: GitCommitsOptions): () => Promise<string | null> {
  let making: Promise<unknown> = Promise.resolve()

  const make = async (): Promise<string | null> => {
    const checkpoints = queries.checkpoints()
    if (checkpoints.length === 0) return null
    await git.prepare(queries.newestErase())
    let done = await git.newest()
    if (done !== null && !checkpoints.some((checkpoint) => checkpoint.seq === done)) {
      git.clear()
      await git.prepare(queries.newestErase())
      done = null
    }
    let before: ReadonlyMap<TreePath, Entry> = done === null ? new Map() : queries.entriesAt(done)
    let commit: string | null = null
    for (const checkpoint of checkpoints.filter(({ seq }) => done === null || seq > done)) {
      const [stored] = await log.read({ after: checkpoint.seq - 1, limit: 1 })
      if (stored === undefined) break
      const after = queries.entriesAt(checkpoint.seq)
      machine.reached('checkpoint.git.before')
      commit = await git.commit({
        name: checkpoint.name,
        time: checkpoint.time,
        tree: checkpoint.tree,
        head: machine.signer.signHead({ computer, seq: checkpoint.seq, hash: stored.hash }),
        changes: gitChanges(before, after),
      })
      machine.reached('checkpoint.git.after')
      before = after
    }
    return commit
  }

  /** A damaged git folder is no loss: it is made again from the log. */
  const makeAnyhow = async (): Promise<string | null> => {
    try {
      return await make()
    } catch (error) {
      if (!hasCode(error, 'git.failed')) throw error
      git.clear()
      return await make()
    }
  }

  return () => {
    const made = making.then(makeAnyhow)
    making = made.catch(() => null)
    return made
  }
}
