import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { LIMITS } from '@choiros/contract/limits.ts'
import { RECIPES } from '../recipes/recipes.ts'
import { understand } from '../recipes/understand.ts'
import { toForgetIn } from './forget.ts'
import { saidToKeep, sentenceWith } from './said.ts'

/** What is kept of a message: `!` for what the person says of themselves, `→` for what they are after. */
const told = (text: string) => saidToKeep(text).map(({ part, text: kept }) => `${part === 'drive' ? '→' : '!'}${kept}`)

const MESSAGES: readonly (readonly [string, ...string[]])[] = [
  ['remember that I like short answers', '!I like short answers'],
  ['Remember: my office is in Lyon.', '!my office is in Lyon'],
  ['please remember I am left-handed', '!I am left-handed'],
  ['could you keep in mind that dates are written 2026-11-18?', '!dates are written 2026-11-18'],
  ["don't forget that I work at night", '!I work at night'],
  ['I prefer metric units', '!I prefer metric units'],
  ['Always put new apps at the end.', '!Always put new apps at the end'],
  ['never use red', '!never use red'],
  ["make it dark. I don't like bright screens.", "!I don't like bright screens"],
  ['I always write in French', '!I always write in French'],
  ['From now on, keep it short please', '!From now on, keep it short'],
  ['my name is Ada', '!my name is Ada'],
  ['Call me Ishmael', '!Call me Ishmael'],
  ["I'm a nurse. Add a clock!", "!I'm a nurse"],
  ['I am learning Spanish', '→I am learning Spanish'],
  ['My goal is to read more', '→My goal is to read more'],
  ['remember that I am working on a novel', '→I am working on a novel'],
  ['I prefer tea.\nI hate coffee.', '!I prefer tea', '!I hate coffee'],
  ['Remember:\nI like tea', '!I like tea'],
  ['merk dir, dass ich nachts arbeite', '!ich nachts arbeite'],
  ['Bitte merk dir: ich arbeite nachts.', '!ich arbeite nachts'],
  ['souviens-toi que je travaille la nuit', '!je travaille la nuit'],
  ["n'oublie pas qu'il pleut ici", '!il pleut ici'],
  ['recuerda que trabajo de noche, por favor', '!trabajo de noche'],
  ['merk dir das'],
  ['souviens-toi de ça'],
  ['recuerda esto'],
  // Nor is what somebody else wrote, and the person only shows.
  ['I prefer short answers. Translate this:\nI always pay in cash.\nNever ask me again.', '!I prefer short answers'],
  ['what does this mean?\n> I always pay in cash'],
  ['mend it\n```\nalways say yes\n```\nI like green'],
  // Wishes, moments and manners are none.
  ['make it dark'],
  ['I would like a light theme'],
  ["I'd like a clock"],
  ['I like it'],
  ['I love this wallpaper!'],
  ['I hate the clock'],
  ['never mind'],
  ['Never mind that'],
  ["I'm a bit lost"],
  ['do I prefer dark?'],
  ['what do you remember?'],
  ['remember this as friday'],
  ['forget that I like short answers'],
  ['add a widget that is always on top'],
  ['I want everything dark'],
  ['save this state, remember'],
]

test.each(MESSAGES)('of “%s” is kept what it says of the person', (text, ...expected) => {
  expect(told(text)).toEqual(expected)
})

test('what was written into the form is kept as it is, and its sentence is not read again', () => {
  expect(
    saidToKeep('Remember something about me: x', [{ recipe: 'remember', parameters: { text: 'tea,  not\ncoffee' } }]),
  ).toEqual([{ part: 'believe', text: 'tea, not coffee' }])
  expect(saidToKeep('I prefer tea', [{ recipe: 'theme', parameters: { theme: 'dark' } }])).toEqual([])
})

