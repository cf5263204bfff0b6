import { array, assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { COMMON_WORDS } from './common-words.ts'
import { HISTORY_SENTENCES } from './history-sentences.suite.ts'
import { MISREAD_SENTENCES } from './misread-sentences.suite.ts'
import { QUESTION_SENTENCES } from './question-sentences.suite.ts'
import { RECIPES, wishProblem } from './recipes.ts'
import { EVERYDAY_SENTENCES } from './everyday-sentences.suite.ts'
import { SENTENCES } from './sentences.suite.ts'
import { understand } from './understand.ts'

const TODAY = '2026-11-15'

function told(sentence: string): string[] {
  const { wishes, asks, says, sayings, negated, leftovers } = understand(sentence, RECIPES, TODAY)
  return [
    ...wishes.map(({ recipe, parameters }) => `${recipe}:${Object.values(parameters).join(',')}`),
    ...asks.map(() => '?'),
    ...sayings.map((words) => `→${words}`),
    ...[...negated, ...says].map(() => '!'),
    ...leftovers.map((text) => `…${text}`),
  ]
}

test.each([...SENTENCES, ...QUESTION_SENTENCES, ...HISTORY_SENTENCES, ...EVERYDAY_SENTENCES, ...MISREAD_SENTENCES])(
  '%s',
  (sentence, ...expected) => {
    expect(told(sentence)).toEqual(expected)
  },
)

test('every recipe understands its own example, alone and politely', () => {
  const asked = RECIPES.map(({ example }) =>
    [example, `Could you please ${example}?`, example.toUpperCase()].map(
      (text) => understand(text, RECIPES, TODAY).wishes,
    ),
  )
  const named = asked.map((wishes) => wishes.map((found) => found.map(({ recipe }) => recipe)))
  expect(named).toEqual(RECIPES.map(({ name }) => [[name], [name], [name]]))
})

test('every wish that is understood can be followed', () => {
  const wishes = SENTENCES.flatMap(([sentence]) => understand(sentence, RECIPES, TODAY).wishes)
  expect(wishes.flatMap((wish) => wishProblem(wish) ?? [])).toEqual([])
})

test('a text as long as a prompt may be is read in a moment, whatever it says', () => {
  const texts = [
    'make it dark and ',
    'clock, ',
    'a list of ',
    'called "',
    'qwertz ',
    '((((',
    'write down ',
    'not ',
  ].map((piece) => piece.repeat(4000 / piece.length))
  const startMs = performance.now()
  for (const text of texts) expect(understand(text, RECIPES, TODAY).wishes.length).toBeLessThanOrEqual(10)
  expect((performance.now() - startMs) / texts.length).toBeLessThan(1000)
})

test('whatever is said in our own words, in whatever order, every wish that comes of it can be followed', () => {
  const words = [
    ...new Set([
      ...RECIPES.flatMap(({ intent }) => [...intent.words.keys()]),
      ...COMMON_WORDS.keys(),
      'and',
      ',',
      '"x y"',
      '2027-02-30',
      '99',
      '#12',
      '#abcdef',
    ]),
  ]
  assert(
    property(array(constantFrom(...words), { maxLength: 12 }), (said) => {
      const { wishes } = understand(said.join(' '), RECIPES, TODAY)
      expect(wishes.flatMap((wish) => wishProblem(wish) ?? [])).toEqual([])
    }),
    { numRuns: 1000 },
  )
})

test('no text makes it throw', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 80 }), (text) => {
      expect(understand(`make it dark and add a list called ${text}`, RECIPES, TODAY).wishes.length).toBeGreaterThan(0)
    }),
  )
})
