import { diffLines, splitLines, type Hunk } from './diff.ts'

interface SidedHunk extends Hunk {
  readonly side: 0 | 1
}

/**
 * Three texts into one by lines, or null where both sides changed the same or neighbouring lines.
 * Neighbours count as a conflict: whether two adjacent edits belong together is a question only a person can answer.
 */
export function mergeText(base: string, mine: string, theirs: string): string | null {
  if (mine === base) return theirs
  if (theirs === base || mine === theirs) return mine
  const lines = splitLines(base)
  const sides = [splitLines(mine), splitLines(theirs)] as const
  const mineHunks = diffLines(lines, sides[0])
  const theirHunks = diffLines(lines, sides[1])
  const hunks = [...mineHunks.map((hunk) => ({ ...hunk, side: 0 as const })), ...theirHunks.map((hunk) => ({ ...hunk, side: 1 as const }))]
  hunks.sort((a, b) => a.start - b.start || a.end - b.end)

  const merged: string[] = []
  let done = 0
  for (const group of groupTouching(hunks)) {
    const start = Math.min(...group.map((hunk) => hunk.start))
    const end = Math.max(...group.map((hunk) => hunk.end))
    const replacement = replace(group, start, end, lines, sides)
    if (replacement === null) return null
    addLines(merged, lines, done, start)
    addLines(merged, replacement, 0, replacement.length)
    done = end
  }
  addLines(merged, lines, done, lines.length)
  return merged.join('')
}

/** Not push(...lines): a file of 200,000 lines is more than an argument list can hold. */
function addLines(text: string[], lines: readonly string[], start: number, end: number): void {
  for (let index = start; index < end; index++) text.push(lines[index] as string)
}

function groupTouching(hunks: readonly SidedHunk[]): SidedHunk[][] {
  const groups: SidedHunk[][] = []
  let end = -1
  for (const hunk of hunks) {
    const group = groups.at(-1)
    if (group !== undefined && hunk.start <= end) group.push(hunk)
    else groups.push([hunk])
    end = Math.max(end, hunk.end)
  }
  return groups
}

function replace(
  group: readonly SidedHunk[],
  start: number,
  end: number,
  lines: readonly string[],
  sides: readonly [string[], string[]],
): string[] | null {
  const texts = ([0, 1] as const).map((side) =>
    sideOf(
      group.filter((hunk) => hunk.side === side),
      start,
      end,
      lines,
      sides[side],
    ),
  )
  const [mine, theirs] = texts as [string[] | null, string[] | null]
  if (mine === null) return theirs
  if (theirs === null) return mine
  return mine.length === theirs.length && mine.every((line, index) => line === theirs[index]) ? mine : null
}

/** One side's whole text for a stretch of the base, or null if that side left it alone. */
function sideOf(hunks: readonly SidedHunk[], start: number, end: number, lines: readonly string[], other: readonly string[]): string[] | null {
  if (hunks.length === 0) return null
  const text: string[] = []
  let done = start
  for (const hunk of hunks) {
    addLines(text, lines, done, hunk.start)
    addLines(text, other, hunk.otherStart, hunk.otherEnd)
    done = hunk.end
  }
  addLines(text, lines, done, end)
  return text
}
