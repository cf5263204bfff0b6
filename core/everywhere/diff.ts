/** A stretch that differs: lines `start..end` of the base became lines `otherStart..otherEnd` of the other text. */
export interface Hunk {
  readonly start: number
  readonly end: number
  readonly otherStart: number
  readonly otherEnd: number
}

/**
 * Past this many inserted and deleted lines the search for the shortest edit ends: it grows with the square of them
 * (L11).
 */
export const EDITS_MAX = 2000

/** And past this many comparisons: long runs of equal lines are walked again for every edit. */
const COMPARISONS_MAX = 50_000_000

/**
 * Splits so that joining gives back every byte: each line keeps its own ending, and a last line without one stays
 * without.
 */
export function splitLines(text: string): string[] {
  const lines: string[] = []
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    lines.push(text.slice(start, end + 1))
    start = end + 1
  }
  if (start < text.length) lines.push(text.slice(start))
  return lines
}

/**
 * The shortest edit from `base` to `other` (Myers, greedy forward). Where that takes too long, one hunk between the
 * ends that both share.
 */
export function diffLines(base: readonly string[], other: readonly string[]): Hunk[] {
  let prefix = 0
  while (prefix < base.length && prefix < other.length && base[prefix] === other[prefix]) prefix++
  let suffix = 0
  while (
    suffix < base.length - prefix &&
    suffix < other.length - prefix &&
    base[base.length - 1 - suffix] === other[other.length - 1 - suffix]
  )
    suffix++
  const aLength = base.length - suffix - prefix
  const bLength = other.length - suffix - prefix
  if (aLength === 0 && bLength === 0) return []
  const matches =
    aLength === 0 || bLength === 0
      ? []
      : matchLines(...numberLines(base.slice(prefix, prefix + aLength), other.slice(prefix, prefix + bLength)))
  return toHunks(matches, aLength, bLength, prefix)
}

/** Equal lines get equal numbers, so that a long line is compared once and not for every edit. */
function numberLines(a: readonly string[], b: readonly string[]): [Int32Array, Int32Array] {
  const known = new Map<string, number>()
  const toNumbers = (lines: readonly string[]): Int32Array => {
    const numbers = new Int32Array(lines.length)
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index] as string
      let number = known.get(line)
      if (number === undefined) known.set(line, (number = known.size))
      numbers[index] = number
    }
    return numbers
  }
  return [toNumbers(a), toNumbers(b)]
}

/** A run of equal lines: `length` of them from `x` in the one text and `y` in the other. */
interface Run {
  readonly x: number
  readonly y: number
  readonly length: number
}

/** The equal lines on the shortest edit path, in order; none if the search was given up. */
function matchLines(a: Int32Array, b: Int32Array): Run[] {
  const limit = Math.min(EDITS_MAX, a.length + b.length)
  const reach = new Int32Array(2 * limit + 3)
  const origin = limit + 1
  const trace: Int32Array[] = []
  let comparisons = 0
  for (let edits = 0; edits <= limit && comparisons < COMPARISONS_MAX; edits++) {
    trace.push(reach.slice(origin - edits - 1, origin + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const start = stepFrom(reach, origin, diagonal, edits)
      let x = start
      while (x < a.length && x - diagonal < b.length && x - diagonal >= 0 && a[x] === b[x - diagonal]) x++
      comparisons += x - start
      reach[origin + diagonal] = x
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trace, a.length, b.length)
    }
  }
  return []
}

function stepFrom(reach: Int32Array, origin: number, diagonal: number, edits: number): number {
  const left = reach[origin + diagonal - 1] as number
  const right = reach[origin + diagonal + 1] as number
  return diagonal === -edits || (diagonal !== edits && left < right) ? right : left + 1
}

function walkBack(trace: readonly Int32Array[], aLength: number, bLength: number): Run[] {
  const runs: Run[] = []
  let x = aLength
  let y = bLength
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] as Int32Array
    const origin = edits + 1
    const diagonal = x - y
    const start = edits === 0 ? 0 : stepFrom(reach, origin, diagonal, edits)
    const length = Math.max(0, Math.min(x - start, y - (start - diagonal)))
    x -= length
    y -= length
    if (length > 0) runs.push({ x, y, length })
    if (edits === 0) break
    const wentDown =
      diagonal === -edits ||
      (diagonal !== edits && (reach[origin + diagonal - 1] as number) < (reach[origin + diagonal + 1] as number))
    if (wentDown) y--
    else x--
  }
  return runs.reverse()
}

function toHunks(runs: readonly Run[], aLength: number, bLength: number, shift: number): Hunk[] {
  const hunks: Hunk[] = []
  let x = 0
  let y = 0
  for (const run of [...runs, { x: aLength, y: bLength, length: 0 }]) {
    if (run.x > x || run.y > y)
      hunks.push({ start: x + shift, end: run.x + shift, otherStart: y + shift, otherEnd: run.y + shift })
    x = run.x + run.length
    y = run.y + run.length
  }
  return hunks
}
