import { z } from 'zod'
import { vocabulary, type Clause, type Understood } from './intent.ts'
import { alreadySo, did, edit, readSetting, settingPath, writeSetting, type Recipe } from './recipe.ts'

type Theme = 'dark' | 'light'

const shape = z.strictObject({ theme: z.enum(['dark', 'light'], 'the theme is "dark" or "light"') })

/** Said of a background, these mean the picture or colour behind the windows, and not the whole desktop. */
export const COMPARED = [
  'darker',
  'darken',
  'lighter',
  'brighter',
  'lighten',
  'brighten',
  'lighten up',
  'brighten up',
  'less dark',
  'less light',
  'less bright',
]

const words = vocabulary({
  value: {
    dark: ['dark', 'darker', 'darken'],
    light: ['light', 'lighter', 'bright', 'brighter', 'lighten', 'brighten', 'lighten up', 'brighten up'],
  },
  /** These do not mean a theme unless one is named: "good night" is no wish. */
  hint: { dark: ['night', 'black', 'dim', 'nighttime'], light: ['day', 'white', 'daylight', 'daytime'] },
  subject: [
    'theme',
    'mode',
    'look',
    'appearance',
    'style',
    'background',
    'colours',
    'colors',
    'colour scheme',
    'color scheme',
    'scheme',
    'skin',
  ],
  excess: ['too', 'way too', 'much too', 'far too', 'a bit too', 'a little too', 'so', 'less', 'not so'],
  be: ['is', 'are', 'looks', 'its', 'feels', 'seems'],
  glue: ['from', 'of', 'as', 'to the', 'side', 'up'],
  off: ['off'],
  toggle: ['toggle', 'other'],
})

/** Light and dark are one setting; without it the desktop is dark. */
export const themeRecipe: Recipe = {
  name: 'theme',
  title: 'Light or dark',
  group: 'Looks',
  hint: 'Switches the whole desktop between its light and its dark theme.',
  example: 'make it light',
  fields: [
    {
      name: 'theme',
      label: 'Theme',
      kind: 'choice',
      choices: [
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ],
      fallback: 'light',
      required: true,
    },
  ],
  parameters: shape,
  single: true,
  intent: { words, read },
  complete: (said) => `make the theme ${said}`,
  work: edit(shape, [settingPath('theme')], ({ theme }, files) => {
    const present = readSetting(files, 'theme', 'theme') ?? 'dark'
    if (present === theme) return alreadySo(`The desktop is already ${theme}.`)
    return did(`Made the desktop ${theme}.`, [writeSetting('theme', { theme })])
  }),
}

function read(clause: Clause): Understood | null {
  const named = clause.has('subject')
  const about = named || clause.has('it') || clause.has('desk')
  const values = [...clause.values('value'), ...(about ? clause.values('hint') : [])] as Theme[]
  const said = values.at(-1)
  if (said === undefined || (clause.has('hint') && !about)) return askWhich(clause)
  // "Light and dark" are two wishes; "from dark to light" is one.
  if (new Set(values).size > 1 && !clause.tags.some(({ role, value }) => role === 'glue' && value === 'from'))
    return null
  // "Turn on the light" is about a lamp.
  if (clause.verbs.has('on') && !about) return null
  if (clause.verbs.has('take') || (clause.has('be') && !clause.has('excess') && !clause.asks)) return null
  if (isOfBackground(clause)) return null
  const opposite: Theme = said === 'dark' ? 'light' : 'dark'
  if (isTooMuch(clause)) return { parameters: { theme: opposite }, strong: true }
  if (clause.verbs.has('remove') || clause.has('off') || isNo(clause))
    return { parameters: { theme: opposite }, strong: true }
  if (clause.has('neg'))
    return {
      parameters: {},
      negated: `I left the theme as it is. If you would rather have it ${opposite}, say "make it ${opposite}".`,
    }
  if (clause.verbs.size > 0 && !['set', 'add', 'on', 'show', 'move'].some((verb) => clause.verbs.has(verb))) return null
  return { parameters: { theme: said } }
}

/** "The background a bit lighter", "the background is too dark"; "a dark background" still asks for the theme. */
function isOfBackground(clause: Clause): boolean {
  const subjects = clause.values('subject')
  return (
    subjects.length === 1 &&
    subjects[0] === 'background' &&
    (clause.has('excess') ||
      clause.tags.some(({ role, from, to }) => role === 'value' && COMPARED.includes(clause.english(from, to))))
  )
}

/** "Too dark" complains; in "make it dark too" the word says something else. */
function isTooMuch({ tags }: Clause): boolean {
  return tags.some(({ role, to }) => role === 'excess' && tags.some((tag) => tag.role === 'value' && tag.from === to))
}

/** "No dark mode" wants the other one; "not dark" and "don't make it dark" only refuse. */
function isNo(clause: Clause): boolean {
  return clause.has('subject') && ['no', 'without'].includes(clause.value('neg') ?? '') && clause.verbs.size === 0
}

function askWhich(clause: Clause): Understood | null {
  const plain = clause.tags.some(
    ({ role, value }) => role === 'subject' && ['theme', 'mode', 'appearance', 'skin'].includes(value),
  )
  if (!plain || clause.has('hint')) return null
  if (clause.has('neg')) return { parameters: {}, negated: 'I left the theme as it is.' }
  const changes = clause.verbs.has('set') || clause.has('toggle')
  return changes
    ? { parameters: {}, ask: { field: 'theme', question: 'Light or dark?', choices: ['Light', 'Dark'] } }
    : null
}
