import { expect, test } from 'vitest'
import { nearestRecipes, nearestWishes } from './nearest.ts'
import { RECIPES } from './recipes.ts'
import { understand } from './understand.ts'

const near = (text: string) => nearestRecipes(text, RECIPES, 3).map(({ name }) => name)

test('what is offered has to do with what was said', () => {
  expect(near('write a poem about the dark sea').toSorted()).toEqual(['document', 'theme', 'wallpaper'])
  expect(near('make the taskbar glass')[0]).toBe('taskbar')
  expect(near('colourful desktop')).toContain('accent')
  expect(near('wake me with an alarm clock')[0]).toBe('clock')
})

test.each(['what time is it?', 'wie spät ist es?', 'quelle heure est-il ?', '¿qué hora es?'])(
  'for “%s” a clock is offered first',
  (text) => {
    const [offer = ''] = nearestWishes(text, RECIPES, 3)
    expect(understand(offer, RECIPES, '2026-11-15').wishes.map(({ recipe }) => recipe)).toEqual(['clock'])
  },
)

test('there is always something to offer', () => {
  expect(near('qwertz').length).toBe(3)
})

const STRANGE = [
  'make the taskbar blue',
  'mach den Hintergrund grün',
  'wake me with an alarm clock',
  'my letters are teal',
  'draw a forest',
  'asdf qwer',
  'sing me a song',
  'what is the weather',
  'delete everything',
  'où sont mes fichiers',
  'rename my shopping list',
  'print the document',
  'play chess',
  '壁紙を変えて',
  'email my mother',
  'how old am I',
  'zoom into the past',
  'book a flight',
  'countdown timer weather',
  'set the volume to 20',
]

test.each(STRANGE)('for “%s” three different wishes are offered, each of which would be understood', (text) => {
  const offers = nearestWishes(text, RECIPES, 3)
  expect(new Set(offers).size).toBe(3)
  for (const offer of offers)
    expect(understand(offer, RECIPES, '2026-11-15')).toMatchObject({ wishes: [{}], leftovers: [], asks: [] })
})

test('an offer has the values that were said, and not the same three for everything', () => {
  expect(nearestWishes('make the taskbar blue', RECIPES, 3)).toContain('make the accent blue')
  expect(nearestWishes('draw a forest', RECIPES, 3)).toContain('make the wallpaper forest')
  expect(new Set(STRANGE.map((text) => nearestWishes(text, RECIPES, 3).join())).size).toBeGreaterThan(10)
})

test('where not a word is known, nothing is offered that needs something to be there already', () => {
  for (const text of ['mach alles schöner bitte', 'qwrtzp', 'поменяй обои', 'zurück zum Freitag']) {
    for (const { name, group } of nearestRecipes(text, RECIPES, 3))
      expect([text, name, group === 'History' || name === 'remove']).toEqual([text, name, false])
  }
})
