import type { RunId } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { DiffHunk, DiffLine, FileDiff, RunDiff } from '@choiros/contract/run-diff.ts'
import type { Client } from './client.ts'
import { printable } from './text.ts'

/**
 * The list of files comes without lines; the lines are asked for file by file, so that no answer grows with the run.
 */
export async function wholeDiff(client: Client, run: RunId, path: TreePath | null): Promise<RunDiff> {
  if (path !== null) return client.run('run.diff', { run, path })
  const list = await client.run('run.diff', { run, path: null })
  const files: FileDiff[] = []
  for (const file of list.files) files.push(...(await client.run('run.diff', { run, path: file.path })).files)
  return { ...list, files }
}

export function diffText({ from, files, left }: RunDiff): string {
  if (from === 'open') return 'this run is still going on'
  if (files.length === 0) return 'this run changed no files'
  return [
    ...(from === 'stage' ? ['# nothing of this was kept: it is how far the work had come when it ended'] : []),
    ...files.map(fileText),
    ...(left === 0 ? [] : [`# and ${left} more files`]),
  ].join('\n')
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const

function fileText({ path, does, movedFrom, note, hunks, left }: FileDiff): string {
  const before = does === 'create' ? '/dev/null' : `a/${printable(movedFrom ?? path)}`
  const after = does === 'delete' ? '/dev/null' : `b/${printable(path)}`
  return [
    `diff a/${printable(movedFrom ?? path)} b/${printable(path)}`,
    ...(movedFrom === null ? [] : [`rename from ${printable(movedFrom)}`, `rename to ${printable(path)}`]),
    ...(note === null ? [] : [`# ${note}`]),
    ...(hunks.length === 0 ? [] : [`--- ${before}`, `+++ ${after}`]),
    ...hunks.flatMap((hunk) => [headText(hunk), ...hunk.lines.flatMap(lineText)]),
    ...(left === 0 ? [] : [`# and ${left} more lines`]),
  ].join('\n')
}

function headText({ before, after, lines }: DiffHunk): string {
  const range = (start: number, side: DiffLine['is']) => {
    const count = lines.filter(({ is }) => is === 'same' || is === side).length
    return `${count === 0 ? start - 1 : start},${count}`
  }
  return `@@ -${range(before, 'removed')} +${range(after, 'added')} @@`
}

/** Tabs are part of a text and harmless; no other character that controls a terminal is printed. */
function lineText({ is, text, unended }: DiffLine): string[] {
  const line = `${SIGNS[is]}${text.split('\t').map(printable).join('\t')}`
  return unended ? [line, '\\ No newline at end of file'] : [line]
}