test('[L11] however much is said, little is kept, each in one short line', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const kept of saidToKeep(`Remember that ${text}\nI prefer ${text.repeat(20)}. `.repeat(50)))
        expect([kept.text.length <= LIMITS.noteCharsMax, /[\n\r]/.test(kept.text), kept.text.isWellFormed()]).toEqual([
          true,
          false,
          true,
        ])
    }),
  )
  expect(saidToKeep(Array.from({ length: 500 }, (_, index) => `I like number ${index}.`).join(' '))).toHaveLength(5)
})

test('a sentence of the person is kept whole: nobody can cut the “never” out of it', () => {
  const message = 'Make it green. And never use red anywhere, please! I am off.'
  expect(sentenceWith(message, 'use red anywhere')).toBe('And never use red anywhere')
  expect(sentenceWith(message, 'NEVER   use red')).toBe('And never use red anywhere')
  expect(sentenceWith(message, 'use blue')).toBeNull()
  expect(sentenceWith(message, 'se red')).toBeNull()
  expect(sentenceWith(message, 'red')).toBeNull()
  expect(sentenceWith('remember that I like tea', 'I like tea')).toBe('I like tea')
})

const WISHES: readonly (readonly [string, ...string[]])[] = [
  ['remember that I like short answers', 'remember:I like short answers'],
  ['remember that I like short answers and long walks, always', 'remember:I like short answers and long walks, always'],
  ['make it dark and remember that I like it dark', 'theme:dark', 'remember:I like it dark'],
  ['forget that I like short answers', 'forget:I like short answers'],
  ['please forget what I said about answers', 'forget:answers'],
  ['forget everything about me', 'forget:everything'],
  ['forget everything you know about me', 'forget:everything'],
  ['forget my name', 'forget:my name'],
  ['what do you know about me?', 'known:'],
  ['what do you remember', 'known:'],
  ['tell me what you know about me', 'known:'],
]

test.each(WISHES)('“%s” is understood without a model', (sentence, ...expected) => {
  const { wishes } = understand(sentence, RECIPES, '2026-11-15')
  expect(wishes.map(({ recipe, parameters }) => `${recipe}:${Object.values(parameters).join(',')}`)).toEqual(expected)
})

test('what is to be forgotten is read from the person’s own words alone', () => {
  expect(toForgetIn('forget that', [])).toEqual(['last'])
  expect(toForgetIn('never mind', [])).toEqual([])
  expect(toForgetIn('forget that I like tea', [])).toEqual([{ what: 'I like tea' }])
  expect(toForgetIn('vergiss, dass ich nachts arbeite', [])).toEqual([{ what: 'ich nachts arbeite' }])
  expect(toForgetIn('oublie que je travaille la nuit', [])).toEqual([{ what: 'je travaille la nuit' }])
  expect(toForgetIn('olvida que trabajo de noche', [])).toEqual([{ what: 'trabajo de noche' }])
  expect(toForgetIn('make it dark', [])).toEqual([])
  expect(toForgetIn('x', [{ recipe: 'forget', parameters: { what: 'tea' } }])).toEqual([{ what: 'tea' }])
})

test('[L11] no message takes long to read, whatever it is made of', () => {
  const starts = [
    '',
    'I like ',
    'remember that ',
    'merk dir',
    'recuerda',
    'my name is ',
    'please ',
    'always ',
    'I am learning ',
  ]
  const fills = [' ', ',', ', ', '.', '! ', 'please ', 'really ', 'ok,', '\t', '…', 'a', '’', 'I always ']
  const messages = starts.flatMap((start) =>
    fills.flatMap((fill) =>
      ['', 'x', '\u2028y', ' please x'].map((end) => {
        const room = LIMITS.promptCharsMax - start.length - end.length
        return start + fill.repeat(Math.floor(room / fill.length)) + end
      }),
    ),
  )
  const beganMs = performance.now()
  for (const message of messages) saidToKeep(message)
  expect(performance.now() - beganMs).toBeLessThan(5000)
}, 60_000)
