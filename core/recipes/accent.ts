import { z } from 'zod'
import { LIMITS } from '@choiros/contract/limits.ts'
import { colourNames, colourOf } from './colours.ts'
import { ANY_HEX, vocabulary, type Clause, type Understood, type Vocabulary } from './intent.ts'
import { alreadySo, did, edit, readSetting, settingPath, writeSetting, type Recipe } from './recipe.ts'
import { capitalise } from './titles.ts'

const DEFAULT = 'default'
const SUGGESTED = ['Gold', 'Teal', 'Blue', 'Violet', 'Crimson', 'Orange', 'Green', 'Turquoise']

const shape = z.strictObject({
  colour: z
    .string('say which colour, by name or like #0f7b74')
    .refine(
      (text) => text === DEFAULT || colourOf(text) !== null,
      'that is no colour I know: give a name such as "teal", or a value such as #0f7b74',
    ),
})

/** Colours by name or value, for every recipe that takes one. */
export const COLOUR_WORDS: Vocabulary = new Map([
  ...colourNames().map((name) => [name, { role: 'colour', value: name }] as const),
  [ANY_HEX, { role: 'colour', value: '' }],
])

const ACCENT = [
  'accent',
  'accents',
  'accent colour',
  'accent color',
  'highlight',
  'highlights',
  'highlight colour',
  'highlight color',
  'theme colour',
]

const words: Vocabulary = new Map([
  ...COLOUR_WORDS,
  ...vocabulary({
    subject: {
      accent: [...ACCENT, 'theme color', 'main colour', 'main color', 'tint', 'hue'],
      colour: ['colour', 'color', 'colours', 'colors', 'colour scheme', 'color scheme', 'buttons', 'button', 'links'],
      theme: ['theme', 'look'],
    },
    original: ['default', 'standard', 'original', 'normal', 'usual', 'reset', 'old'],
    glue: [
      'or',
      'from',
      'of',
      'as',
      'be',
      'shade',
      'tone',
      'warm',
      'cool',
      'rich',
      'pretty',
      'cheerful',
      'calm',
      'subtle',
      'friendly',
      'for',
    ],
  }),
])

/** The colour of what is chosen, pressed and pointed at. Without the file the desktop has its own gold. */
export const accentRecipe: Recipe = {
  name: 'accent',
  title: 'Accent colour',
  group: 'Looks',
  hint: 'The colour of buttons, links and what is selected, by name or as #rrggbb.',
  example: 'make the accent teal',
  fields: [{ name: 'colour', label: 'Colour', kind: 'colour', choices: [], fallback: '#008080', required: true }],
  parameters: shape,
  single: true,
  intent: { words, read },
  complete: (said) => `make the accent ${said}`,
  work: edit(shape, [settingPath('accent')], ({ colour }, files) => {
    const present = readSetting(files, 'accent', 'accent')
    if (colour === DEFAULT) {
      if (files.read(settingPath('accent')) === null) return alreadySo('The accent is already the original one.')
      return did('Gave the desktop its original accent back.', [], [settingPath('accent')])
    }
    const accent = colourOf(colour)!
    if (present === accent) return alreadySo(`The accent is already ${colour}.`)
    return did(`Made the accent ${colour}.`, [writeSetting('accent', { accent })])
  }),
}

function read(clause: Clause): Understood | null {
  if (clause.verbs.has('take')) return null
  const colours = clause.values('colour').filter((name) => colourOf(name) !== null)
  const isFromTo = clause.tags.some(({ role, value }) => role === 'glue' && value === 'from')
  const colour = isFromTo ? colours.at(-1) : colours[0]
  if (colour === undefined) return readWithoutColour(clause)
  const subject = clause.value('subject')
  if (clause.has('desk') && subject === undefined) return null
  if (clause.has('neg'))
    return {
      parameters: {},
      negated: 'I left the accent as it is. To change it, name the colour you want, as in "make the accent teal".',
    }
  if (clause.verbs.has('remove')) return subject === 'accent' ? { parameters: { colour: DEFAULT } } : null
  if (colours.length > 1 && !isFromTo)
    return clause.isJoined
      ? null
      : {
          parameters: {},
          ask: {
            field: 'colour',
            question: 'Which one of these?',
            choices: colours.slice(0, LIMITS.choicesMax).map(capitalise),
          },
        }
  // "Necesito una rosa": in other languages a colour alone is too often a thing.
  if (clause.language !== 'en' && subject === undefined && !clause.has('it') && !clause.verbs.has('set')) return null
  const sets = clause.verbs.has('set') || (subject !== undefined && (clause.verbs.has('add') || clause.verbs.has('on')))
  return clause.verbs.size === 0 || sets ? { parameters: { colour } } : null
}

function readWithoutColour(clause: Clause): Understood | null {
  const subject = clause.value('subject')
  if (subject === undefined || subject === 'theme') return null
  if (clause.has('neg')) return subject === 'accent' ? { parameters: {}, negated: 'I left the accent as it is.' } : null
  if (clause.has('original') || (subject === 'accent' && clause.verbs.has('remove')))
    return { parameters: { colour: DEFAULT }, strong: true }
  const changes = clause.asks && (subject === 'accent' || clause.verbs.has('set'))
  return changes
    ? {
        parameters: {},
        ask: {
          field: 'colour',
          question: 'Which colour? Any name or a value such as #0f7b74 will do.',
          choices: SUGGESTED,
        },
      }
    : null
}
