import { describe, expect, test } from 'vitest'
import { readAnswer } from '../answers.ts'
import { EVERYDAY_SENTENCES } from '../everyday-sentences.suite.ts'
import { HISTORY_SENTENCES } from '../history-sentences.suite.ts'
import { RecipeTree } from '../recipe-tree.fake.ts'
import { findRecipe, RECIPES } from '../recipes.ts'
import { SENTENCES } from '../sentences.suite.ts'
import { understand } from '../understand.ts'
import { isWithdrawal } from '../withdraw.ts'
import { FOREIGN_SENTENCES } from './languages.suite.ts'
import { FOREIGN } from './lexicons.ts'
import { inLanguage, valueIn } from './phrasebook.ts'
import { PHRASES_OF_RECIPES } from './phrases-of-recipes.ts'
import { PHRASES_OF_TALK } from './phrases-of-talk.ts'

const TODAY = '2026-11-15'
const ALL = [...SENTENCES, ...EVERYDAY_SENTENCES, ...HISTORY_SENTENCES, ...Object.values(FOREIGN_SENTENCES).flat()].map(
  ([sentence]) => understand(sentence, RECIPES, TODAY),
)
const ASKS = ALL.flatMap(({ asks }) => asks)

/** Everything that recipes say of their own: of these sentences, done once and once more, each on its own computer. */
const SAID: ReadonlySet<string> = new Set([
  ...ALL.flatMap(({ negated, says }) => [...negated, ...says]),
  ...ASKS.map(({ question }) => question),
  ...ALL.flatMap(({ wishes }) => {
    const tree = new RecipeTree()
    return [...wishes, ...wishes].flatMap(({ recipe, parameters }) => {
      if (findRecipe(recipe)?.work.kind !== 'edit') return []
      const { summary, note } = tree.follow(recipe, parameters)
      return note === '' ? [summary] : [summary, note]
    })
  }),
])

/** Quotations, paths, values and lists of names aside. */
const bare = (text: string) => text.replaceAll(/[“„«][^”“»]*[”“»]/g, '').replaceAll(/\([^)]*\)/g, '')
const ENGLISH = /\b(the|is|already|made|added|left|which|should|there|what|nothing|you|it|are)\b/i

describe.each(FOREIGN)('in %s', (language) => {
  test('everything that recipes say of their own is said in it', () => {
    expect(SAID.size).toBeGreaterThan(80)
    const still = [...SAID].filter((text) => ENGLISH.test(bare(inLanguage(text, language)).replace(/^.*: /, '')))
    const same = [...SAID].filter((text) => inLanguage(text, language) === text)
    expect({ still, same }).toEqual({ still: [], same: [] })
  })

  test('every choice of a question can be given as its answer', () => {
    const wrong = ASKS.flatMap((ask) =>
      ask.choices.flatMap((choice) => {
        const [english] = readAnswer(ask, choice, {}, TODAY) ?? []
        const [own] = readAnswer(ask, valueIn(choice, language), {}, TODAY) ?? []
        const isSame = own !== undefined && english !== undefined && own.recipe === english.recipe
        return isSame ? [] : [`${ask.recipe}: ${choice} as ${valueIn(choice, language)}`]
      }),
    )
    expect(new Set(wrong)).toEqual(new Set())
  })
})

test('every phrase has the same values in every language', () => {
  const names = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
  for (const [english, said] of Object.entries({ ...PHRASES_OF_RECIPES, ...PHRASES_OF_TALK }))
    expect(said.map(names)).toEqual([names(english), names(english), names(english)])
})

