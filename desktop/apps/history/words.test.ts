import { expect, test } from 'vitest'
import type { LiveEvent } from '@choiros/sdk/live.ts'
import { inWords } from './words.ts'

const say = (type: string, data: LiveEvent['data']) => inWords({ seq: 7, time: 0, type, via: 'agent', user: 'ana', run: 'one', data })

test('the events of a run are sentences', () => {
  expect([
    say('tool.call', { summary: 'Following the recipe “accent”' }),
    say('tool.result', { ok: false, summary: 'no such recipe' }),
    say('run.land', { summary: 'The accent is teal' }),
    say('health', { verdict: 'ok', why: '' }),
    say('health', { verdict: 'bad', why: 'the page is silent' }),
    say('health', { verdict: 'unknown', why: '' }),
  ]).toEqual([
    'The Associate: Following the recipe “accent”',
    'It did not work: no such recipe',
    'Landed: The accent is teal',
    'The desktop is well after it',
    'The desktop was not well after it: the page is silent',
    'No page was open to see whether the desktop is well',
  ])
})

test('an event of an unknown type is still shown', () => {
  expect(say('moon.phase', {})).toBe('moon.phase (event 7)')
})
