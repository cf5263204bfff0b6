import { sha256Stream } from '@choiros/contract/canonical.ts'
import { FOLDER, sameEntry, type Change, type Entry } from '@choiros/contract/change.ts'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { comparePaths, foldersAbove, shownPath, type TreePath } from '@choiros/contract/path.ts'

/** All paths at one moment, for lookups. A folder that holds something needs no entry of its own. */
export interface TreeReader {
  entry(path: string): Entry | null
  /** Every entry strictly below a folder; of the whole tree for ''. */
  below(folder: string): Iterable<readonly [TreePath, Entry]>
  /** Whether anything is below a folder, for readers that know this without walking through it. */
  hasBelow?(folder: string): boolean
}

export type TreeMap = ReadonlyMap<TreePath, Entry>

/**
 * The tree's identity: SHA-256 over its sorted (path, kind, mode, object), as it would be read back from a disk. The
 * iterable must be sorted by path.
 */
export function hashSortedTree(entries: Iterable<readonly [string, Entry]>): Hash {
  const digest = sha256Stream()
  let lines = ''
  for (const [path, entry] of withoutFullFolders(entries)) {
    lines += `${path}\0${entry.kind}\0${entry.mode}\0${entry.object ?? ''}\n`
    if (lines.length > 64 * 1024) {
      digest.update(Buffer.from(lines))
      lines = ''
    }
  }
  digest.update(Buffer.from(lines))
  return digest.digest()
}

/**
 * A folder that holds something is there with or without an entry of its own. If the entry counted, the same files on a
 * disk could have two hashes, and a tree that was written out and read back would seem changed.
 */
function* withoutFullFolders(entries: Iterable<readonly [string, Entry]>): Iterable<readonly [string, Entry]> {
  let held: { item: readonly [string, Entry]; full: boolean }[] = []
  // Each name begins with the one before: only names that begin with `d` sort between `d` and `d/x`.
  const undecided: typeof held = []
  for (const item of entries) {
    for (let folder = undecided.at(-1); folder !== undefined; folder = undecided.at(-1)) {
      folder.full = item[0].startsWith(`${folder.item[0]}/`)
      if (!folder.full && comparePaths(item[0], `${folder.item[0]}/`) < 0) break
      undecided.pop()
    }
    if (undecided.length === 0) {
      for (const { item: done, full } of held) if (!full) yield done
      held = []
      if (item[1].kind !== 'folder') {
        yield item
        continue
      }
    }
    const place = { item, full: false }
    held.push(place)
    if (item[1].kind === 'folder') undecided.push(place)
  }
  for (const { item, full } of held) if (!full) yield item
}

export function hashTree(tree: TreeMap): Hash {
  return hashSortedTree([...tree].sort(([a], [b]) => comparePaths(a, b)))
}

export function readTreeMap(tree: TreeMap): TreeReader {
  return {
    entry: (path) => tree.get(path as TreePath) ?? null,
    *below(folder) {
      const prefix = folder === '' ? '' : `${folder}/`
      for (const item of tree) if (item[0].startsWith(prefix)) yield item
    },
  }
}

/** Why `entry` cannot be at `path` in this tree, or null: nothing may be below a file or a symlink. */
export function placeProblem(tree: TreeReader, path: string, entry: Entry): string | null {
  for (const folder of foldersAbove(path)) {
    const above = tree.entry(folder)
    if (above !== null && above.kind !== 'folder') return `${folder} is a ${above.kind}, not a folder`
  }
  if (entry.kind !== 'folder' && hasBelow(tree, path)) return `${path} is a folder`
  return null
}

export function hasBelow(tree: TreeReader, folder: string): boolean {
  if (tree.hasBelow !== undefined) return tree.hasBelow(folder)
  for (const _ of tree.below(folder)) return true
  return false
}

export function isFolder(tree: TreeReader, path: string): boolean {
  return tree.entry(path)?.kind === 'folder' || hasBelow(tree, path)
}

/** What is at a path: a file by itself, or what lies right in a folder; in the whole tree for null. */
export function listAt(tree: TreeReader, path: TreePath | null): ReadonlyMap<TreePath, Entry> {
  const own = path === null ? null : tree.entry(path)
  if (path !== null && own !== null && own.kind !== 'folder') return new Map([[path, own]])
  if (path !== null && !isFolder(tree, path))
    throw new ChoirError('path.unknown', `there is nothing at ${shownPath(path)}`)
  const found = new Map<TreePath, Entry>()
  const prefix = path === null ? '' : `${path}/`
  for (const [below, entry] of tree.below(path ?? '')) {
    const slash = below.indexOf('/', prefix.length)
    const folder = below.slice(0, slash) as TreePath
    if (slash === -1) found.set(below, entry)
    else if (!found.has(folder)) found.set(folder, FOLDER)
  }
  return found
}

/** What turns `from` into `to`, sorted by path. */
export function diffTrees(from: TreeMap, to: TreeMap): Change[] {
  const changes: Change[] = []
  for (const [path, entry] of from) {
    const other = to.get(path) ?? null
    if (!sameEntry(entry, other)) changes.push({ path, from: entry, to: other, movedFrom: null })
  }
  for (const [path, entry] of to) {
    if (!from.has(path)) changes.push({ path, from: null, to: entry, movedFrom: null })
  }
  return changes.sort((a, b) => comparePaths(a.path, b.path))
}

export function applyChanges(tree: TreeMap, changes: readonly Change[]): Map<TreePath, Entry> {
  const next = new Map(tree)
  for (const change of changes) {
    assert(sameEntry(next.get(change.path) ?? null, change.from), `${change.path} is not what the change starts from`)
    if (change.to === null) next.delete(change.path)
    else next.set(change.path, change.to)
  }
  return next
}

/** The tree's hash after some changes, without copying the tree. `entries` must be sorted by path. */
export function hashAfterChanges(entries: Iterable<readonly [TreePath, Entry]>, changes: readonly Change[]): Hash {
  return hashSortedTree(mergeSorted(entries, changes))
}

function* mergeSorted(
  entries: Iterable<readonly [TreePath, Entry]>,
  changes: readonly Change[],
): Iterable<readonly [TreePath, Entry]> {
  let next = 0
  const pending = changes as readonly (Change | undefined)[]
  for (const item of entries) {
    for (
      let change = pending[next];
      change !== undefined && comparePaths(change.path, item[0]) < 0;
      change = pending[++next]
    ) {
      if (change.to !== null) yield [change.path, change.to]
    }
    const change = pending[next]
    if (change === undefined || change.path !== item[0]) {
      yield item
      continue
    }
    next++
    if (change.to !== null) yield [change.path, change.to]
  }
  for (let change = pending[next]; change !== undefined; change = pending[++next]) {
    if (change.to !== null) yield [change.path, change.to]
  }
}
