/** A stretch that differs: `start..end` of the base became `otherStart..otherEnd` of the other text, counted in tokens. */
interface Hunk {
  readonly start: number
  readonly end: number
  readonly otherStart: number
  readonly otherEnd: number
}

/** Past this many edits the search ends, because it grows with their square: the whole middle then counts as one edit (L11). */
const EDITS_MAX = 1000

type Settle = (base: string, mine: string, theirs: string) => string | null

/**
 * Three texts into one, or null where both changed the same place. By lines first; where lines touch, by words: two people who type in neighbouring
 * lines or at both ends of one line are not in each other's way.
 */
export function mergeText(base: string, mine: string, theirs: string): string | null {
  return mergeTokens(toLines, base, mine, theirs, (b, m, t) => mergeTokens(toWords, b, m, t, () => null))
}

/** Where a caret at `offset` of `before` belongs in `after`: with the letters around it, not at the same number. */
export function moveOffset(before: string, after: string, offset: number): number {
  const [a, b] = [toLines(before), toLines(after)]
  let shift = 0
  for (const hunk of diff(a, b)) {
    const from = lengthOf(a, 0, hunk.start)
    const old = a.slice(hunk.start, hunk.end).join('')
    if (offset < from || (offset === from && old !== '')) break
    const fresh = b.slice(hunk.otherStart, hunk.otherEnd).join('')
    const end = from + old.length
    if (offset < end || (offset === end && old !== '' && !old.endsWith('\n'))) return from + shift + offsetInside(old, fresh, offset - from)
    shift += fresh.length - old.length
  }
  return Math.min(after.length, offset + shift)
}

function offsetInside(old: string, fresh: string, offset: number): number {
  const [head, tail] = sharedEnds(old.split(''), fresh.split(''))
  return offset <= head ? offset : fresh.length - Math.min(tail, old.length - offset)
}

function mergeTokens(split: (text: string) => string[], base: string, mine: string, theirs: string, settle: Settle): string | null {
  if (mine === base || mine === theirs) return theirs
  if (theirs === base) return mine
  const tokens = split(base)
  const sides = [split(mine), split(theirs)] as const
  const hunks = sides.flatMap((side, index) => diff(tokens, side).map((hunk) => ({ ...hunk, index })))
  hunks.sort((a, b) => a.start - b.start || a.end - b.end)
  const position = [0, 0]
  let merged = ''
  let done = 0
  for (const group of groupTouching(hunks)) {
    const start = Math.min(...group.map((hunk) => hunk.start))
    const end = Math.max(...group.map((hunk) => hunk.end))
    merged += tokens.slice(done, start).join('')
    const texts = sides.map((side, index) => {
      const own = group.filter((hunk) => hunk.index === index)
      const from = position[index]! + start - done
      const to = own.reduce((length, hunk) => length + (hunk.otherEnd - hunk.otherStart) - (hunk.end - hunk.start), from + end - start)
      position[index] = to
      return own.length === 0 ? null : side.slice(from, to).join('')
    })
    done = end
    const [left, right] = texts as [string | null, string | null]
    const settled = left === null || right === null || left === right ? (left ?? right) : settle(tokens.slice(start, end).join(''), left, right)
    if (settled === null) return null
    merged += settled
  }
  return merged + tokens.slice(done).join('')
}

function groupTouching<Sided extends Hunk>(hunks: readonly Sided[]): Sided[][] {
  const groups: Sided[][] = []
  let end = -1
  for (const hunk of hunks) {
    if (hunk.start <= end) groups.at(-1)!.push(hunk)
    else groups.push([hunk])
    end = Math.max(end, hunk.end)
  }
  return groups
}

function diff(base: readonly string[], other: readonly string[]): Hunk[] {
  const [head, tail] = sharedEnds(base, other)
  const a = base.slice(head, base.length - tail)
  const b = other.slice(head, other.length - tail)
  const hunks: Hunk[] = []
  let [x, y] = [0, 0]
  for (const [i, j] of [...matchTokens(a, b), [a.length, b.length] as const]) {
    if (i > x || j > y) hunks.push({ start: x + head, end: i + head, otherStart: y + head, otherEnd: j + head })
    x = i + 1
    y = j + 1
  }
  return hunks
}

/** The pairs of equal tokens on the shortest edit path (Myers, greedy forward); none if the search was given up. */
function matchTokens(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const limit = Math.min(EDITS_MAX, a.length + b.length)
  const middle = limit + 1
  const reach = new Int32Array(2 * limit + 3)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(reach.slice())
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const previous = previousDiagonal(reach, middle, diagonal, edits)
      let x = reach[middle + previous]! + (previous < diagonal ? 1 : 0)
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++
      reach[middle + diagonal] = x
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trace, middle, a.length, b.length)
    }
  }
  return []
}

function previousDiagonal(reach: Int32Array, middle: number, diagonal: number, edits: number): number {
  const down = diagonal === -edits || (diagonal !== edits && reach[middle + diagonal - 1]! < reach[middle + diagonal + 1]!)
  return down ? diagonal + 1 : diagonal - 1
}

function walkBack(trace: readonly Int32Array[], middle: number, aLength: number, bLength: number): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let [x, y] = [aLength, bLength]
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits]!
    const previous = previousDiagonal(reach, middle, x - y, edits)
    const fromX = edits === 0 ? 0 : reach[middle + previous]!
    const fromY = edits === 0 ? 0 : fromX - previous
    while (x > fromX && y > fromY) pairs.push([--x, --y])
    x = fromX
    y = fromY
  }
  return pairs.reverse()
}

function sharedEnds(a: readonly string[], b: readonly string[]): [number, number] {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return [head, tail]
}

function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function toWords(text: string): string[] {
  return text.match(/\s|\S+/g) ?? []
}

function lengthOf(tokens: readonly string[], start: number, end: number): number {
  let length = 0
  for (let index = start; index < end; index++) length += tokens[index]!.length
  return length
}
