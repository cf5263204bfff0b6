import { expect, test } from 'vitest'
import { hearAnswer, readAnswer } from './answers.ts'
import { RECIPES } from './recipes.ts'
import { understand } from './understand.ts'
import { isWithdrawal } from './withdraw.ts'

const TODAY = '2026-11-15'

/**
 * What a sentence is after a question was asked: the wish that it completes, `✗` if it withdraws it, `→` if it is
 * another wish, `?` if it is neither.
 */
function told(asked: string, said: string): string {
  const [ask] = understand(asked, RECIPES, TODAY).asks
  if (ask === undefined) return 'nothing was asked'
  const slot = { recipe: ask.recipe, field: ask.field }
  switch (hearAnswer({ slot, choices: ask.choices }, said, TODAY)) {
    case 'withdrawal':
      return '✗'
    case 'wish':
      return '→'
    case 'unclear':
      return '?'
    default:
      return (readAnswer(slot, said, ask.parameters, TODAY) ?? [])
        .map(({ recipe, parameters }) => `${recipe}:${Object.values(parameters).join(',')}`)
        .join(' ')
  }
}

const TALKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'change the wallpaper': {
    'green': 'wallpaper:green',
    'Green': 'wallpaper:green',
    'green please': 'wallpaper:green',
    'make it green': 'wallpaper:green',
    'dark blue': 'wallpaper:dark blue',
    '#0f7b74': 'wallpaper:#0f7b74',
    'Aurora': 'wallpaper:aurora',
    'the aurora one': 'wallpaper:aurora',
    "I'd like the dunes": 'wallpaper:dunes',
    'the sea': 'wallpaper:ocean',
    'northern lights please': 'wallpaper:aurora',
    'a plain one': 'wallpaper:plain',
    'none': 'wallpaper:plain',
    'how about forest?': 'wallpaper:forest',
    "let's take paper": 'wallpaper:paper',
    'dusk, and make it dark': 'wallpaper:dusk theme:dark',
    'the wallpaper should be grid': 'wallpaper:grid',
    'auroa': 'wallpaper:aurora',
    'make the accent green': '→',
    'make it dark': '→',
    'add a clock': '→',
    'undo that': '→',
    'what can you do': '→',
    'purple monkeys': '?',
    'something nice': '?',
    'never mind': '✗',
    'no': '✗',
    'cancel that': '✗',
  },
  'change the text size': {
    '20': 'font-size:20',
    '20 px': 'font-size:20',
    '20 pixels please': 'font-size:20',
    'make it 18': 'font-size:18',
    'bigger': 'font-size:bigger',
    'Smaller': 'font-size:smaller',
    'a bit bigger': 'font-size:bigger',
    'a little smaller, please': 'font-size:smaller',
    'larger': 'font-size:bigger',
    'normal': 'font-size:usual',
    '16 points': 'font-size:16',
    'size 22': 'font-size:22',
    'twelve': '?',
    '99': '?',
    'green': '→',
    'move the taskbar to the top': '→',
    'forget it': '✗',
  },
  'move the taskbar': {
    'bottom': 'taskbar:bottom',
    'Top': 'taskbar:top',
    'at the bottom': 'taskbar:bottom',
    'to the top please': 'taskbar:top',
    'the top': 'taskbar:top',
    'up': 'taskbar:top',
    'down below': 'taskbar:bottom',
    'move it to the bottom': 'taskbar:bottom',
    'put it on top': 'taskbar:top',
    'top and add a clock': 'taskbar:top clock:',
    'left': '?',
    'the fridge': '?',
    'make it light': '→',
    'leave it': '✗',
  },
  'change the theme': {
    'dark': 'theme:dark',
    'Light': 'theme:light',
    'the dark one': 'theme:dark',
    'make it light': 'theme:light',
    'dark mode please': 'theme:dark',
    'pink': '→',
    'blarg': '?',
  },
  'change the accent': {
    'teal': 'accent:teal',
    'Violet': 'accent:violet',
    'make it gold': 'accent:gold',
    '#abc': 'accent:#abc',
    'the wallpaper green': '→',
    'add the date': '→',
  },
  'add a countdown': {
    '31 December': 'countdown:2026-12-31',
    'December 31st': 'countdown:2026-12-31',
    'to 31 December': 'countdown:2026-12-31',
    'on 3 June': 'countdown:2027-06-03',
    '2027-06-01': 'countdown:2027-06-01',
    'Christmas': 'countdown:2026-12-25,Christmas',
    'New Year': 'countdown:2027-01-01,New Year',
    'friday': 'countdown:2026-11-20',
    'next friday': 'countdown:2026-11-20',
    'tomorrow': 'countdown:2026-11-16',
    'in 10 days': 'countdown:2026-11-25',
    'in two weeks': '?',
    'my wedding on 12 August 2027': 'countdown:2027-08-12,Wedding',
    '30 February': '?',
    'soon': '?',
    'make it dark': '→',
    'remove the clock': '→',
    'not now': '✗',
  },
  'add a countdown to my birthday': {
    '3 May': 'countdown:2027-05-03,Birthday',
    'Christmas': 'countdown:2026-12-25,Birthday',
  },
  'take a note': {
    'buy milk': 'document:Buy milk',
    'the gate code is 4711': 'document:The gate code is 4711',
    'dark chocolate': 'document:Dark chocolate',
    'green': 'document:Green',
    'make it dark': '→',
    'add a clock': '→',
    'never mind': '✗',
  },
}

test.each(
  Object.entries(TALKS).flatMap(([asked, answers]) =>
    Object.entries(answers).map(([said, expected]) => [asked, said, expected] as const),
  ),
)('after “%s”, “%s” is %s', (asked, said, expected) => {
  expect(told(asked, said)).toBe(expected)
})

test('every choice that is offered is an answer', () => {
  const asks = Object.keys(TALKS).flatMap((asked) => understand(asked, RECIPES, TODAY).asks)
  const unread = asks.flatMap((ask) =>
    ask.choices.filter((choice) => readAnswer(ask, choice, ask.parameters, TODAY) === null),
  )
  expect(unread).toEqual([])
})

test('a model’s question takes any words, but not what is plainly a wish', () => {
  const heard = (text: string) => hearAnswer({ slot: null, choices: ['Celsius', 'Make it dark'] }, text, TODAY)
  expect(
    ['Ghent', 'dark', 'the one by the sea', 'celsius', 'make it dark', 'make it light', 'undo that', 'never mind'].map(
      heard,
    ),
  ).toEqual(['answer', 'answer', 'answer', 'answer', 'answer', 'wish', 'wish', 'withdrawal'])
})

test.each([
  'never mind',
  'Never mind.',
  'oh, nevermind',
  'forget it',
  'forget that please',
  'stop',
  'Stop!',
  'stop it',
  'ok stop',
  'no, never mind',
  'leave it',
  'skip it',
  "don't bother",
  'I changed my mind',
  "it doesn't matter",
  'sorry, forget about it',
  'drop it',
  'stop that now',
  'abort',
  'wait, never mind',
])('“%s” takes back what was asked', (text) => {
  expect(isWithdrawal(text)).toBe(true)
})

test.each([
  'never mind, undo',
  'stop the timer',
  'thanks',
  'no clock please',
  'undo',
  'cancel that',
  'forget the clock',
  'no',
  '',
  '🙂',
  'stop using dark mode',
  'leave the wallpaper',
  'never show the clock again',
])('“%s” alone does not', (text) => {
  expect(isWithdrawal(text)).toBe(false)
})
