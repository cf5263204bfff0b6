import { expect, test } from 'vitest'
import { guessTokens } from './guess-tokens.ts'

test('[L11] a reservation is fair to every script: what tokenizers cut finer is counted finer', () => {
  expect(guessTokens('')).toBe(0)
  expect(guessTokens('a'.repeat(300))).toBe(100)
  // About one token a character in today's tokenizers, up to two in older ones.
  expect(guessTokens('漢'.repeat(100))).toBe(150)
  expect(guessTokens('ж'.repeat(100))).toBe(100)
  expect(guessTokens('😀'.repeat(100))).toBe(200)
})
