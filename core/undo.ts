import { sameEntry, type Change, type Entry } from '@choiros/contract/change.ts'
import type { ChangeView, Conflict } from '@choiros/contract/undo-view.ts'
import { assert } from '@choiros/contract/error.ts'
import { linkProblem, type TreePath } from '@choiros/contract/path.ts'
import { mergeEntries, type MergeWorld } from './merge/entries.ts'
import { editTree, type TreeEdit } from './tree-edit.ts'
import { placeProblem, type TreeReader } from './tree.ts'

/**
 * What a plan may ask about the computer. `pathNow`: where the entry that was at `path` after the event is now; renames
 * are followed. Null if it was deleted, or if something else was moved onto it.
 */
export interface UndoWorld extends MergeWorld {
  readonly tree: TreeReader
  pathNow(path: TreePath): TreePath | null
}

export interface InversePlan {
  readonly changes: Change[]
  readonly merged: ReadonlySet<TreePath>
  readonly conflicts: Conflict[]
}

/** One thing that an event did: a rename is one thing although it is two changes. */
interface Deed {
  readonly before: { path: TreePath; entry: Entry } | null
  readonly after: { path: TreePath; entry: Entry } | null
}

/** A stretch of typing as one change: nothing else touched a file between its first event and its last. */
export function wholeStretch(first: Change, last: Change): Change {
  assert(last.path === first.path && last.movedFrom === null, 'a stretch of typing is in one document')
  return { path: first.path, from: first.from, to: last.to, movedFrom: null }
}

/**
 * The changes that take an event's changes back and keep everything done since. With a conflict nothing may be written:
 * half an undo is the failure people remember.
 */
export async function planInverse(changes: readonly Change[], world: UndoWorld): Promise<InversePlan> {
  const edit = editTree(world.tree)
  const conflicts: Conflict[] = []
  const merged = new Set<TreePath>()
  // Removals first: a swap of two names must find both places free.
  const arrivals: Arrivals = []
  for (const deed of toDeeds(changes)) {
    const conflict = await invertDeed(deed, world, edit, arrivals, merged)
    if (conflict !== null) conflicts.push(conflict)
  }
  for (const arrival of arrivals) {
    const problem = arrivalProblem(edit, arrival.path, arrival.entry)
    if (problem === null) edit.put(arrival.path, arrival.entry, arrival.movedFrom)
    else conflicts.push({ path: arrival.path, why: problem })
  }
  const planned = edit.changes()
  conflicts.push(...(await findLinksOutside(planned, world)))
  return { changes: planned, merged, conflicts }
}

/**
 * A link goes back to where it was, but that place may have another name by now, from which the target may lead out of
 * the computer.
 */
async function findLinksOutside(changes: readonly Change[], world: UndoWorld): Promise<Conflict[]> {
  const conflicts: Conflict[] = []
  for (const { path, to } of changes) {
    const target = to?.kind === 'symlink' ? await world.bytes(to.object) : null
    const problem = target === null ? null : linkProblem(path, Buffer.from(target).toString('utf8'))
    if (problem !== null) conflicts.push({ path, why: `the target of the symlink ${problem} from there` })
  }
  return conflicts
}

function toDeeds(changes: readonly Change[]): Deed[] {
  const left = new Map(changes.filter((change) => change.to === null).map((change) => [change.path, change]))
  const deeds: Deed[] = []
  for (const change of changes) {
    if (change.movedFrom === null || change.to === null) continue
    const departure = left.get(change.movedFrom)
    if (departure?.from == null || change.from !== null) continue
    left.delete(change.movedFrom)
    deeds.push({
      before: { path: departure.path, entry: departure.from },
      after: { path: change.path, entry: change.to },
    })
  }
  const moved = new Set(deeds.flatMap((deed) => [deed.before?.path, deed.after?.path]))
  for (const change of changes) {
    if (moved.has(change.path)) continue
    const { path, from, to } = change
    deeds.push({ before: from && { path, entry: from }, after: to && { path, entry: to } })
  }
  return deeds
}

type Arrivals = { path: TreePath; entry: Entry; movedFrom: TreePath | null }[]

async function invertDeed(
  deed: Deed,
  world: UndoWorld,
  edit: TreeEdit,
  arrivals: Arrivals,
  merged: Set<TreePath>,
): Promise<Conflict | null> {
  const { before, after } = deed
  if (after === null) {
    if (before !== null) arrivals.push({ path: before.path, entry: before.entry, movedFrom: null })
    return null
  }
  const found = findNow(deed, after, world)
  if (found === null) return null // Deleted since: there is nothing left to take back.
  const { path, now } = found
  if (before === null) return invertCreation(after.entry, path, now, edit)

  const renamed = before.path !== after.path
  if (renamed && path !== after.path) return { path, why: 'it was renamed again since' }
  const entry = await mergeEntries(path, after.entry, now, before.entry, world)
  if (typeof entry === 'string') return { path, why: entry }
  if (!sameEntry(entry, before.entry)) merged.add(renamed ? before.path : path)
  if (!renamed && entry.kind === now.kind) {
    edit.put(path, entry)
    return null
  }
  // A change of kind is put in place like a move: a file must not go back to where a folder has been filled since.
  edit.put(path, null)
  arrivals.push({ path: renamed ? before.path : path, entry, movedFrom: renamed ? path : null })
  return null
}

/**
 * Where the entry that the event left behind is now. A deleted file may have come back under its old name, by an undo
 * of the delete or a restore: an undo that ignored it would report success and do nothing. A new file that only has the
 * same name is left alone.
 */
function findNow(
  deed: Deed,
  after: NonNullable<Deed['after']>,
  world: UndoWorld,
): { path: TreePath; now: Entry } | null {
  const followed = world.pathNow(after.path)
  const path = followed ?? after.path
  const now = world.tree.entry(path)
  if (now === null) return null
  const isEdit = deed.before?.path === after.path
  return followed !== null || isEdit || sameEntry(now, after.entry) ? { path, now } : null
}

function invertCreation(created: Entry, path: TreePath, now: Entry, edit: TreeEdit): Conflict | null {
  if (created.kind === 'folder' && now.kind === 'folder') {
    edit.put(path, null) // If something was put into the folder since, the folder stays without an entry of its own.
    return null
  }
  if (!sameEntry(created, now)) return { path, why: 'it was created by this and changed since' }
  edit.put(path, null)
  return null
}

function arrivalProblem(tree: TreeReader, path: TreePath, entry: Entry): string | null {
  const there = tree.entry(path)
  if (there !== null && !sameEntry(there, entry) && !(there.kind === 'folder' && entry.kind === 'folder'))
    return 'something else is there now'
  return placeProblem(tree, path, entry)
}

/** What a person sees of a change before it is made. */
export function viewChanges(changes: readonly Change[], merged: ReadonlySet<TreePath> = new Set()): ChangeView[] {
  const sources = new Set(changes.map((change) => change.movedFrom))
  return changes
    .filter((change) => !(change.to === null && sources.has(change.path)))
    .map((change) => ({
      path: change.path,
      does:
        change.movedFrom !== null ? 'move' : change.from === null ? 'create' : change.to === null ? 'delete' : 'change',
      movedFrom: change.movedFrom,
      merged: merged.has(change.path),
    }))
}
