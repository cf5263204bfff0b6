import { describe, expect, test } from 'vitest'
import { COMMON_WORDS } from '../common-words.ts'
import { RECIPES } from '../recipes.ts'
import { understand } from '../understand.ts'
import { exampleIn } from './examples.ts'
import { FOREIGN_SENTENCES } from './languages.suite.ts'
import { FOREIGN, lexiconOf } from './lexicons.ts'
import { ORDINARY_TALK } from './ordinary-talk.suite.ts'

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

describe.each(FOREIGN)('in %s', (language) => {
  test.each(FOREIGN_SENTENCES[language])('%s', (sentence, ...expected) => {
    expect(told(sentence)).toEqual(expected)
  })

  test('every example is understood as its own recipe', () => {
    const own = RECIPES.filter((recipe) => exampleIn(recipe, language) !== recipe.example)
    const named = own.map((recipe) =>
      understand(exampleIn(recipe, language), RECIPES, TODAY).wishes.map(({ recipe: name }) => name),
    )
    expect(named).toEqual(own.map(({ name }) => [name]))
  })

  test('every word of the lexicon means something to some recipe', () => {
    const english = new Set(
      [COMMON_WORDS, ...RECIPES.map(({ intent }) => intent.words)].flatMap((words) =>
        [...words.keys()].flatMap((phrase) => phrase.split(' ')),
      ),
    )
    for (const word of ['and', 'but', 'then', 'with', 'also', 'because', 'so', 'that', 'minutes', '?'])
      english.add(word)
    const meant = new Set([...lexiconOf(language).phrases.values()].flat())
    expect([...meant].filter((word) => !english.has(word))).toEqual([])
  })
})

/** By a name: where nothing has it, nothing is done, and the reply says so. */
const BY_NAME = new Set(['remove', 'restore', 'undo-change'])

test.each(FOREIGN)('in %s, everyday talk with the same words does nothing', (language) => {
  const talk = ORDINARY_TALK[language].split('/').map((sentence) => sentence.trim())
  const acted = talk.flatMap((sentence) => {
    const { wishes } = understand(sentence, RECIPES, TODAY)
    return wishes
      .filter(({ recipe, parameters }) => !BY_NAME.has(recipe) || KINDS.has(String(parameters['what'])))
      .map(({ recipe }) => `${sentence}: ${recipe}`)
  })
  expect(talk.length).toBeGreaterThan(70)
  expect(acted).toEqual([])
})

const KINDS = new Set(['clock', 'date', 'countdown', 'greeting', 'timer', 'notes', 'todo'])