test.each([
  [
    'Made the accent dark blue.',
    'Der Akzent ist jetzt dunkelblau.',
    "L'accent est maintenant bleu foncé.",
    'El acento es ahora azul oscuro.',
  ],
  [
    'Made “Tee. Zwei” for you. It is in the taskbar.',
    '„Tee. Zwei“ ist für dich gemacht. Du findest es in der Taskleiste.',
    '« Tee. Zwei » est prêt pour toi. Tu le trouves dans la barre des tâches.',
    '«Tee. Zwei» está hecho para ti. Lo encuentras en la barra de tareas.',
  ],
  [
    'Added a countdown to 25 December 2026 to the taskbar.',
    'In der Taskleiste ist jetzt ein Countdown bis zum 25. Dezember 2026.',
    "La barre des tâches a un compte à rebours jusqu'au 25 décembre 2026.",
    'En la barra de tareas hay una cuenta atrás hasta el 25 de diciembre de 2026.',
  ],
  [
    'Took back: Made the desktop light; Added a clock to the taskbar.',
    'Zurückgenommen: Der Desktop ist jetzt hell; In der Taskleiste ist jetzt: eine Uhr.',
    'Annulé : Le bureau est maintenant clair; Ajouté à la barre des tâches : une horloge.',
    'Deshecho: El escritorio está ahora claro; Añadido a la barra de tareas: un reloj.',
  ],
  [
    'Made the desktop light (5 minutes ago, taken back since)',
    'Der Desktop ist jetzt hell (vor 5 Minuten, seither zurückgenommen)',
    'Le bureau est maintenant clair (il y a 5 minutes, annulé depuis)',
    'El escritorio está ahora claro (hace 5 minutos, deshecho desde entonces)',
  ],
  [
    'I have forgotten “Tee. Zwei”. Memory can bring it back.',
    'Ich habe „Tee. Zwei“ vergessen. Memory kann es zurückholen.',
    'J’ai oublié « Tee. Zwei ». Memory peut le faire revenir.',
    'He olvidado «Tee. Zwei». Memory puede recuperarlo.',
  ],
  [
    'I know nothing about you yet. Tell me, for example “remember that I like short answers”.',
    'Ich weiß noch nichts über dich. Sag mir zum Beispiel „merk dir, dass ich kurze Antworten mag“.',
    'Je ne sais encore rien de toi. Dis-moi par exemple « souviens-toi que j’aime les réponses courtes ».',
    'Todavía no sé nada de ti. Dime, por ejemplo, «recuerda que me gustan las respuestas cortas».',
  ],
  [
    'Something nobody translated. All right.',
    'Something nobody translated. All right.',
    'Something nobody translated. All right.',
    'Something nobody translated. All right.',
  ],
])('%s', (english, ...expected) => {
  expect(FOREIGN.map((language) => inLanguage(english, language))).toEqual(expected)
  expect(inLanguage(english, 'en')).toBe(english)
})

test('an answer is understood in the language of the question, with manners around it', () => {
  const answer = (recipe: string, field: string, said: string) =>
    readAnswer({ recipe, field }, said, {}, TODAY)?.map(({ parameters }) => Object.values(parameters).join())
  expect(answer('theme', 'theme', 'dunkel bitte')).toEqual(['dark'])
  expect(answer('accent', 'colour', 'ich hätte gern hellblau')).toEqual(['light blue'])
  expect(answer('taskbar', 'position', 'en haut, merci')).toEqual(['top'])
  expect(answer('wallpaper', 'wallpaper', 'el bosque, por favor')).toEqual(['forest'])
  expect(answer('font-size', 'size', 'más grande')).toEqual(['bigger'])
  expect(answer('document', 'text', 'die Milch ist alle')).toEqual(['Die Milch ist alle'])
  expect(answer('restore', 'name', 'Montag')).toEqual(['Montag'])
  expect(answer('greeting', 'name', 'Ada')).toEqual(['Ada'])
  expect(answer('greeting', 'name', 'ich heiße Ada')).toEqual(['Ada'])
  expect(answer('greeting', 'name', 'soy Ada')).toEqual(['Ada'])
  expect(answer('theme', 'theme', 'einen Kuchen')).toBeUndefined()
})

test('a wish is taken back in every language, and other sentences are not', () => {
  const always = ['Vergiss es', 'lass gut sein, danke', 'laisse tomber', 'peu importe', 'olvídalo', 'da igual, gracias']
  const asked = ['nein danke', 'non merci', 'no, gracias', 'keine Ahnung? nichts']
  expect(always.map((text) => isWithdrawal(text))).toEqual(always.map(() => true))
  expect(asked.map((text) => isWithdrawal(text))).toEqual([false, false, false, false])
  expect(asked.map((text) => isWithdrawal(text, true))).toEqual([true, true, true, false])
  const others = ['vergiss die Uhr nicht', 'mach weiter', 'laisse la date', 'olvida la fecha', 'halt die Uhr an']
  expect(others.filter((text) => isWithdrawal(text, true))).toEqual([])
})
