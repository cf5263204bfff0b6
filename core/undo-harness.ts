import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import type { Operation } from '@choiros/contract/commands/files.ts'
import { assert } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { comparePaths, type TreePath } from '@choiros/contract/path.ts'
import { decideOperations } from './operations.ts'
import { applyChanges, hashAfterChanges, hashTree, readTreeMap, type TreeMap } from './tree.ts'
import { planInverse, wholeStretch, type InversePlan } from './undo.ts'

type Content = string | Uint8Array

/** File operations as a test writes them; `from` is always what is there now. */
export type Step =
  | { readonly write: string; readonly content: Content; readonly exec?: boolean }
  | { readonly link: string; readonly target: string }
  | { readonly folder: string }
  | { readonly remove: string }
  | { readonly move: string; readonly to: string }

/**
 * For tests: a computer in memory, with the real rules for operations and undo and nothing else. Events are numbered
 * from 1.
 */
export function createSmallComputer() {
  const events: (readonly Change[])[] = []
  const objects = new Map<Hash, Buffer>()
  let tree: TreeMap = new Map()

  const keep = (content: Content): { object: Hash; size: number } => {
    const bytes = Buffer.from(content as Uint8Array)
    const object = sha256(bytes)
    objects.set(object, bytes)
    return { object, size: bytes.length }
  }
  const append = (changes: readonly Change[]): number => {
    tree = applyChanges(tree, changes)
    return events.push(changes)
  }
  const sorted = () => [...tree].sort(([a], [b]) => comparePaths(a, b))

  const linkTarget = (entry: Entry) => (entry.object === null ? null : (objects.get(entry.object)?.toString() ?? null))

  const changesOf = (seq: number): readonly Change[] => {
    const changes = events[seq - 1]
    assert(changes !== undefined, `there is no event ${seq}`)
    return changes
  }

  /** `until`: the last event, where a stretch of typing is taken back as a whole. */
  const plan = (seq: number, until = seq): Promise<InversePlan> => {
    const changes = until === seq ? changesOf(seq) : [wholeStretch(changesOf(seq)[0]!, changesOf(until)[0]!)]
    return planInverse(changes, {
      tree: readTreeMap(tree),
      pathNow: (path) => followPath(path, events.slice(until)),
      bytes: async (object) => objects.get(object) ?? null,
      store: keep,
    })
  }

  return {
    plan,
    changesOf,
    tree: () => tree,
    hash: () => hashTree(tree),
    entry: (path: string): Entry | null => tree.get(path as TreePath) ?? null,
    read: (path: string): Buffer | null => objects.get(tree.get(path as TreePath)?.object as Hash) ?? null,
    text: (path: string): string | null => objects.get(tree.get(path as TreePath)?.object as Hash)?.toString() ?? null,
    erase: (path: string) => objects.delete(tree.get(path as TreePath)?.object as Hash),
    /** One event of several operations. */
    change(...steps: Step[]): number {
      const operations: Operation[] = []
      const contents = new Map<Operation, Content>()
      const decide = () =>
        decideOperations(readTreeMap(tree), operations, (operation) => keep(contents.get(operation) ?? ''), linkTarget)
      for (const step of steps) {
        const soFar = applyChanges(tree, decide())
        const operation = toOperation(step, (path) => soFar.get(path as TreePath)?.object ?? null)
        contents.set(operation, 'write' in step ? step.content : 'link' in step ? step.target : '')
        operations.push(operation)
      }
      return append(decide())
    },
    /** The undo's own event, or why it was refused. The tree is then as predicted, or exactly as before (L5). */
    async undo(seq: number, until = seq): Promise<{ seq: number } | { conflicts: InversePlan['conflicts'] }> {
      const { changes, conflicts } = await plan(seq, until)
      if (conflicts.length > 0) return { conflicts }
      const predicted = hashAfterChanges(sorted(), changes)
      const undone = append(changes)
      assert(hashTree(tree) === predicted, 'the tree is not what was predicted')
      return { seq: undone }
    },
  }
}

export type SmallComputer = ReturnType<typeof createSmallComputer>

function toOperation(step: Step, head: (path: string) => Hash | null): Operation {
  if ('write' in step) {
    const exec = step.exec === undefined ? {} : { exec: step.exec }
    return { op: 'write', path: step.write as TreePath, content: { text: '' }, from: head(step.write), ...exec }
  }
  if ('link' in step) return { op: 'link', path: step.link as TreePath, target: step.target, from: head(step.link) }
  if ('folder' in step) return { op: 'folder', path: step.folder as TreePath }
  if ('remove' in step) return { op: 'remove', path: step.remove as TreePath }
  return { op: 'move', path: step.move as TreePath, to: step.to as TreePath }
}

/**
 * Where the entry from `path` is after some events, following renames; null if it was deleted, or replaced by something
 * that moved onto it.
 */
function followPath(path: TreePath, events: readonly (readonly Change[])[]): TreePath | null {
  let at = path
  for (const changes of events) {
    const moved = changes.find((change) => change.movedFrom === at)
    const own = changes.find((change) => change.path === at)
    if (moved !== undefined) at = moved.path
    else if (own !== undefined && (own.to === null || own.movedFrom !== null)) return null
  }
  return at
}
