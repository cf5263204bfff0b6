import { diffLines, splitLines } from '@choiros/core/everywhere/diff.ts'

/**
 * Where a caret at `offset` of `before` belongs in `after`: it stays with the letters around it, not at the same
 * number.
 */
export function moveOffset(before: string, after: string, offset: number): number {
  const [a, b] = [splitLines(before), splitLines(after)]
  let shift = 0
  for (const hunk of diffLines(a, b)) {
    const from = lengthOf(a, 0, hunk.start)
    const old = a.slice(hunk.start, hunk.end).join('')
    if (offset < from || (offset === from && old !== '')) break
    const fresh = b.slice(hunk.otherStart, hunk.otherEnd).join('')
    const end = from + old.length
    if (offset < end || (offset === end && old !== '' && !old.endsWith('\n')))
      return from + shift + offsetInside(old, fresh, offset - from)
    shift += fresh.length - old.length
  }
  return Math.min(after.length, offset + shift)
}

function offsetInside(old: string, fresh: string, offset: number): number {
  const [head, tail] = sharedEnds(old.split(''), fresh.split(''))
  return offset <= head ? offset : fresh.length - Math.min(tail, old.length - offset)
}

function sharedEnds(a: readonly string[], b: readonly string[]): [number, number] {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return [head, tail]
}

function lengthOf(tokens: readonly string[], start: number, end: number): number {
  let length = 0
  for (let index = start; index < end; index++) length += tokens[index]!.length
  return length
}
