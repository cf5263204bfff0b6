import { z } from 'zod'
import { COLOUR_WORDS } from './accent.ts'
import { colourOf } from './colours.ts'
import { vocabulary, type Clause, type Understood, type Vocabulary } from './intent.ts'
import { alreadySo, did, edit, readSetting, settingPath, writeSetting, type Recipe } from './recipe.ts'
import { COMPARED } from './theme.ts'
import { capitalise } from './titles.ts'

const NAMES = ['plain', 'dusk', 'aurora', 'dunes', 'grid', 'paper', 'ocean', 'forest'] as const

const LABELS = NAMES.map(capitalise)

const shape = z
  .strictObject({
    wallpaper: z.enum(NAMES, `a wallpaper is one of ${NAMES.join(', ')}, or a colour`).optional(),
    colour: z
      .string()
      .refine(
        (text) => colourOf(text) !== null,
        'that is no colour I know: give a name such as "teal", or a value such as #0f7b74',
      )
      .optional(),
  })
  .refine(({ wallpaper, colour }) => wallpaper !== undefined || colour !== undefined, 'choose a wallpaper or a colour')

const words: Vocabulary = new Map([
  ...COLOUR_WORDS,
  ...vocabulary({
    subject: [
      'wallpaper',
      'wallpapers',
      'wall paper',
      'background',
      'backdrop',
      'desktop background',
      'desktop picture',
      'background image',
      'background picture',
      'background colour',
      'background color',
    ],
    value: {
      plain: ['plain', 'blank', 'empty', 'none', 'nothing', 'default', 'simple', 'solid'],
      dusk: ['dusk', 'sunset', 'evening', 'twilight'],
      aurora: ['aurora', 'northern lights', 'polar lights', 'aurora borealis'],
      dunes: ['dunes', 'dune', 'desert', 'sand dunes'],
      grid: ['grid', 'squares', 'graph paper', 'checked', 'lines'],
      paper: ['paper', 'parchment'],
      ocean: ['ocean', 'sea', 'waves', 'water', 'underwater'],
      forest: ['forest', 'woods', 'trees', 'woodland', 'jungle'],
    },
    /** Lighter than what? Only a picture or a colour says it. */
    shade: COMPARED,
    glue: ['for', 'of', 'as', 'from', 'like', 'picture of', 'image of', 'be', 'like the', 'one'],
  }),
])

/** What is behind the windows: one of a few drawn pictures, or a colour. */
export const wallpaperRecipe: Recipe = {
  name: 'wallpaper',
  title: 'Wallpaper',
  group: 'Looks',
  hint: `What is behind the windows: ${NAMES.join(', ')}, or a colour.`,
  example: 'use the aurora wallpaper',
  fields: [
    {
      name: 'wallpaper',
      label: 'Wallpaper',
      kind: 'choice',
      choices: NAMES.map((name) => ({ value: name, label: capitalise(name) })),
      fallback: 'aurora',
      required: false,
    },
    { name: 'colour', label: 'Or a colour', kind: 'colour', choices: [], fallback: null, required: false },
  ],
  parameters: shape,
  single: true,
  intent: { words, read },
  complete: (said) => `make the wallpaper ${said}`,
  work: edit(shape, [settingPath('wallpaper')], ({ wallpaper: name, colour }, files) => {
    const wallpaper = colour === undefined ? name! : colourOf(colour)!
    const called = colour ?? name!
    if ((readSetting(files, 'wallpaper', 'wallpaper') ?? 'plain') === wallpaper)
      return alreadySo(`The wallpaper is already ${called}.`)
    return did(`Made the wallpaper ${called}.`, [writeSetting('wallpaper', { wallpaper })])
  }),
}

function read(clause: Clause): Understood | null {
  const named = clause.has('subject')
  const colours = clause.values('colour').filter((name) => colourOf(name) !== null)
  const names = clause.values('value')
  const about = named || (clause.has('desk') && clause.verbs.has('set'))
  if (clause.verbs.has('take') || !(about || (clause.has('it') && names.length > 0 && clause.verbs.has('set'))))
    return null
  const said = names.length + colours.length
  if (clause.has('neg'))
    return {
      parameters: {},
      negated: `I left the wallpaper as it is. To change it, name one: ${NAMES.join(', ')}, or a colour.`,
    }
  if (clause.verbs.has('remove')) return named ? { parameters: { wallpaper: 'plain' } } : null
  if (said === 0)
    return named && (clause.asks || clause.has('shade'))
      ? {
          parameters: {},
          ask: { field: 'wallpaper', question: 'Which wallpaper? You can also name a colour.', choices: LABELS },
        }
      : null
  if (said > 1 && clause.isJoined) return null
  if (said > 1)
    return {
      parameters: {},
      ask: { field: 'wallpaper', question: 'Which one of these?', choices: [...names, ...colours].map(capitalise) },
    }
  const [name] = names
  return { parameters: name === undefined ? { colour: colours[0]! } : { wallpaper: name } }
}
