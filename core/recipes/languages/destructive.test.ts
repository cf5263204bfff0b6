import { array, assert, constantFrom, pre, property } from 'fast-check'
import { expect, test } from 'vitest'
import { COMMON_WORDS } from '../common-words.ts'
import { RECIPES } from '../recipes.ts'
import { understand } from '../understand.ts'
import { FOREIGN, lexiconOf } from './lexicons.ts'

const TODAY = '2026-11-15'
const DESTRUCTIVE = new Set(['remove', 'undo', 'undo-change', 'restore', 'forget'])

/** The roles by which the destructive recipes know that they are meant. */
const MEANT = new Set(['act', 'away', 'gone', 'back', 'past'])

/** Everything that says, in English, that something is to go or to be as it was. */
const DESTRUCTIVE_ENGLISH: ReadonlySet<string> = new Set([
  ...[...COMMON_WORDS]
    .filter(
      ([, { role, value }]) =>
        (role === 'verb' && /\b(remove|take)\b/.test(value)) || (role === 'neg' && /^(no|without)$/.test(value)),
    )
    .map(([phrase]) => phrase),
  ...RECIPES.filter(({ name }) => DESTRUCTIVE.has(name)).flatMap(({ intent }) =>
    [...intent.words].filter(([, { role }]) => MEANT.has(role)).map(([phrase]) => phrase),
  ),
])

const has = (text: string, phrases: Iterable<string>) => {
  const padded = ` ${text} `
  for (const phrase of phrases) if (padded.includes(` ${phrase} `)) return true
  return false
}

/** The phrases of all languages that mean one of these, alone or with a particle. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  ...DESTRUCTIVE_ENGLISH,
  ...FOREIGN.flatMap((language) => {
    const { phrases, brackets, first, last } = lexiconOf(language)
    const meaning = [...phrases, ...first, ...last].filter(([, words]) => has(words.join(' '), DESTRUCTIVE_ENGLISH))
    const particles = [...brackets].filter(([, verbs]) =>
      [...verbs.values()].some((words) => has(words.join(' '), DESTRUCTIVE_ENGLISH)),
    )
    return [...meaning, ...particles].map(([phrase]) => phrase)
  }),
])

const WORDS = [
  ...new Set<string>([
    ...COMMON_WORDS.keys(),
    ...RECIPES.flatMap(({ intent }) => [...intent.words.keys()]),
    ...FOREIGN.flatMap((language) => [...lexiconOf(language).phrases.keys()]),
    'friday',
    'einkaufsliste',
    '"x y"',
    ',',
    '.',
    '?',
    '3',
  ]),
].filter((word) => !has(word, FORBIDDEN))

function destroyed(text: string): string[] {
  return understand(text, RECIPES, TODAY)
    .wishes.map(({ recipe }) => recipe)
    .filter((recipe) => DESTRUCTIVE.has(recipe))
}

test('words that mean to remove, undo or restore are known in every language', () => {
  for (const phrase of ['remove', 'entferne', 'enleve', 'quita', 'weg', 'undo', 'annule', 'deshaz', 'zurueck'])
    expect(FORBIDDEN.has(phrase)).toBe(true)
  expect(['entferne die Uhr', 'enlève l’horloge', 'quita el reloj', 'annule', 'deshaz eso'].map(destroyed)).toEqual([
    ['remove'],
    ['remove'],
    ['remove'],
    ['undo'],
    ['undo'],
  ])
})

test('words of four languages in any mixture remove, undo and restore nothing without a word that says so', () => {
  expect(WORDS.length).toBeGreaterThan(2000)
  assert(
    property(array(constantFrom(...WORDS), { minLength: 1, maxLength: 10 }), (said) => {
      const text = said.join(' ')
      // Two harmless words may stand side by side as one that is not: "dont" and "want".
      pre(!has(text.replaceAll(/[,.?]/g, ''), FORBIDDEN))
      expect(destroyed(text)).toEqual([])
    }),
    { numRuns: 3000 },
  )
})
