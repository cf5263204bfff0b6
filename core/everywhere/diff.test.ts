import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLines, EDITS_MAX, splitLines, type Hunk } from './diff.ts'

function replay(base: readonly string[], other: readonly string[], hunks: readonly Hunk[]): string[] {
  const result: string[] = []
  let done = 0
  for (const hunk of hunks) {
    result.push(...base.slice(done, hunk.start), ...other.slice(hunk.otherStart, hunk.otherEnd))
    done = hunk.end
  }
  return [...result, ...base.slice(done)]
}

const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd'), { maxLength: 30 })

describe('[MG1] a diff', () => {
  test('turns the base into the other text, in hunks that are in order and never touch', () => {
    fc.assert(
      fc.property(lines, lines, (base, other) => {
        const hunks = diffLines(base, other)
        expect(replay(base, other, hunks)).toEqual(other)
        for (const [index, hunk] of hunks.entries()) {
          expect(hunk.end - hunk.start + hunk.otherEnd - hunk.otherStart).toBeGreaterThan(0)
          const next = hunks[index + 1]
          const between = next === undefined ? [1, 1] : [next.start - hunk.end, next.otherStart - hunk.otherEnd]
          expect(between[0]).toBeGreaterThan(0)
          expect(between[0]).toBe(between[1])
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('is the shortest one', () => {
    const longestCommon = (a: readonly string[], b: readonly string[]): number => {
      let row: number[] = Array.from({ length: b.length + 1 }, () => 0)
      for (const line of a) {
        const next = [0]
        for (const [j, other] of b.entries())
          next.push(line === other ? (row[j] as number) + 1 : Math.max(row[j + 1] as number, next[j] as number))
        row = next
      }
      return row[b.length] as number
    }
    fc.assert(
      fc.property(lines, lines, (base, other) => {
        const edits = diffLines(base, other).reduce(
          (sum, hunk) => sum + hunk.end - hunk.start + hunk.otherEnd - hunk.otherStart,
          0,
        )
        expect(edits).toBe(base.length + other.length - 2 * longestCommon(base, other))
      }),
      { numRuns: 1000 },
    )
  })

  test('of equal texts is empty, and of anything with nothing is one hunk', () => {
    expect(diffLines(['a\n'], ['a\n'])).toEqual([])
    expect(diffLines([], ['a\n', 'b'])).toEqual([{ start: 0, end: 0, otherStart: 0, otherEnd: 2 }])
    expect(diffLines(['a\n', 'b'], [])).toEqual([{ start: 0, end: 2, otherStart: 0, otherEnd: 0 }])
  })

  test('of texts that differ too much is one hunk between what they share at both ends', () => {
    const base = ['same\n', ...Array.from({ length: EDITS_MAX }, (_, i) => `old ${i}\n`), 'last\n']
    const other = ['same\n', ...Array.from({ length: EDITS_MAX }, (_, i) => `new ${i}\n`), 'last\n']
    expect(diffLines(base, other)).toEqual([{ start: 1, end: EDITS_MAX + 1, otherStart: 1, otherEnd: EDITS_MAX + 1 }])
  })
})

test('[MG1] splitting keeps every byte: joined lines are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028', '\ufeff', 'é') }), (text) => {
      const split = splitLines(text)
      expect(split.join('')).toBe(text)
      expect(split.every((line, index) => line !== '' && (line.endsWith('\n') || index === split.length - 1))).toBe(
        true,
      )
    }),
  )
})
