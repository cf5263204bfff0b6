import { expect, test } from 'vitest'
import { clockText, FIRST, leftAt, pause, setLength, start, toTimer } from './apps/timer/countdown.ts'
import { addItem, checkItem, EMPTY, inOrder, removeItems, type List } from './apps/todo/items.ts'

const list = addItem(addItem(EMPTY, 'b', 'bread'), 'a', 'apples')

test('items stand in the order of their ids, done ones last', () => {
  expect(inOrder(checkItem(list, 'a', true)).map(([, { text, done }]) => [text, done])).toEqual([
    ['bread', false],
    ['apples', true],
  ])
})

test('what is done is cleared, and what is gone already stays gone', () => {
  const cleared = removeItems(checkItem(list, 'b', true), (_, { done }) => done)
  expect([Object.keys(cleared.items), checkItem(cleared, 'b', true)]).toEqual([['a'], cleared])
})

test('a file with something else in it shows nothing and does not throw', () => {
  expect([null, {}, { items: { a: null, b: 4 } }].map((value) => inOrder(value as unknown as List))).toEqual([
    [],
    [],
    [],
  ])
})

test('a timer that runs, rests and runs on loses nothing while it rests', () => {
  const rested = pause(start(setLength(1), 1000), 11_000)
  expect([rested.leftMs, leftAt(rested, 999_000), leftAt(start(rested, 500_000), 510_000)]).toEqual([
    50_000, 50_000, 40_000,
  ])
})

test('it ends at zero, and starts from the whole again', () => {
  const ended = start(FIRST, 0)
  expect([leftAt(ended, 10 ** 9), leftAt(start(ended, 10 ** 9), 10 ** 9)]).toEqual([0, FIRST.lengthMs])
})

test('the last second is shown as one', () => {
  expect([clockText(1), clockText(0), clockText(65_000), clockText(3_725_000)]).toEqual([
    '00:01',
    '00:00',
    '01:05',
    '01:02:05',
  ])
})

test('a file that holds no timer is a new one', () => {
  expect([null, {}, { lengthMs: 'long' }, { ...FIRST, endsMs: 'soon' }].map((value) => toTimer(value as null))).toEqual(
    [FIRST, FIRST, FIRST, FIRST],
  )
})
