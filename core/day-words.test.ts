import { expect, test } from 'vitest'
import { dayWords } from './day-words.ts'

test('a day has its name', () => {
  expect(['2026-11-18', '2024-02-29'].map(dayWords)).toEqual(['Wednesday, 2026-11-18', 'Thursday, 2024-02-29'])
})
