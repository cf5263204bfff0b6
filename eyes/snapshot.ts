import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import type { Operation } from '@choiros/contract/commands/files.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { pathProblem, type TreePath } from '@choiros/contract/path.ts'
import { decideOperations } from '@choiros/core/operations.ts'
import { applyChanges, hashTree, readTreeMap } from '@choiros/core/tree.ts'

/** The files of a folder as a computer would give them, and what a page does to them, in memory alone. */
export interface Snapshot {
  entries(): ReadonlyMap<TreePath, Entry>
  hash(): Hash
  bytes(path: string): Buffer | null
  /** Keeps bytes that a change will name. */
  store(bytes: Buffer): { object: Hash; size: number }
  change(operations: readonly Operation[]): { changes: Change[]; written: Hash[] }
}

const PLACES = ['app', 'artifacts']

export function readSnapshot(folder: string): Snapshot {
  const objects = new Map<Hash, Buffer>()
  const store = (bytes: Buffer) => {
    const object = sha256(bytes)
    objects.set(object, bytes)
    return { object, size: bytes.length }
  }
  let tree = new Map<TreePath, Entry>()
  for (const path of PLACES.flatMap((place) => filesBelow(folder, place))) {
    if (pathProblem(path) !== null) continue
    const bytes = readFileSync(join(folder, path))
    tree.set(path as TreePath, { kind: 'file', mode: '644', ...store(bytes) })
  }
  return {
    entries: () => tree,
    hash: () => hashTree(tree),
    bytes(path) {
      const entry = tree.get(path as TreePath)
      return entry?.kind === 'file' ? (objects.get(entry.object) ?? null) : null
    },
    store,
    change(operations) {
      const stored = new Map(
        operations.flatMap((operation): [Operation, { object: Hash; size: number }][] => {
          if (operation.op === 'link') return [[operation, store(Buffer.from(operation.target))]]
          if (operation.op !== 'write') return []
          const { content } = operation
          if ('object' in content) return [[operation, content]]
          return [
            [
              operation,
              store(
                Buffer.from('text' in content ? content.text : content.base64, 'text' in content ? 'utf8' : 'base64'),
              ),
            ],
          ]
        }),
      )
      const named = (operation: Operation) => stored.get(operation) as { object: Hash; size: number }
      const changes = decideOperations(readTreeMap(tree), operations, named)
      tree = applyChanges(tree, changes)
      return { changes, written: [...stored.values()].map(({ object }) => object) }
    },
  }
}

function filesBelow(folder: string, place: string): string[] {
  if (statSync(join(folder, place), { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(join(folder, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
