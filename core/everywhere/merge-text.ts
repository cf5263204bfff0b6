import { diffLines, splitLines, type Hunk } from './diff.ts'

interface SidedHunk extends Hunk {
  readonly side: 0 | 1
}

/** What to write if both sides changed the same stretch; null: only a person can decide. */
type Settle = (base: string, mine: string, theirs: string) => string | null

const refuse: Settle = () => null

/**
 * Merges three texts into one by lines; null if both sides changed the same or neighbouring lines. Neighbours count as
 * a conflict: whether two adjacent edits belong together is a question only a person can answer.
 */
export function mergeText(base: string, mine: string, theirs: string): string | null {
  return mergeTokens(splitLines, base, mine, theirs, refuse)
}

/**
 * The same for a text that is being typed, while the person sees it: lines that touch are merged by words. Two people
 * who type in neighbouring lines, or at both ends of one line, do not disturb each other.
 */
export function mergeTyped(base: string, mine: string, theirs: string): string | null {
  return mergeTokens(splitLines, base, mine, theirs, (...stretch) => mergeTokens(splitWords, ...stretch, refuse))
}

function splitWords(text: string): string[] {
  return text.match(/\s|\S+/g) ?? []
}

function mergeTokens(
  split: (text: string) => string[],
  base: string,
  mine: string,
  theirs: string,
  settle: Settle,
): string | null {
  if (mine === base) return theirs
  if (theirs === base || mine === theirs) return mine
  const tokens = split(base)
  const sides = [split(mine), split(theirs)] as const
  const hunks = sides.flatMap((other, side) =>
    diffLines(tokens, other).map((hunk): SidedHunk => ({ ...hunk, side: side as 0 | 1 })),
  )
  hunks.sort((a, b) => a.start - b.start || a.end - b.end)

  const merged: string[] = []
  let done = 0
  for (const group of groupTouching(hunks)) {
    const start = Math.min(...group.map((hunk) => hunk.start))
    const end = Math.max(...group.map((hunk) => hunk.end))
    const replacement = replace(group, start, end, tokens, sides, settle)
    if (replacement === null) return null
    addLines(merged, tokens, done, start)
    merged.push(replacement)
    done = end
  }
  addLines(merged, tokens, done, tokens.length)
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
  settle: Settle,
): string | null {
  const textOf = (side: 0 | 1) =>
    sideOf(
      group.filter((hunk) => hunk.side === side),
      start,
      end,
      lines,
      sides[side],
    )
  const [mine, theirs] = [textOf(0), textOf(1)]
  if (mine === null || theirs === null || mine === theirs) return mine ?? theirs
  return settle(lines.slice(start, end).join(''), mine, theirs)
}

/** One side's whole text for a stretch of the base, or null if that side left it alone. */
function sideOf(
  hunks: readonly SidedHunk[],
  start: number,
  end: number,
  lines: readonly string[],
  other: readonly string[],
): string | null {
  if (hunks.length === 0) return null
  const text: string[] = []
  let done = start
  for (const hunk of hunks) {
    addLines(text, lines, done, hunk.start)
    addLines(text, other, hunk.otherStart, hunk.otherEnd)
    done = hunk.end
  }
  addLines(text, lines, done, end)
  return text.join('')
}
