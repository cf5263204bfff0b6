import { expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Entry } from '@choiros/contract/change.ts'
import type { Operation } from '@choiros/contract/commands/files.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { comparePaths, type TreePath } from '@choiros/contract/path.ts'
import { decideOperations } from './operations.ts'
import { applyChanges, type TreeMap, type TreeReader } from './tree.ts'
import { planInverse } from './undo.ts'

/** A reader as fast as the tables: it looks up what is below a folder instead of searching the whole tree. */
function readSorted(tree: TreeMap): TreeReader {
  const paths = [...tree.keys()].sort(comparePaths)
  const find = (path: string) => {
    let low = 0
    for (let high = paths.length; low < high;) {
      const middle = (low + high) >> 1
      if (comparePaths(paths[middle] as string, path) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    entry: (path) => tree.get(path as TreePath) ?? null,
    *below(folder) {
      for (let at = find(`${folder}/`); paths[at]?.startsWith(`${folder}/`) === true; at++) {
        const path = paths[at] as TreePath
        yield [path, tree.get(path) as Entry]
      }
    },
  }
}

const paths = Array.from({ length: LIMITS.operationsMax }, (_, index) => `app/folder/file-${index}` as TreePath)
const stored = () => ({ object: sha256('x'), size: 1 })
const write = (path: TreePath): Operation => ({ op: 'write', path, content: { text: 'x' }, from: null })

async function within<Result>(limitMs: number, work: () => Result | Promise<Result>): Promise<Result> {
  const start = performance.now()
  const result = await work()
  expect(performance.now() - start).toBeLessThan(limitMs)
  return result
}

test('[L11] the largest batch of writes, removes or moves is decided, and undone, in seconds: nothing else runs meanwhile', async () => {
  const written = await within(5000, () => decideOperations(readSorted(new Map()), paths.map(write), stored))
  const tree = applyChanges(new Map(), written)
  const batches: Operation[][] = [
    paths.map((path) => ({ op: 'remove', path })),
    paths.toReversed().map((path) => ({ op: 'remove', path })),
    paths.map((path) => ({ op: 'move', path, to: `new/${path}` as TreePath })),
    [{ op: 'move', path: 'app' as TreePath, to: 'new' as TreePath }],
  ]
  for (const batch of batches) {
    const changes = await within(5000, () => decideOperations(readSorted(tree), batch, stored))
    const now = applyChanges(tree, changes)
    const world = { tree: readSorted(now), pathNow: (path: TreePath) => path, bytes: async () => null, store: stored }
    const plan = await within(5000, () => planInverse(changes, world))
    expect(plan.conflicts).toEqual([])
    expect(applyChanges(now, plan.changes)).toEqual(tree)
  }
})
