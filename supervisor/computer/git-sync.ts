import type { Entry } from '@choiros/contract/change.ts'
import { hasCode } from '@choiros/contract/error.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { gitChanges } from '../history/git-checkpoints.ts'
import type { Computer, Machine } from './computer.ts'

const syncing = new WeakMap<Computer['git'], Promise<unknown>>()

/** Makes the commits that checkpoints of the log still lack, one caller at a time. Returns the newest commit, if one was made. */
export function syncGit(computer: Computer, machine: Pick<Machine, 'signer' | 'reached'>): Promise<string | null> {
  const before = syncing.get(computer.git) ?? Promise.resolve()
  const done = before.then(() => makeCommitsAnyhow(computer, machine))
  syncing.set(
    computer.git,
    done.catch(() => null),
  )
  return done
}

/** What git cannot read any more is no loss: the log makes it again. */
async function makeCommitsAnyhow(computer: Computer, machine: Pick<Machine, 'signer' | 'reached'>): Promise<string | null> {
  try {
    return await makeCommits(computer, machine)
  } catch (error) {
    if (!hasCode(error, 'git.failed')) throw error
    computer.git.clear()
    return await makeCommits(computer, machine)
  }
}

async function makeCommits({ state, git, log, id }: Computer, machine: Pick<Machine, 'signer' | 'reached'>): Promise<string | null> {
  const checkpoints = state.queries.checkpoints()
  if (checkpoints.length === 0) return null
  await git.prepare(state.queries.newestErase())
  let done = await git.newest()
  if (done !== null && !checkpoints.some((checkpoint) => checkpoint.seq === done)) {
    git.clear()
    await git.prepare(state.queries.newestErase())
    done = null
  }
  let before: ReadonlyMap<TreePath, Entry> = done === null ? new Map() : state.queries.entriesAt(done)
  let commit: string | null = null
  for (const checkpoint of checkpoints.filter(({ seq }) => done === null || seq > done)) {
    const [stored] = await log.read({ after: checkpoint.seq - 1, limit: 1 })
    if (stored === undefined) break
    const after = state.queries.entriesAt(checkpoint.seq)
    machine.reached('checkpoint.git.before')
    commit = await git.commit({
      name: checkpoint.name,
      time: checkpoint.time,
      tree: checkpoint.tree,
      head: machine.signer.signHead({ computer: id, seq: checkpoint.seq, hash: stored.hash }),
      changes: gitChanges(before, after),
    })
    machine.reached('checkpoint.git.after')
    before = after
  }
  return commit
}
