import type { Change, Entry } from '@choiros/contract/change.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { comparePaths, foldersAbove, type TreePath } from '@choiros/contract/path.ts'
import type { DiffHunk, DiffLine, FileDiff } from '@choiros/contract/run-diff.ts'
import { diffLines, splitLines, type Hunk } from '../everywhere/diff.ts'

/** Lines shown around a change, so that a reader finds its place. */
const CONTEXT_LINES = 3

export interface LineDiff {
  readonly added: number
  readonly removed: number
  readonly hunks: readonly DiffHunk[]
  readonly left: number
}

/**
 * What a person is shown of two texts: the lines that differ, with some around them, cut where that is more than anyone
 * reads.
 */
export function diffTexts(before: string, after: string): LineDiff {
  const base = splitLines(before)
  const other = splitLines(after)
  const changed = diffLines(base, other)
  const hunks: DiffHunk[] = []
  let room: number = LIMITS.diffLinesMax
  let left = 0
  for (const group of groupNear(changed)) {
    const hunk = showGroup(group, base, other)
    const lines = hunk.lines.slice(0, room)
    room -= lines.length
    left += hunk.lines.length - lines.length
    if (lines.length > 0) hunks.push({ ...hunk, lines })
  }
  const sum = (length: (hunk: Hunk) => number) => changed.reduce((all, hunk) => all + length(hunk), 0)
  return {
    added: sum((hunk) => hunk.otherEnd - hunk.otherStart),
    removed: sum((hunk) => hunk.end - hunk.start),
    hunks,
    left,
  }
}

/** Changes whose context lines meet are shown together. */
function groupNear(changed: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of changed) {
    const last = groups.at(-1)
    if (last !== undefined && hunk.start - (last.at(-1) as Hunk).end <= 2 * CONTEXT_LINES) last.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

function showGroup(group: readonly Hunk[], base: readonly string[], other: readonly string[]): DiffHunk {
  const [first, last] = [group[0] as Hunk, group.at(-1) as Hunk]
  const start = Math.max(0, first.start - CONTEXT_LINES)
  const lines: DiffLine[] = []
  const add = (is: DiffLine['is'], from: readonly string[], begin: number, end: number) => {
    for (let index = begin; index < end; index++) lines.push(toLine(is, from[index] as string))
  }
  let done = start
  for (const hunk of group) {
    add('same', base, done, hunk.start)
    add('removed', base, hunk.start, hunk.end)
    add('added', other, hunk.otherStart, hunk.otherEnd)
    done = hunk.end
  }
  add('same', base, done, Math.min(base.length, last.end + CONTEXT_LINES))
  return { before: start + 1, after: first.otherStart - (first.start - start) + 1, lines }
}

function toLine(is: DiffLine['is'], line: string): DiffLine {
  const unended = !line.endsWith('\n')
  const text = unended ? line : line.slice(0, -1)
  return {
    is,
    text: text.length > LIMITS.diffLineCharsMax ? `${text.slice(0, LIMITS.diffLineCharsMax).toWellFormed()}…` : text,
    unended,
  }
}

/** One file's before and after; a rename is one change and not two. */
export interface FileChange {
  readonly path: TreePath
  readonly movedFrom: TreePath | null
  readonly from: Entry | null
  readonly to: Entry | null
}

/**
 * Changes as a person would tell them. A stage does not know renames: one file is gone, and the same bytes are under
 * another name. Folders are left out if files inside them are listed.
 */
export function tellChanges(changes: readonly Change[]): FileChange[] {
  const gone = new Map<TreePath, Entry>()
  const goneWith = new Map<string, TreePath[]>()
  for (const { path, from, to } of changes) {
    if (from === null || to !== null) continue
    gone.set(path, from)
    if (from.kind === 'file' && from.size > 0) goneWith.set(from.object, [...(goneWith.get(from.object) ?? []), path])
  }
  const takeSource = ({ movedFrom, from, to }: Change): TreePath | null => {
    const source =
      movedFrom ?? (from === null && to?.kind === 'file' ? (goneWith.get(to.object)?.shift() ?? null) : null)
    return source !== null && gone.has(source) ? source : null
  }
  const told: FileChange[] = []
  // Changes that name their source come first: no other change may take it.
  for (const change of [...changes].sort((a, b) => Number(a.movedFrom === null) - Number(b.movedFrom === null))) {
    if (change.to === null) continue
    const source = takeSource(change)
    told.push({
      path: change.path,
      movedFrom: source,
      from: source === null ? change.from : (gone.get(source) ?? null),
      to: change.to,
    })
    if (source !== null) gone.delete(source)
  }
  for (const [path, from] of gone) told.push({ path, movedFrom: null, from, to: null })
  const above = new Set(told.flatMap(({ path }) => foldersAbove(path)))
  return told
    .filter(({ path, from, to }) => (to ?? from)?.kind !== 'folder' || !above.has(path))
    .sort((a, b) => comparePaths(a.path, b.path))
}

export function doesWhat({ movedFrom, from, to }: FileChange): FileDiff['does'] {
  return movedFrom !== null ? 'move' : from === null ? 'create' : to === null ? 'delete' : 'change'
}

/** Differences that lines do not show. */
export function noteOn({ from, to }: FileChange): string | null {
  const kinds = { file: 'a file', symlink: 'a symlink', folder: 'a folder' } as const
  if (from !== null && to !== null && from.kind !== to.kind)
    return `was ${kinds[from.kind]} and is ${kinds[to.kind]} now`
  if (from?.mode === '644' && to?.mode === '755') return 'may be executed now'
  if (from?.mode === '755' && to?.mode === '644') return 'may not be executed any more'
  const entry = to ?? from
  if (entry?.kind === 'file') return from === null && entry.mode === '755' ? 'may be executed' : null
  return entry === null ? null : kinds[entry.kind]
}
