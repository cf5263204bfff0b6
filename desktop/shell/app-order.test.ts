import { expect, test } from 'vitest'
import { fit, inOrder } from './app-order.ts'

const app = (id: string, cameSeq: number) => ({ id, title: id, cameSeq })
const ids = (apps: readonly { id: string }[]) => apps.map(({ id }) => id)

test('base apps come first, the others by when they came', () => {
  expect(ids(inOrder([app('abacus', 30), app('writer', 1), app('zoo', 20), app('files', 1)], []))).toEqual([
    'files',
    'writer',
    'zoo',
    'abacus',
  ])
})

test('an app that has its place keeps it: a new one, or one that was rewritten, moves nobody', () => {
  const before = ['files', 'zoo', 'notes']
  expect(ids(inOrder([app('abacus', 5), app('notes', 20), app('zoo', 90), app('files', 1)], before))).toEqual([
    'files',
    'zoo',
    'notes',
    'abacus',
  ])
})

test('names while there is room, then glyphs, then a menu whose button has room too', () => {
  const room = (apps: number, freePx: number) => ({
    namedPx: Array.from({ length: apps }, () => 90),
    glyphPx: 40,
    freePx,
  })
  expect([fit(room(6, 540)), fit(room(6, 539)), fit(room(12, 480)), fit(room(12, 479)), fit(room(3, 30))]).toEqual([
    { shown: 6, named: 6 },
    { shown: 6, named: 5 },
    { shown: 12, named: 0 },
    { shown: 10, named: 0 },
    { shown: 0, named: 0 },
  ])
})
