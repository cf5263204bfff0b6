import { array, assert, constantFrom, nat, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeText, moveOffset } from './merge.ts'

describe('three texts become one', () => {
  test('edits of lines that do not touch are both kept', () => {
    expect(mergeText('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\nE\n')).toBe('A\nb\nc\nD\nE\n')
  })

  test('edits of neighbouring lines are both kept', () => {
    expect(mergeText('alpha\n', 'alpha beta\n', 'alpha\nnew\n')).toBe('alpha beta\nnew\n')
  })

  test('edits at both ends of one line are both kept', () => {
    expect(mergeText('one two three', 'zero one two three', 'one two three four')).toBe('zero one two three four')
  })

  test('the same edit on both sides is made once', () => {
    expect(mergeText('a\nb\n', 'a\nx\n', 'a\nx\n')).toBe('a\nx\n')
  })

  test('two different words in one place are a conflict', () => {
    expect(mergeText('a\nb\nc\n', 'a\nmine\nc\n', 'a\ntheirs\nc\n')).toBeNull()
    expect(mergeText('', 'mine', 'theirs')).toBeNull()
  })

  test('a deleted line that the other side changed is a conflict', () => {
    expect(mergeText('a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n')).toBeNull()
  })

  test('a side that changed nothing gives way', () => {
    assert(
      property(string(), string(), (base, other) => {
        expect([mergeText(base, base, other), mergeText(base, other, base)]).toEqual([other, other])
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
          .map((line) => `${mine[line] === 'x' ? `M${line} ` : ''}line ${line} end${theirs[line] === 'x' ? ` T${line}` : ''}\n`)
          .join('')
        expect(mergeText(add([], 0, ''), add(mine, 0, 'M'), add(theirs, 1, 'T'))).toBe(expected)
      }),
    )
  })

  test('texts that differ in more than can be searched are given up, not merged wrongly', () => {
    const text = (name: string) =>
      range(2000)
        .map((line) => `${name} ${line}\n`)
        .join('')
    expect(mergeText(text('a'), text('b'), text('c'))).toBeNull()
  })
})

describe('a caret', () => {
  test('stays with its letters when lines come before it', () => {
    expect(moveOffset('one\ntwo\n', 'zero\none\ntwo\n', 'one\ntw'.length)).toBe('zero\none\ntw'.length)
    expect(moveOffset('one\n', 'zero\none\n', 0)).toBe('zero\n'.length)
  })

  test('stays where it is when text comes after it', () => {
    expect(moveOffset('one', 'one\ntwo', 3)).toBe(3)
    expect(moveOffset('one\ntwo\n', 'one\nTWO and more\n', 2)).toBe(2)
  })

  test('stays with its letters inside a changed line', () => {
    expect(moveOffset('hello world', 'oh hello world', 'hello w'.length)).toBe('oh hello w'.length)
    expect(moveOffset('hello world', 'hello world, all', 'hello'.length)).toBe('hello'.length)
  })

  test('is always inside the text', () => {
    assert(
      property(string(), string(), nat(), (before, after, at) => {
        const offset = moveOffset(before, after, at % (before.length + 1))
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(offset).toBeLessThanOrEqual(after.length)
      }),
    )
  })
})

function range(size: number): number[] {
  return Array.from({ length: size }, (_, index) => index)
}
