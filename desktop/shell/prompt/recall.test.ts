import { expect, test } from 'vitest'
import type { LiveEvent } from '@choiros/sdk/live.ts'
import { askedBefore, leavesText, step } from './recall.ts'

function said(seq: number, role: 'user' | 'director', text: string): LiveEvent {
  const data = { conversation: 'c', role, text, object: null, signature: null, wishes: [], offers: [] }
  return { seq, time: 0, type: 'message', source: 'user', via: 'desktop', user: 'ana', run: null, data }
}

test('what a person asked is recalled newest first and once; what was answered is not', () => {
  const events = [said(1, 'user', 'a'), said(2, 'director', 'done'), said(3, 'user', 'b'), said(4, 'user', 'a')]
  expect(askedBefore(events, [{ text: 'older' }, { text: '' }])).toEqual(['a', 'b', 'older'])
})

test('a step ends at the oldest and at the line that is being written', () => {
  expect([step(-1, 1, 2), step(1, 1, 2), step(0, -1, 2), step(-1, -1, 2), step(-1, 1, 0)]).toEqual([0, 1, -1, -1, -1])
})

test('an arrow inside a text of many lines stays in it', () => {
  expect([
    leavesText('a\nb', 0, 'ArrowUp'),
    leavesText('a\nb', 2, 'ArrowUp'),
    leavesText('a\nb', 0, 'ArrowDown'),
  ]).toEqual([true, false, false])
})
