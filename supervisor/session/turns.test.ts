import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('one at a time, by turns among those who ask, in order for each', async () => {
  const turns = createTurns()
  const done: string[] = []
  let atOnce = 0
  let most = 0
  const work = (name: string) => async () => {
    most = Math.max(most, ++atOnce)
    await Promise.resolve()
    atOnce--
    done.push(name)
  }
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => turns.take('a', work(name))),
    ...['b1', 'b2'].map((name) => turns.take('b', work(name))),
    turns.take('c', work('c1')),
  ])
  expect([most, done]).toEqual([1, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']])
})

test('work that fails passes its turn on, and an idle line is taken at once', async () => {
  const turns = createTurns()
  const failed = turns.take('a', () => Promise.reject(new Error('no')))
  const after = turns.take('a', async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await after).toBe('yes')
  expect(await turns.take('b', async () => 'again')).toBe('again')
})

test('between two pieces the event loop turns', async () => {
  const turns = createTurns()
  const seen: string[] = []
  const pieces = Promise.all([1, 2, 3].map((piece) => turns.take('a', async () => void seen.push(`piece ${piece}`))))
  for (let count = 0; count < 2; count++)
    await new Promise((resolve) => setImmediate(() => resolve(seen.push('other'))))
  await pieces
  expect(seen.slice(0, 2)).toEqual(['piece 1', 'other'])
})
