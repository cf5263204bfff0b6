import { FOLDER, type Change, type Entry } from '@choiros/contract/change.ts'
import type { Operation } from '@choiros/contract/commands/files.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { foldersAbove, isIgnored, linkProblem, shownPath, type TreePath } from '@choiros/contract/path.ts'
import { editTree, type TreeEdit } from './tree-edit.ts'
import { hasBelow, isFolder, placeProblem, type TreeReader } from './tree.ts'

/** The bytes an operation brings, already stored and named. */
export type StoredContent = (operation: Extract<Operation, { op: 'write' | 'link' }>) => { object: Hash; size: number }

/** Where a symlink points, or null if that cannot be read now. */
export type LinkTarget = (entry: Entry) => string | null

/**
 * The changes that a person's file operations make; if one is refused, all are. Order counts: each operation sees what
 * the ones before it did.
 */
export function decideOperations(
  tree: TreeReader,
  operations: readonly Operation[],
  stored: StoredContent,
  linkTarget: LinkTarget = () => null,
): Change[] {
  const edit = editTree(tree)
  const made = new Map<Hash, string>()
  const targetOf: LinkTarget = (entry) => (entry.object === null ? null : (made.get(entry.object) ?? linkTarget(entry)))
  for (const operation of operations) {
    decideOne(edit, operation, stored, targetOf)
    if (operation.op === 'link') made.set(stored(operation).object, operation.target)
  }
  return edit.changes()
}

function decideOne(edit: TreeEdit, operation: Operation, stored: StoredContent, targetOf: LinkTarget): void {
  switch (operation.op) {
    case 'write': {
      const before = checkBase(edit, operation.path, operation.from)
      const exec = operation.exec ?? (before?.kind === 'file' && before.mode === '755')
      return place(
        edit,
        operation.path,
        { kind: 'file', mode: exec ? '755' : '644', ...stored(operation) },
        edit.movedFrom(operation.path),
      )
    }
    case 'link': {
      const problem = linkProblem(operation.path, operation.target)
      if (problem !== null) throw linkOutside(operation.path, problem)
      checkBase(edit, operation.path, operation.from)
      return place(edit, operation.path, { kind: 'symlink', mode: '777', ...stored(operation) })
    }
    case 'folder': {
      const there = edit.entry(operation.path)
      if (there !== null && there.kind !== 'folder')
        throw new ChoirError('path.conflict', `${operation.path} is already a ${there.kind}`)
      return place(edit, operation.path, FOLDER)
    }
    case 'remove':
      return remove(edit, operation.path, operation.from)
    case 'move':
      return move(edit, operation, targetOf)
  }
}

function checkBase(edit: TreeEdit, path: TreePath, from: Hash | null | undefined): Entry | null {
  const head = edit.entry(path)
  if (from !== undefined && (head?.object ?? null) !== from) {
    throw new ChoirError(
      'file.conflict',
      `${path} has changed since: it is now ${head === null ? 'gone' : `version ${head.object}`}. Read it, merge and try again.`,
      {
        details: { path, head },
      },
    )
  }
  return head
}

function place(edit: TreeEdit, path: TreePath, entry: Entry, movedFrom: TreePath | null = null): void {
  if (isIgnored(path)) {
    throw new ChoirError(
      'path.ignored',
      `${path} lies in a folder that the computer does not keep (node_modules, .git, .vite, dist)`,
    )
  }
  const problem = placeProblem(edit, path, entry)
  if (problem !== null) throw new ChoirError('path.conflict', `nothing can be put at ${path}: ${problem}`)
  if (entry.kind !== 'folder' && edit.entry(path)?.kind === 'folder')
    throw new ChoirError('path.conflict', `${path} is a folder`)
  edit.put(path, entry, movedFrom)
}

function remove(edit: TreeEdit, path: TreePath, from: Hash | null | undefined): void {
  checkBase(edit, path, from)
  const inside = [...edit.below(path)]
  if (edit.entry(path) === null && inside.length === 0) throw unknownPath(path)
  for (const [below] of inside) edit.put(below, null)
  edit.put(path, null)
  keepFolderOf(edit, path)
}

function move(edit: TreeEdit, { path, to, from }: Extract<Operation, { op: 'move' }>, targetOf: LinkTarget): void {
  checkBase(edit, path, from)
  const own = edit.entry(path)
  const inside = [...edit.below(path)]
  if (own === null && inside.length === 0) throw unknownPath(path)
  if (to === path) return
  if (to.startsWith(`${path}/`)) throw new ChoirError('path.conflict', `${path} cannot be moved into itself`)
  if (edit.entry(to) !== null || isFolder(edit, to)) throw new ChoirError('path.conflict', `${to} is already there`)
  const moving: (readonly [TreePath, Entry])[] = own === null ? inside : [[path, own], ...inside]
  const arrivals = moving.map(([old, entry]) => {
    const arrival = `${to}${old.slice(path.length)}` as TreePath
    if (Buffer.byteLength(arrival) > LIMITS.pathBytesMax) {
      throw new ChoirError(
        'path.invalid',
        `the path ${shownPath(arrival)} would be longer than ${LIMITS.pathBytesMax} bytes`,
      )
    }
    if (entry.kind === 'symlink') checkMovedLink(old, arrival, targetOf(entry))
    return { old, entry, arrival, origin: edit.movedFrom(old) ?? old }
  })
  for (const { old } of arrivals) edit.put(old, null)
  for (const { arrival, entry, origin } of arrivals) place(edit, arrival, entry, origin)
  keepFolderOf(edit, path)
}

/** A target that stays inside the tree from a deep folder can lead out of it from a higher one. */
function checkMovedLink(from: TreePath, to: TreePath, target: string | null): void {
  if (foldersAbove(to).length >= foldersAbove(from).length) return
  const problem =
    target === null ? 'cannot be read, so it may lead out of the computer from there' : linkProblem(to, target)
  if (problem !== null) throw linkOutside(to, problem)
}

/** A person who deletes the last file of a folder still sees the folder. */
function keepFolderOf(edit: TreeEdit, path: TreePath): void {
  const slash = path.lastIndexOf('/')
  if (slash === -1) return
  const folder = path.slice(0, slash) as TreePath
  if (edit.entry(folder) === null && !hasBelow(edit, folder)) edit.put(folder, FOLDER)
}

function linkOutside(path: TreePath, problem: string): ChoirError {
  return new ChoirError('link.outside', `the target of ${shownPath(path)} ${problem}`)
}

function unknownPath(path: TreePath): ChoirError {
  return new ChoirError('path.unknown', `there is nothing at ${path}`, { details: { path } })
}
