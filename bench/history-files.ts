import type { Change, Entry } from '@choiros/contract/change.ts'
import { assert } from '@choiros/contract/error.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import { fileEntry, makeText, pathOf } from './content.ts'
import type { Random } from './random.ts'

export interface Edited {
  readonly changes: Change[]
  readonly objects: ObjectBytes[]
}

/** The tree of a history while it is made: every change starts from the files that are there, as in a real log. */
export interface HistoryFiles {
  count(): number
  create(count: number): Edited
  /**
   * What a person or run does to some files: mostly edits, a few of them creations, deletions, renames and exec bits.
   */
  work(count: number): Edited
  /** Changes that take others back. */
  inverse(changes: readonly Change[]): Change[]
}

/** People work on few of their files most of the time. */
const HOT_SHARE = 0.05
const HOT_CHANCE = 0.7

export function createHistoryFiles(random: Random, files: number): HistoryFiles {
  const entries = new Map<TreePath, Entry>()
  const paths: TreePath[] = []
  let made = 0
  let versions = 0

  const write = (path: TreePath, edited: Edited, mode: '644' | '755' = '644') => {
    const from = entries.get(path) ?? null
    const { entry, object } = fileEntry(makeText(random, path, ++versions), mode)
    entries.set(path, entry)
    edited.objects.push(object)
    edited.changes.push({ path, from, to: entry, movedFrom: null })
  }
  const create = (edited: Edited) => {
    const path = pathOf(made++)
    paths.push(path)
    write(path, edited)
  }
  const choose = () =>
    random.whole(random.chance(HOT_CHANCE) ? Math.max(1, Math.floor(paths.length * HOT_SHARE)) : paths.length)
  const take = (at: number): { path: TreePath; entry: Entry } => {
    const path = paths[at]
    const entry = path && entries.get(path)
    assert(path !== undefined && entry !== undefined, 'there is a file to take')
    entries.delete(path)
    const last = paths.pop()
    if (last !== undefined && last !== path) paths[at] = last
    return { path, entry }
  }
  const remove = (edited: Edited) => {
    const { path, entry } = take(random.whole(paths.length))
    edited.changes.push({ path, from: entry, to: null, movedFrom: null })
  }
  const rename = (edited: Edited) => {
    const { path, entry } = take(random.whole(paths.length))
    const to = pathOf(made++)
    paths.push(to)
    entries.set(to, entry)
    edited.changes.push(
      { path, from: entry, to: null, movedFrom: null },
      { path: to, from: null, to: entry, movedFrom: path },
    )
  }
  const workOnce = (edited: Edited) => {
    const kind = random.whole(100)
    if (paths.length < 10 || kind < (paths.length < files ? 12 : 4)) return create(edited)
    if (kind < 16 && paths.length > files && edited.changes.length === 0) return remove(edited)
    if (kind === 98 && edited.changes.length === 0) return rename(edited)
    const path = paths[choose()]
    // An event may change a path only once.
    if (path === undefined || edited.changes.some((change) => change.path === path)) return
    write(path, edited, kind === 99 ? '755' : '644')
  }

  return {
    count: () => paths.length,
    create(count) {
      const edited: Edited = { changes: [], objects: [] }
      for (let left = count; left > 0; left--) create(edited)
      return edited
    },
    work(count) {
      const edited: Edited = { changes: [], objects: [] }
      while (edited.changes.length < count) workOnce(edited)
      return edited
    },
    inverse: (changes) =>
      changes.map(({ path, from, to }) => {
        if (from === null) entries.delete(path)
        else entries.set(path, from)
        return { path, from: to, to: from, movedFrom: null }
      }),
  }
}
