import { expect, test } from 'vitest'
import { createHearing } from './hearing.ts'

test('an Associate hears what was said before it began, unless the Director had heard it', () => {
  const hearing = createHearing()
  const director = hearing.listen()
  hearing.open()
  hearing.say('heard by the Director')
  expect(director()).toEqual(['heard by the Director'])
  hearing.say('while the Director was answering')
  expect(hearing.heardByFirst()).toEqual(['heard by the Director'])
  const associate = hearing.listen()
  hearing.say('while the Associate works')
  expect(associate()).toEqual(['while the Director was answering', 'while the Associate works'])
  expect(associate()).toEqual([])
  expect(director()).toEqual(['while the Director was answering', 'while the Associate works'])
})
