import { expect, test } from 'vitest'
import { agoWords } from './ago-words.ts'

test('how long ago is said in whole minutes, hours or days, and a clock that was set back tells no future', () => {
  const minutes = [-5, 0, 1, 59, 60, 150, 24 * 60, 49 * 60]
  expect(minutes.map((count) => agoWords(count * 60_000))).toEqual([
    'just now',
    'just now',
    'a minute ago',
    '59 minutes ago',
    'an hour ago',
    '2 hours ago',
    'a day ago',
    '2 days ago',
  ])
})
