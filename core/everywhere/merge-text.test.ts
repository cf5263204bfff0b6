import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeText } from './merge-text.ts'

const numbered = (count: number, end = '\n') => Array.from({ length: count }, (_, index) => `line ${index}${end}`)

/** The text with some lines replaced; an empty replacement deletes the line. */
function edited(lines: readonly string[], edits: Readonly<Record<number, string>>): string {
  return lines.map((line, index) => edits[index] ?? line).join('')
}

describe('[MG2] merging text by lines', () => {
  const lines = numbered(10)
  const base = lines.join('')

  test('takes both sides where they changed different lines', () => {
    expect(mergeText(base, edited(lines, { 1: 'mine\n' }), edited(lines, { 8: 'theirs\n' }))).toBe(
      edited(lines, { 1: 'mine\n', 8: 'theirs\n' }),
    )
    expect(mergeText(base, edited(lines, { 4: '' }), edited(lines, { 6: 'line 6\nmore\n' }))).toBe(
      edited(lines, { 4: '', 6: 'line 6\nmore\n' }),
    )
  })

  test('takes the side that changed where the other did not', () => {
    expect(mergeText(base, base, 'all new')).toBe('all new')
    expect(mergeText(base, 'all new', base)).toBe('all new')
    expect(mergeText(base, 'all new', 'all new')).toBe('all new')
  })

  test('takes the same edit once', () => {
    const both = { 3: 'same\n' }
    expect(mergeText(base, edited(lines, { ...both, 7: 'mine\n' }), edited(lines, both))).toBe(
      edited(lines, { ...both, 7: 'mine\n' }),
    )
  })

  test('refuses edits of the same line, of neighbouring lines, and inserts at the same place', () => {
    const conflicts: readonly (readonly [string, string])[] = [
      [edited(lines, { 4: 'mine\n' }), edited(lines, { 4: 'theirs\n' })],
      [edited(lines, { 4: 'mine\n' }), edited(lines, { 5: 'theirs\n' })],
      [edited(lines, { 4: '' }), edited(lines, { 5: 'theirs\n' })],
      [edited(lines, { 4: 'line 4\nmine\n' }), edited(lines, { 4: 'line 4\ntheirs\n' })],
      [edited(lines, { 4: 'line 4\nmine\n' }), edited(lines, { 5: 'theirs\n' })],
      [edited(lines, { 4: '' }), edited(lines, { 4: 'theirs\n' })],
      [`${base}mine\n`, `${base}theirs\n`],
      [`mine\n${base}`, `theirs\n${base}`],
    ]
    expect(conflicts.map(([mine, theirs]) => mergeText(base, mine, theirs))).toEqual(conflicts.map(() => null))
  })

  test('one untouched line between two edits is enough', () => {
    expect(mergeText(base, edited(lines, { 4: 'mine\n' }), edited(lines, { 6: 'theirs\n' }))).toBe(
      edited(lines, { 4: 'mine\n', 6: 'theirs\n' }),
    )
  })

  test('keeps CRLF, a missing last newline and a byte order mark as they were', () => {
    const dos = numbered(8, '\r\n')
    expect(mergeText(dos.join(''), edited(dos, { 1: 'mine\r\n' }), edited(dos, { 5: 'theirs\r\n' }))).toBe(
      edited(dos, { 1: 'mine\r\n', 5: 'theirs\r\n' }),
    )
    const open = [...numbered(5), 'no newline']
    expect(mergeText(open.join(''), edited(open, { 1: 'mine\n' }), edited(open, { 5: 'still none' }))).toBe(
      edited(open, { 1: 'mine\n', 5: 'still none' }),
    )
    expect(mergeText(open.join(''), edited(open, { 1: 'mine\n' }), edited(open, { 5: 'now one\n' }))).toBe(
      edited(open, { 1: 'mine\n', 5: 'now one\n' }),
    )
    const marked = ['\ufeffline 0\n', ...numbered(5)]
    expect(mergeText(marked.join(''), edited(marked, { 2: 'mine\n' }), edited(marked, { 5: 'theirs\n' }))).toBe(
      edited(marked, { 2: 'mine\n', 5: 'theirs\n' }),
    )
  })

  test('is the same with the sides exchanged', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 12 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, text, text, (any, mine, theirs) => {
        expect(mergeText(any, mine, theirs)).toBe(mergeText(any, theirs, mine))
      }),
      { numRuns: 2000 },
    )
  })

  test('never drops or invents a line: every merged line comes from a side', () => {
    const text = fc.array(
      fc.nat({ max: 40 }).map((n) => `${n}\n`),
      { maxLength: 15 },
    )
    fc.assert(
      fc.property(text, text, text, (any, mine, theirs) => {
        const merged = mergeText(any.join(''), mine.join(''), theirs.join(''))
        fc.pre(merged !== null)
        const result = merged === '' ? [] : merged.split(/(?<=\n)/)
        expect(result.every((line) => mine.includes(line) || theirs.includes(line))).toBe(true)
        const kept = any.filter(
          (line) => mine.includes(line) && theirs.includes(line) && any.filter((other) => other === line).length === 1,
        )
        expect(kept.every((line) => result.includes(line))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('merges around a rewritten block that is too long to compare', () => {
    const long = numbered(6000)
    const rewritten = long.map((line, index) => (index > 100 && index < 5900 ? `rewritten ${index}\n` : line)).join('')
    expect(mergeText(long.join(''), rewritten, edited(long, { 5: 'theirs\n', 5990: 'theirs too\n' }))).toContain(
      'theirs too\n',
    )
    expect(mergeText(long.join(''), rewritten, edited(long, { 3000: 'theirs\n' }))).toBeNull()
  })
})

describe('[MG3] [L11] merging ends within its time, whatever it is given', () => {
  const within = (limitMs: number, work: () => unknown) => {
    const start = performance.now()
    const result = work()
    expect(performance.now() - start).toBeLessThan(limitMs)
    return result
  }

  test('100,000 equal lines with edits at both ends', () => {
    const equal = 'x\n'.repeat(100_000)
    expect(within(3000, () => mergeText(equal, `mine\n${equal}`, `${equal}theirs\n`))).toBe(`mine\n${equal}theirs\n`)
    within(3000, () => mergeText(`a\n${equal}b\n`, `c\n${'x\n'.repeat(99_000)}d\n`, `e\n${'x\n'.repeat(99_500)}f\n`))
  })

  test('100,000 lines in which everything changed', () => {
    const all = (mark: string) => Array.from({ length: 100_000 }, (_, index) => `${mark} ${index}\n`).join('')
    expect(within(3000, () => mergeText(all('a'), all('b'), all('c')))).toBeNull()
  })

  test('2,000,000 short lines with one edit each', () => {
    const many = '\n'.repeat(2_000_000)
    expect(within(30_000, () => mergeText(many, `mine${many}`, `${many}theirs`))).toBe(`mine${many}theirs`)
  })

  test('2,000,000 equal lines of which a thousand are gone, between edits at both ends', () => {
    const equal = (count: number, mark: string) => `${mark}\n${'x\n'.repeat(count)}${mark}\n`
    expect(
      within(30_000, () => mergeText(equal(2_000_000, 'a'), equal(1_999_000, 'b'), equal(1_999_500, 'c'))),
    ).toBeNull()
  })

  test('4,000 different lines of 1 KiB against 4,000 others', () => {
    const long = (mark: string) =>
      Array.from({ length: 4000 }, (_, index) => `${'x'.repeat(1000)}${index % 3 === 0 ? mark : ''}${index}\n`).join('')
    expect(within(3000, () => mergeText(long('a'), long('b'), long('c')))).toBeNull()
  })

  test('one line of 1 MiB', () => {
    const line = (mark: string) => `${'x'.repeat(512 * 1024)}${mark}${'x'.repeat(512 * 1024)}`
    expect(within(1000, () => mergeText(line('a'), line('b'), line('c')))).toBeNull()
    expect(within(1000, () => mergeText(line('a'), line('b'), line('a')))).toBe(line('b'))
  })
})
