import { expect, test } from 'vitest'
import type { EventData } from '@choiros/sdk/contract.ts'
import type { LiveEvent } from '@choiros/sdk/live.ts'
import { inWords } from './words.ts'

const say = <Type extends LiveEvent['type']>(type: Type, data: Partial<EventData[Type]>) =>
  inWords({
    seq: 7,
    time: 0,
    type,
    source: 'agent',
    via: 'agent',
    user: 'ana',
    run: 'one',
    data,
  } as unknown as LiveEvent)

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
    'The accent is teal',
    'The desktop works with it',
    'The desktop did not work with it: the page is silent',
    'The desktop was not open, so it could not be tried out yet',
  ])
})

test('an event of an unknown type is still shown', () => {
  expect(say('moon.phase' as LiveEvent['type'], {})).toBe(
    'Something that this version of ChoirOS does not know (moon.phase)',
  )
})
