import { z } from 'zod'
import { diffLines, splitLines, type Hunk } from '@choiros/core/everywhere/diff.ts'
import { touchedPaths } from './check.ts'
import { define } from './tool.ts'

const CONTEXT = 3
const FILE_CHARS_MAX = 12_000

export const diff = define({
  description: 'Shows what you have changed so far, compared with what the task started from; of one file with path.',
  input: z.strictObject({ path: z.string().min(1).max(1024).optional() }),
  use({ stage, base }, { path }) {
    const paths = touchedPaths(stage, base).filter((one) => path === undefined || one === path)
    if (paths.length === 0) return path === undefined ? 'nothing was changed yet' : `${path} was not changed`
    return paths.map((one) => fileDiff(one, base.read(one), stage.read(one))).join('\n')
  },
})

function fileDiff(path: string, before: string | null, after: string | null): string {
  const how = before === null ? 'new file' : after === null ? 'deleted' : 'changed'
  const [from, to] = [splitLines(before ?? ''), splitLines(after ?? '')]
  const lines = after === null ? [] : diffLines(from, to).flatMap((hunk) => hunkLines(hunk, from, to))
  const text = `${path} (${how})\n${lines.join('\n')}`.trim()
  return text.length > FILE_CHARS_MAX ? `${text.slice(0, FILE_CHARS_MAX).toWellFormed()}\n(cut)` : text
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
