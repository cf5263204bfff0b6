/** A stretch that differs: lines `start..end` of the base became lines `otherStart..otherEnd` of the other text. */
export interface Hunk {
  readonly start: number
  readonly end: number
  readonly otherStart: number
  readonly otherEnd: number
}

/** Past this many inserted and deleted lines two texts count as unrelated: the search grows with the square of it (L11). */
export const EDITS_MAX = 2000

/** Splits so that joining gives back every byte: each line keeps its own ending, and a last line without one stays without. */
export function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

/** The shortest edit from `base` to `other` (Myers, greedy forward), or null if it needs more than EDITS_MAX edits. */
export function diffLines(base: readonly string[], other: readonly string[]): Hunk[] | null {
  let prefix = 0
  while (prefix < base.length && prefix < other.length && base[prefix] === other[prefix]) prefix++
  let suffix = 0
  while (suffix < base.length - prefix && suffix < other.length - prefix && base[base.length - 1 - suffix] === other[other.length - 1 - suffix])
    suffix++
  const a = base.slice(prefix, base.length - suffix)
  const b = other.slice(prefix, other.length - suffix)
  if (a.length === 0 && b.length === 0) return []
  const matches = a.length === 0 || b.length === 0 ? [] : matchLines(a, b)
  return matches === null ? null : toHunks(matches, a.length, b.length, prefix)
}

type Match = readonly [aIndex: number, bIndex: number]

/** Pairs of equal lines on the shortest edit path, in order. */
function matchLines(a: readonly string[], b: readonly string[]): Match[] | null {
  const limit = Math.min(EDITS_MAX, a.length + b.length)
  const reach = new Int32Array(2 * limit + 3)
  const origin = limit + 1
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(reach.slice(origin - edits - 1, origin + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepFrom(reach, origin, diagonal, edits)
      while (x < a.length && x - diagonal < b.length && x - diagonal >= 0 && a[x] === b[x - diagonal]) x++
      reach[origin + diagonal] = x
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trace, a.length, b.length)
    }
  }
  return null
}

function stepFrom(reach: Int32Array, origin: number, diagonal: number, edits: number): number {
  const left = reach[origin + diagonal - 1] as number
  const right = reach[origin + diagonal + 1] as number
  return diagonal === -edits || (diagonal !== edits && left < right) ? right : left + 1
}

function walkBack(trace: readonly Int32Array[], aLength: number, bLength: number): Match[] {
  const matches: Match[] = []
  let x = aLength
  let y = bLength
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] as Int32Array
    const origin = edits + 1
    const diagonal = x - y
    const start = edits === 0 ? 0 : stepFrom(reach, origin, diagonal, edits)
    while (x > start && y > start - diagonal) {
      x--
      y--
      matches.push([x, y])
    }
    if (edits === 0) break
    const wentDown =
      diagonal === -edits || (diagonal !== edits && (reach[origin + diagonal - 1] as number) < (reach[origin + diagonal + 1] as number))
    if (wentDown) y--
    else x--
  }
  return matches.reverse()
}

function toHunks(matches: readonly Match[], aLength: number, bLength: number, shift: number): Hunk[] {
  const hunks: Hunk[] = []
  let x = 0
  let y = 0
  for (const [matchX, matchY] of [...matches, [aLength, bLength] as Match]) {
    if (matchX > x || matchY > y) hunks.push({ start: x + shift, end: matchX + shift, otherStart: y + shift, otherEnd: matchY + shift })
    x = matchX + 1
    y = matchY + 1
  }
  return hunks
}
