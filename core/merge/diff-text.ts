import { diffLines, splitLines, type Hunk } from '../everywhere/diff.ts'

const CONTEXT = 3
const FILE_CHARS_MAX = 12_000

/** What differs in one file, as a model reads it, and how many lines that is. Null: there is no such file. */
export function fileDiff(
  path: string,
  before: string | null,
  after: string | null,
): { readonly text: string; readonly changed: number } {
  const how = before === null ? 'new file' : after === null ? 'deleted' : 'changed'
  const [from, to] = [splitLines(before ?? ''), splitLines(after ?? '')]
  const hunks = diffLines(from, to)
  const changed = hunks.reduce((sum, hunk) => sum + hunk.end - hunk.start + hunk.otherEnd - hunk.otherStart, 0)
  const lines = after === null ? [] : hunks.flatMap((hunk) => hunkLines(hunk, from, to))
  const text = `${path} (${how})\n${lines.join('\n')}`.trim()
  const isLong = text.length > FILE_CHARS_MAX
  return { text: isLong ? `${text.slice(0, FILE_CHARS_MAX).toWellFormed()}\n(cut)` : text, changed }
}

function hunkLines(
  { start, end, otherStart, otherEnd }: Hunk,
  from: readonly string[],
  to: readonly string[],
): string[] {
  const plain = (line: string) => line.replace(/\n$/, '')
  const above = from.slice(Math.max(0, start - CONTEXT), start).map((line) => `  ${plain(line)}`)
  const below = from.slice(end, end + CONTEXT).map((line) => `  ${plain(line)}`)
  return [
    `@@ line ${otherStart + 1} @@`,
    ...above,
    ...from.slice(start, end).map((line) => `- ${plain(line)}`),
    ...to.slice(otherStart, otherEnd).map((line) => `+ ${plain(line)}`),
    ...below,
  ]
}
