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
  const lines = after === null ? [] : groupsOf(hunks).flatMap((group) => groupLines(group, from, to))
  const text = `${path} (${how})\n${lines.join('\n')}`.trim()
  const isLong = text.length > FILE_CHARS_MAX
  return { text: isLong ? `${text.slice(0, FILE_CHARS_MAX).toWellFormed()}\n(cut)` : text, changed }
}

/** Hunks whose surroundings meet are shown as one: else a line would stand there as kept, and again as changed. */
function groupsOf(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)
    const end = last?.at(-1)?.end
    if (last !== undefined && end !== undefined && hunk.start - end <= 2 * CONTEXT) last.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

/** With the number that the first line shown has afterwards, as `read` would show it. */
function groupLines(group: readonly Hunk[], from: readonly string[], to: readonly string[]): string[] {
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `${mark} ${line.replace(/\n$/, '')}`)
  const first = group[0]
  const above = Math.min(CONTEXT, first?.start ?? 0)
  let at = (first?.start ?? 0) - above
  const lines = [`@@ line ${(first?.otherStart ?? 0) - above + 1} @@`]
  for (const { start, end, otherStart, otherEnd } of group) {
    lines.push(
      ...marked(' ', from.slice(at, start)),
      ...marked('-', from.slice(start, end)),
      ...marked('+', to.slice(otherStart, otherEnd)),
    )
    at = end
  }
  return [...lines, ...marked(' ', from.slice(at, at + CONTEXT))]
}
