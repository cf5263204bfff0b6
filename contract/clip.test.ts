import { expect, test } from 'vitest'
import { clip } from './clip.ts'

test('a text is cut to its limit, never through the middle of a character, and is always Unicode', () => {
  expect(clip('short', 10)).toBe('short')
  expect(clip('exactly ten'.slice(0, 10), 10)).toBe('exactly te')
  expect(clip('too long by far', 5)).toBe('too …')
  expect(clip('abc😀😀', 5)).toBe('abc…')
  for (let max = 1; max < 12; max++)
    expect([clip('😀'.repeat(9), max).isWellFormed(), clip('😀'.repeat(9), max).length <= max]).toEqual([true, true])
  expect(clip('\ud800 alone', 20).isWellFormed()).toBe(true)
})
