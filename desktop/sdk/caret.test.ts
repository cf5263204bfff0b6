import { assert, nat, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { moveOffset } from './caret.ts'

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
