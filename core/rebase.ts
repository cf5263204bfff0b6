import { sameEntry, type Change } from '@choiros/contract/change.ts'
import type { Conflict } from '@choiros/contract/undo-view.ts'
import { mergeEntries, type MergeWorld } from './merge/entries.ts'
import { placeProblem, type TreeReader } from './tree.ts'

export interface RebaseWorld extends MergeWorld {
  /** The computer as it is now. */
  readonly tree: TreeReader
}

export interface Rebased {
  readonly changes: Change[]
  readonly conflicts: Conflict[]
}

/**
 * A run's changes on top of what the person did meanwhile: files that both changed are merged, JSON by keys and text by
 * lines. Where only a person can decide there is a conflict, and then nothing may land.
 */
export async function rebaseChanges(changes: readonly Change[], world: RebaseWorld): Promise<Rebased> {
  const rebased: Change[] = []
  const conflicts: Conflict[] = []
  const free = without(world.tree, changes)
  for (const change of changes) {
    const { path, from, to } = change
    const now = world.tree.entry(path)
    if (sameEntry(now, from)) {
      const problem = to === null ? null : placeProblem(free, path, to)
      if (problem !== null) conflicts.push({ path, why: problem })
      else rebased.push(change)
    } else if (sameEntry(now, to)) continue // The person did the same.
    else if (now === null || to === null || from === null)
      conflicts.push({
        path,
        why:
          now === null
            ? 'you deleted or moved it meanwhile'
            : from === null
              ? 'you made it meanwhile'
              : 'you changed it meanwhile',
      })
    else {
      const merged = await mergeEntries(path, from, now, to, world)
      if (typeof merged === 'string') conflicts.push({ path, why: 'you changed the same lines meanwhile' })
      else if (!sameEntry(merged, now)) rebased.push({ path, from: now, to: merged, movedFrom: null })
    }
  }
  return { changes: rebased, conflicts }
}

/** Paths that the changes themselves delete are not in their way. */
function without(tree: TreeReader, changes: readonly Change[]): TreeReader {
  const gone = new Set<string>(
    changes.filter(({ path, from, to }) => to === null && sameEntry(tree.entry(path), from)).map(({ path }) => path),
  )
  return {
    entry: (path) => (gone.has(path) ? null : tree.entry(path)),
    *below(folder) {
      for (const item of tree.below(folder)) if (!gone.has(item[0])) yield item
    },
  }
}
