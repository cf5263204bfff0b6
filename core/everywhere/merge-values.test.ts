import { expect, test } from 'vitest'
import { mergeSeen } from './merge-values.ts'

test('what each side added, changed and deleted is kept', () => {
  const base = {
    items: { a: { text: 'milk', done: false }, b: { text: 'bread', done: false }, c: { text: 'salt', done: false } },
  }
  const mine = {
    items: {
      a: { text: 'milk', done: true },
      b: { text: 'bread', done: false },
      c: { text: 'salt', done: false },
      d: 1,
    },
  }
  const theirs = { items: { a: { text: 'oat milk', done: false }, b: { text: 'bread', done: false }, e: 2 } }
  expect(mergeSeen(base, mine, theirs)).toEqual({
    items: { a: { text: 'oat milk', done: true }, b: { text: 'bread', done: false }, d: 1, e: 2 },
  })
})

test('of two changes to one value, mine stays; a change wins over a deletion on either side', () => {
  expect(mergeSeen({ a: 1, b: 1, c: 1 }, { a: 2, b: 2 }, { a: 3, c: 3 })).toEqual({ a: 2, b: 2, c: 3 })
})

test('two first versions with nothing before them become one', () => {
  expect(mergeSeen(undefined, { items: { a: 1 } }, { items: { b: 2 } })).toEqual({ items: { a: 1, b: 2 } })
})

test('a key of the language is a key like any other', () => {
  expect(mergeSeen({}, JSON.parse('{"constructor":1}'), { b: 2 })).toEqual({ constructor: 1, b: 2 })
})
