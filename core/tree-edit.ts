import { sameEntry, type Change, type Entry } from '@choiros/contract/change.ts'
import { comparePaths, type TreePath } from '@choiros/contract/path.ts'
import type { TreeReader } from './tree.ts'

/** A tree with edits on top, which remembers what was at each path before. */
export interface TreeEdit extends TreeReader {
  put(path: TreePath, entry: Entry | null, movedFrom?: TreePath | null): void
  movedFrom(path: TreePath): TreePath | null
  /** What differs from the tree below, sorted by path. */
  changes(): Change[]
}

export function editTree(base: TreeReader): TreeEdit {
  const edits = new Map<TreePath, { entry: Entry | null; movedFrom: TreePath | null }>()
  const added = createPathList()
  const baseHasBelow = createLeftovers(base, (path) => edits.has(path))
  const entry = (path: string): Entry | null => {
    const edit = edits.get(path as TreePath)
    return edit === undefined ? base.entry(path) : edit.entry
  }
  return {
    entry,
    *below(folder) {
      for (const [path, was] of base.below(folder)) {
        if (!edits.has(path)) yield [path, was]
      }
      for (const path of added.below(folder)) yield [path, edits.get(path)?.entry as Entry]
    },
    hasBelow: (folder) => added.hasBelow(folder) || baseHasBelow(folder),
    put(path, to, movedFrom = null) {
      edits.set(path, { entry: to, movedFrom: to === null ? null : movedFrom })
      if (to === null) added.remove(path)
      else added.add(path)
    },
    movedFrom: (path) => edits.get(path)?.movedFrom ?? null,
    changes() {
      const changes: Change[] = []
      for (const [path, edit] of edits) {
        const from = base.entry(path)
        if (sameEntry(from, edit.entry)) continue
        // A rename whose source came back in the same batch is a copy, and undoing a copy must not move anything.
        const movedFrom =
          edit.movedFrom !== null && entry(edit.movedFrom) === null && base.entry(edit.movedFrom) !== null
            ? edit.movedFrom
            : null
        changes.push({ path, from, to: edit.entry, movedFrom })
      }
      return changes.sort((a, b) => comparePaths(a.path, b.path))
    },
  }
}

/**
 * Sorted paths, so that everything below a folder is one range: searching all edits for each edit took minutes for
 * 20,000 of them (L11).
 */
function createPathList() {
  const paths: TreePath[] = []
  const find = (path: string): number => {
    let low = 0
    let high = paths.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (comparePaths(paths[middle] as string, path) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  const prefixOf = (folder: string): string => (folder === '' ? '' : `${folder}/`)
  return {
    add(path: TreePath) {
      const index = find(path)
      if (paths[index] !== path) paths.splice(index, 0, path)
    },
    remove(path: TreePath) {
      const index = find(path)
      if (paths[index] === path) paths.splice(index, 1)
    },
    hasBelow: (folder: string): boolean => paths[find(prefixOf(folder))]?.startsWith(prefixOf(folder)) === true,
    below(folder: string): TreePath[] {
      const prefix = prefixOf(folder)
      const start = find(prefix)
      let end = start
      while (paths[end]?.startsWith(prefix) === true) end++
      return paths.slice(start, end)
    },
  }
}

/** A scan that skipped this many edited paths is worth remembering. */
const SKIPS_MAX = 32

/**
 * Whether the base still has an unedited entry below a folder. An edited path stays edited, so a remembered walk only
 * goes forward: otherwise removing a folder's files one by one would look at all removed ones each time.
 */
function createLeftovers(base: TreeReader, isEdited: (path: TreePath) => boolean): (folder: string) => boolean {
  const walks = new Map<string, { readonly paths: readonly TreePath[]; next: number }>()
  const scan = (folder: string): boolean | null => {
    let skipped = 0
    for (const [path] of base.below(folder)) {
      if (!isEdited(path)) return true
      if (++skipped === SKIPS_MAX) return null
    }
    return false
  }
  return (folder) => {
    let walk = walks.get(folder)
    if (walk === undefined) {
      const found = scan(folder)
      if (found !== null) return found
      walk = { paths: Array.from(base.below(folder), ([path]) => path), next: SKIPS_MAX }
      walks.set(folder, walk)
    }
    while (walk.next < walk.paths.length && isEdited(walk.paths[walk.next] as TreePath)) walk.next++
    return walk.next < walk.paths.length
  }
}
