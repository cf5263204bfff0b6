import { expect, test } from 'vitest'
import type { RecipeField, RecipeView } from '@choiros/sdk/contract.ts'
import { firstValues, groupRecipes, toParameters, wishText } from './wish-text.ts'

function field(name: string, kind: RecipeField['kind'], more: Partial<RecipeField> = {}): RecipeField {
  return { name, label: name.toUpperCase(), kind, choices: [], fallback: null, required: false, ...more }
}

const SIDES = [
  { value: 'top', label: 'At the top' },
  { value: 'bottom', label: 'At the bottom' },
]

test('a form is said in a sentence', () => {
  expect([
    wishText({ title: 'Undo', fields: [] }, {}),
    wishText({ title: 'Taskbar', fields: [field('side', 'choice', { choices: SIDES })] }, { side: 'top' }),
    wishText(
      { title: 'Clock', fields: [field('seconds', 'yes'), field('name', 'text'), field('until', 'text')] },
      { seconds: true, name: 'Oslo' },
    ),
    wishText({ title: 'Document', fields: [field('text', 'long')] }, { text: `a\n\n${'b'.repeat(200)}` }),
  ]).toEqual(['Undo', 'Taskbar: At the top', 'Clock: seconds yes, name Oslo', `Document: a ${'b'.repeat(78)}…`])
})

test('values become what the recipe takes; an empty field is left out, and a required one refused', () => {
  const fields = [
    field('name', 'text', { required: true }),
    field('size', 'number'),
    field('seconds', 'yes'),
    field('note', 'long'),
  ]
  expect(toParameters(fields, { name: ' Oslo ', size: '18', seconds: true, note: '' })).toEqual({
    name: 'Oslo',
    size: 18,
    seconds: true,
  })
  expect(toParameters(fields, { name: '  ' })).toBeNull()
  expect(toParameters(fields, { name: 'a', size: 'many' })).toBeNull()
})

test('a form begins with what is taken where nothing is said', () => {
  const fields = [
    field('size', 'number', { fallback: 16 }),
    field('side', 'choice', { choices: SIDES }),
    field('yes', 'yes', { fallback: true }),
  ]
  expect(firstValues(fields)).toEqual({ size: '16', side: 'top', yes: true })
})

test('the menu is searched by words, wherever they stand', () => {
  const recipe = (name: string, group: string, hint: string): RecipeView => ({
    name,
    title: name,
    group,
    hint,
    example: '',
    fields: [],
  })
  const recipes = [
    recipe('Accent', 'Looks', 'the colour of things'),
    recipe('Todo', 'Apps', 'a list'),
    recipe('Wallpaper', 'Looks', 'a picture'),
  ]
  expect(groupRecipes(recipes, '').map(([group, found]) => [group, found.length])).toEqual([
    ['Looks', 2],
    ['Apps', 1],
  ])
  expect(groupRecipes(recipes, 'looks COLOUR')).toEqual([['Looks', [recipes[0]]]])
  expect(groupRecipes(recipes, 'nothing')).toEqual([])
})
