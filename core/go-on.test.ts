import { expect, test } from 'vitest'
import { asksToGoOn } from './go-on.ts'

test('nothing but to go on is understood in four languages; whatever else is said with it is another wish', () => {
  for (const text of [
    'go on',
    'Go on!',
    'please continue',
    'weiter',
    'mach weiter damit',
    'continuez',
    'sigue',
    'continúa por favor',
  ])
    expect([text, asksToGoOn(text)]).toEqual([text, true])
  for (const text of ['go on holiday', 'continue the story', 'weiter unten', 'do not go on', 'on', ''])
    expect([text, asksToGoOn(text)]).toEqual([text, false])
})
