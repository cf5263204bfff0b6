import { expect, test } from 'vitest'
import { createBreaker } from './progress-breaker.ts'

test('[L11] the same error in four answers is no progress; four times in one answer is one error', () => {
  const breaker = createBreaker()
  const answers = Array.from({ length: 4 }, () => {
    breaker.answered()
    return Array.from({ length: 5 }, () => breaker.failed('it is not there')).filter((stop) => stop !== null)
  })
  expect(answers.map((stops) => stops.length)).toEqual([0, 0, 0, 1])
})

test('an error that is met again much later is not the same obstacle', () => {
  const breaker = createBreaker()
  const stops = Array.from({ length: 40 }, (_, answer) => {
    breaker.answered()
    return answer % 8 === 0 ? breaker.failed('it is not there') : null
  })
  expect(stops.every((stop) => stop === null)).toBe(true)
})

test('[L11] the same call three times in a row, or two calls taking turns, is no progress', () => {
  const breaker = createBreaker()
  expect([1, 2, 3].map(() => breaker.called('read', { path: 'a' }) !== null)).toEqual([false, false, true])
  const other = createBreaker()
  const turns = [1, 2, 3].flatMap(() => [other.called('read', 1), other.called('read', 2)])
  expect(turns.map((stop) => stop !== null)).toEqual([false, false, false, false, false, true])
})
