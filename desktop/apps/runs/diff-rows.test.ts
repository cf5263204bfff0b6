import { expect, test } from 'vitest'
import type { DiffLine } from '@choiros/sdk/contract.ts'
import { pairsOf, rowsOf, type Pair } from './diff-rows.ts'

const line = (text: string): DiffLine => ({
  is: text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'same',
  text: text.slice(1),
  unended: false,
})
const hunk = {
  before: 4,
  after: 6,
  lines: [' a', '-const x = 1', '-gone', '+const x = 2', ' b', '+new', '-old', ' c'].map(line),
}
const shown = ({ before, after }: Pair) => [
  before === null ? '' : `${before.number} ${before.text}`,
  after === null ? '' : `${after.number} ${after.text}`,
]

test('side by side, each line stands beside the one that took its place', () => {
  expect(pairsOf(hunk).map(shown)).toEqual([
    ['4 a', '6 a'],
    ['5 const x = 1', '7 const x = 2'],
    ['6 gone', ''],
    ['7 b', '8 b'],
    ['', '9 new'],
    ['8 old', ''],
    ['9 c', '10 c'],
  ])
})

test('one below the other, what went comes before what came, and lines have the numbers of their own side', () => {
  expect(rowsOf(pairsOf(hunk)).map(({ is, before, after, side }) => [is, before, after, side.text])).toEqual([
    ['same', 4, 6, 'a'],
    ['removed', 5, null, 'const x = 1'],
    ['removed', 6, null, 'gone'],
    ['added', null, 7, 'const x = 2'],
    ['same', 7, 8, 'b'],
    ['removed', 8, null, 'old'],
    ['added', null, 9, 'new'],
    ['same', 9, 10, 'c'],
  ])
})

test('what differs within a line is marked, unless nearly all of it does', () => {
  const marks = (before: string, after: string) => {
    const [pair] = pairsOf({ before: 1, after: 1, lines: [line(`-${before}`), line(`+${after}`)] })
    return [pair?.before?.mark, pair?.after?.mark]
  }
  expect(marks('const x = 1', 'const x = 23')).toEqual([
    [10, 11],
    [10, 12],
  ])
  expect(marks('  return 1', '  throw new Error()')).toEqual([null, null])
  expect(marks('abc', 'abcd')).toEqual([
    [3, 3],
    [3, 4],
  ])
})
