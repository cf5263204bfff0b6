/** The stretch of a text that is most like what was looked for. */
export interface Nearest {
  /** Of its first line, from 1. */
  readonly line: number
  readonly lines: readonly string[]
  /** The first line that differs, as it is and as it was looked for. */
  readonly differs: { readonly line: number; readonly is: string; readonly wanted: string }
}

/** Past this many comparisons the nearest is not worth its time (L11). */
const COMPARISONS_MAX = 2_000_000
/** Below this part of equal lines it is not what was meant. */
const LIKENESS_MIN = 0.4

export function nearestLines(text: string, wanted: string): Nearest | null {
  const lines = text.split('\n')
  const sought = wanted.replace(/\n$/, '').split('\n')
  if (lines.length * sought.length > COMPARISONS_MAX) return null
  const soughtBare = sought.map(bare)
  const linesBare = lines.map(bare)
  let best = { at: -1, likeness: 0 }
  for (let at = 0; at + sought.length <= lines.length; at++) {
    let sum = 0
    for (let index = 0; index < sought.length; index++)
      sum += likeness(linesBare[at + index] ?? '', soughtBare[index] ?? '')
    if (sum > best.likeness) best = { at, likeness: sum }
  }
  if (best.at < 0 || best.likeness / sought.length < LIKENESS_MIN) return null
  const found = lines.slice(best.at, best.at + sought.length)
  const index = found.findIndex((line, offset) => line !== sought[offset])
  const differing = Math.max(0, index)
  return {
    line: best.at + 1,
    lines: found,
    differs: { line: best.at + 1 + differing, is: found[differing] ?? '', wanted: sought[differing] ?? '' },
  }
}

function bare(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ')
}

/** 1 for equal lines; otherwise the part of letter pairs that both have. */
function likeness(a: string, b: string): number {
  if (a === b) return 1
  if (a === '' || b === '') return 0
  const pairs = new Map<string, number>()
  for (let index = 0; index < a.length - 1; index++) {
    const pair = a.slice(index, index + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  let both = 0
  for (let index = 0; index < b.length - 1; index++) {
    const pair = b.slice(index, index + 2)
    const left = pairs.get(pair) ?? 0
    if (left > 0) {
      both++
      pairs.set(pair, left - 1)
    }
  }
  return (0.95 * (2 * both)) / Math.max(1, a.length + b.length - 2)
}
