import { expect, test } from 'vitest'
import { nearestRecipes } from './nearest.ts'
import { RECIPES } from './recipes.ts'

const near = (text: string) => nearestRecipes(text, RECIPES, 3).map(({ name }) => name)

test('what is offered has to do with what was said', () => {
  expect(near('write a poem about the dark sea')).toEqual(['theme', 'wallpaper', 'document'])
  expect(near('make the taskbar glass')[0]).toBe('taskbar')
  expect(near('colourful desktop')).toContain('accent')
  expect(near('wake me with an alarm clock')[0]).toBe('clock')
})

test('there is always something to offer', () => {
  expect(near('qwertz').length).toBe(3)
})
