import { expect, test } from 'vitest'
import { isAbout, namingWords } from './find-unit.ts'

const WALLPAPER = {
  title: 'The wallpaper is the sea now.',
  about: 'artifacts/system/wallpaper.json',
  asked: 'put the sea on the desktop',
}
const GREEN = { title: 'Made the accent green.', about: 'artifacts/system/accent.json', asked: 'make the accent green' }
const TEAL = { title: 'Made the accent teal.', about: 'artifacts/system/accent.json', asked: 'teal please' }
const DELETED = { title: 'Deleted “list.txt”', about: 'artifacts/list.txt', asked: '' }

test('what was done is found by what people call it', () => {
  const found = (said: string) =>
    [WALLPAPER, GREEN, TEAL, DELETED].filter((unit) => isAbout(unit, namingWords(said))).map(({ title }) => title)
  expect(
    [
      'the wallpaper',
      'my background change',
      'the green accent',
      'the accent colour',
      'list.txt',
      'the deletion of the list',
      'the moon',
      'that',
    ].map(found),
  ).toEqual([
    [WALLPAPER.title],
    [WALLPAPER.title],
    [GREEN.title],
    [GREEN.title, TEAL.title],
    [DELETED.title],
    [DELETED.title],
    [],
    [],
  ])
})
