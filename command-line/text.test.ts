import { expect, test } from 'vitest'
import type { Event } from '@choiros/contract/event.ts'
import { eventText } from './events.ts'
import { inLines, inOneLine } from './text.ts'

test('what was said over several lines is printed so, and drives no terminal', () => {
  expect(inLines('one\r\ntwo \u001b[31m\n\nthree', '  ')).toBe('  one\n  two \\u001b[31m\n  \n  three')
})

test('in a list it has one line', () => {
  expect(inOneLine('one\ntwo\u0007\r\nthree')).toBe('one two\\u0007 three')
})

test('a redo is listed as a redo', () => {
  const line = (kind: string) =>
    eventText({ seq: 9, time: 0, via: 'frame', type: 'undo', data: { kind, target: 8 } } as unknown as Event)
  expect([line('stretch'), line('redo')].map((text) => text.split(/\s+/).slice(4, 6))).toEqual([
    ['frame', 'undo'],
    ['frame', 'redo'],
  ])
})
