import { array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeTyped } from './merge-text.ts'

describe('what is typed in two places becomes one', () => {
  test('edits of lines that do not touch are both kept', () => {
    expect(mergeTyped('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\nE\n')).toBe('A\nb\nc\nD\nE\n')
  })

  test('edits of neighbouring lines are both kept', () => {
    expect(mergeTyped('alpha\n', 'alpha beta\n', 'alpha\nnew\n')).toBe('alpha beta\nnew\n')
  })

  test('edits at both ends of one line are both kept', () => {
    expect(mergeTyped('one two three', 'zero one two three', 'one two three four')).toBe('zero one two three four')
  })

  test('the same edit on both sides is made once', () => {
    expect(mergeTyped('a\nb\n', 'a\nx\n', 'a\nx\n')).toBe('a\nx\n')
  })

  test('two different words in one place are a conflict', () => {
    expect(mergeTyped('a\nb\nc\n', 'a\nmine\nc\n', 'a\ntheirs\nc\n')).toBeNull()
    expect(mergeTyped('', 'mine', 'theirs')).toBeNull()
  })

  test('a deleted line that the other side changed is a conflict', () => {
    expect(mergeTyped('a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n')).toBeNull()
  })

  test('a side that changed nothing gives way', () => {
    assert(
      property(string(), string(), (base, other) => {
        expect([mergeTyped(base, base, other), mergeTyped(base, other, base)]).toEqual([other, other])
      }),
    )
  })

  test('what each side adds between the lines of a base is in the result, in order', () => {
    const lines = array(constantFrom('', 'x'), { minLength: 1, maxLength: 12 })
    assert(
      property(lines, lines, (mine, theirs) => {
        const size = Math.max(mine.length, theirs.length)
        const add = (marks: readonly string[], half: 0 | 1, name: string) =>
          range(size)
            .map(
              (line) =>
                `${half === 0 && marks[line] === 'x' ? `${name}${line} ` : ''}line ${line} end${half === 1 && marks[line] === 'x' ? ` ${name}${line}` : ''}\n`,
            )
            .join('')
        const expected = range(size)
          .map(
            (line) =>
              `${mine[line] === 'x' ? `M${line} ` : ''}line ${line} end${theirs[line] === 'x' ? ` T${line}` : ''}\n`,
          )
          .join('')
        expect(mergeTyped(add([], 0, ''), add(mine, 0, 'M'), add(theirs, 1, 'T'))).toBe(expected)
      }),
    )
  })

  test('texts that differ in more than can be searched are given up, not merged wrongly', () => {
    const text = (name: string) =>
      range(2000)
        .map((line) => `${name} ${line}\n`)
        .join('')
    expect(mergeTyped(text('a'), text('b'), text('c'))).toBeNull()
  })
})

function range(size: number): number[] {
  return Array.from({ length: size }, (_, index) => index)
}
