import type { DiffHunk, DiffLine } from '@choiros/sdk/contract.ts'

/** A line on one side. `mark`: the part of it that differs from the line beside it. */
export interface Side {
  readonly number: number
  readonly text: string
  readonly unended: boolean
  readonly mark: readonly [number, number] | null
}

/** Two lines that are shown beside each other; both are the same text if nothing changed. */
export interface Pair {
  readonly same: boolean
  readonly before: Side | null
  readonly after: Side | null
}

/** A line when both texts are shown in one column. */
export interface Row {
  readonly is: DiffLine['is']
  readonly before: number | null
  readonly after: number | null
  readonly side: Side
}

/** Each removed line beside the added one that took its place. */
export function pairsOf({ before, after, lines }: DiffHunk): Pair[] {
  const pairs: Pair[] = []
  let removed: Side[] = []
  let added: Side[] = []
  let [left, right] = [before, after]
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      pairs.push(marked(removed[index], added[index]))
    removed = []
    added = []
  }
  for (const { is, text, unended } of lines) {
    const side = (number: number): Side => ({ number, text, unended, mark: null })
    if (is === 'removed') {
      if (added.length > 0) flush()
      removed.push(side(left++))
    } else if (is === 'added') added.push(side(right++))
    else {
      flush()
      pairs.push({ same: true, before: side(left++), after: side(right++) })
    }
  }
  flush()
  return pairs
}

/** In one column: removed lines, then added ones. */
export function rowsOf(pairs: readonly Pair[]): Row[] {
  const rows: Row[] = []
  let waiting: Row[] = []
  for (const { same, before, after } of pairs) {
    if (same && before !== null && after !== null) {
      rows.push(...waiting, { is: 'same', before: before.number, after: after.number, side: after })
      waiting = []
      continue
    }
    if (before !== null) rows.push({ is: 'removed', before: before.number, after: null, side: before })
    if (after !== null) waiting.push({ is: 'added', before: null, after: after.number, side: after })
  }
  return [...rows, ...waiting]
}

/** Two lines with less in common are not one line that changed: marks would only disturb. */
const COMMON_MIN = 0.3

function marked(before: Side | undefined, after: Side | undefined): Pair {
  if (before === undefined || after === undefined) return { same: false, before: before ?? null, after: after ?? null }
  const [a, b] = [before.text, after.text]
  const shortest = Math.min(a.length, b.length)
  let start = 0
  while (start < shortest && a[start] === b[start]) start++
  let end = 0
  while (end < shortest - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const common = a.slice(0, start).trim().length + a.slice(a.length - end).trim().length
  if (common < COMMON_MIN * Math.max(a.trim().length, b.trim().length)) return { same: false, before, after }
  return {
    same: false,
    before: { ...before, mark: [start, a.length - end] },
    after: { ...after, mark: [start, b.length - end] },
  }
}
