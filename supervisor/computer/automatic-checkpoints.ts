import { Checkpoint } from '@choiros/contract/events/points.ts'
import { clip } from '@choiros/contract/clip.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import { hashSortedTree } from '@choiros/core/tree.ts'
import type { Computer } from './computer.ts'
import type { Machine } from './machine.ts'

/** Changes of files become a checkpoint after this many, or this long after the first of them. */
const EDITS_MAX = 500
const EDITED_MS_MAX = 10 * 60 * 1000

export interface AutomaticCheckpoints {
  appended(facts: readonly Fact[]): void
  close(): Promise<void>
}

export function createAutomaticCheckpoints(
  computer: () => Computer,
  machine: Pick<Machine, 'warn'>,
): AutomaticCheckpoints {
  let edits = 0
  let timer: NodeJS.Timeout | null = null
  let taking: Promise<void> = Promise.resolve()

  const reset = () => {
    edits = 0
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const take = () => {
    reset()
    taking = taking
      .then(() => takeCheckpoint(computer()))
      .catch((error: unknown) => machine.warn('no automatic checkpoint was taken', error))
  }

  return {
    appended(facts) {
      for (const { event, changes } of facts) {
        if (event.type === 'checkpoint') reset()
        else if (changes.length > 0) edits++
      }
      if (edits >= EDITS_MAX) take()
      else if (edits > 0) timer ??= setTimeout(take, EDITED_MS_MAX).unref()
    },
    async close() {
      if (timer !== null) clearTimeout(timer)
      await taking
    },
  }
}

/** Writes a checkpoint and commits it. With a name it counts as the person's; without one it is automatic. */
export async function takeCheckpoint(
  computer: Computer,
  { run, name }: { run: RunId | null; name: string | null } = { run: null, name: null },
): Promise<void> {
  await computer.append(({ state, head }) => ({
    draft: {
      type: Checkpoint.type,
      version: Checkpoint.version,
      data: {
        name: clip(name ?? `automatic checkpoint ${head.seq + 1}`, LIMITS.nameCharsMax),
        kind: name === null ? 'automatic' : 'user',
        tree: hashSortedTree(state.allEntries()),
      },
      user: computer.user,
      source: 'system',
      via: 'system',
      run,
      cause: null,
    },
  }))
  computer.signHead()
  await computer.commitCheckpoints()
}
