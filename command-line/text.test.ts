import { expect, test } from 'vitest'
import { inLines, inOneLine } from './text.ts'

test('what was said over several lines is printed so, and drives no terminal', () => {
  expect(inLines('one\r\ntwo \u001b[31m\n\nthree', '  ')).toBe('  one\n  two \\u001b[31m\n  \n  three')
})

test('in a list it has one line', () => {
  expect(inOneLine('one\ntwo\u0007\r\nthree')).toBe('one two\\u0007 three')
})
