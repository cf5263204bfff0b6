import { z } from 'zod'
import { ANY_NUMBER, vocabulary, type Ask, type Clause, type Understood } from './intent.ts'
import { alreadySo, did, edit, readSetting, settingPath, writeSetting, type Recipe } from './recipe.ts'

const SIZE = { least: 12, most: 24, usual: 14, step: 2 }
const RANGE = `the text can be from ${SIZE.least} to ${SIZE.most} pixels high`

const shape = z.strictObject({
  size: z.union([
    z.enum(['bigger', 'smaller', 'usual']),
    z.coerce
      .number()
      .refine(
        (size) => Number.isInteger(size) && size >= SIZE.least && size <= SIZE.most,
        `${RANGE}; or say "bigger" or "smaller"`,
      ),
  ]),
})

const words = vocabulary({
  subject: [
    'text',
    'texts',
    'font',
    'fonts',
    'letters',
    'letter',
    'type',
    'writing',
    'words',
    'font size',
    'text size',
    'fontsize',
    'print',
    'characters',
    'lettering',
  ],
  /** Says that a size is meant, but not of what. */
  size: ['size', 'sized', 'height', 'high'],
  change: {
    bigger: ['bigger', 'larger', 'larger size', 'bigger size'],
    smaller: ['smaller', 'tinier', 'smaller size'],
  },
  act: {
    bigger: ['enlarge', 'increase', 'grow', 'scale up', 'magnify', 'blow up', 'bump up', 'bump'],
    smaller: ['shrink', 'decrease', 'reduce', 'scale down'],
  },
  /** Also said of loudness and much else, so it counts only if the text is named. */
  turn: { bigger: ['up', 'raise'], smaller: ['down', 'lower'] },
  zoom: { bigger: ['zoom in'], smaller: ['zoom out'] },
  extent: { bigger: ['big', 'large', 'huge', 'giant', 'enormous'], smaller: ['small', 'tiny', 'little'] },
  excess: ['too', 'way too', 'much too', 'far too', 'a bit too', 'a little too', 'so', 'awfully', 'very', 'really'],
  be: ['is', 'are', 'looks', 'its', 'look'],
  unreadable: [
    'cant read',
    'cannot read',
    'can not read',
    'can hardly read',
    'can barely read',
    'hardly read',
    'barely read',
    'hard to read',
    'difficult to read',
    'unreadable',
    'illegible',
    'cant see',
    'hardly see',
  ],
  usual: ['normal', 'default', 'usual', 'standard', 'original', 'reset', 'regular'],
  number: [ANY_NUMBER],
  unit: ['px', 'pixel', 'pixels', 'pt', 'points', 'point'],
  glue: ['of', 'by', 'one', 'from', 'more', 'much', 'step', 'as', 'for reading', 'everywhere', 'than'],
})

/** One size for all text of the desktop; everything else is measured by it. */
export const textSizeRecipe: Recipe = {
  name: 'font-size',
  title: 'Text size',
  group: 'Looks',
  hint: `How big the text is, from ${SIZE.least} to ${SIZE.most} pixels; or "bigger", "smaller".`,
  example: 'make the text bigger',
  fields: [{ name: 'size', label: 'Pixels', kind: 'number', choices: [], fallback: 17, required: true }],
  parameters: shape,
  single: true,
  intent: { words, read },
  complete: (said) => `make the text ${said}`,
  work: edit(shape, [settingPath('font-size')], ({ size }, files) => {
    const set = readSetting(files, 'font-size', 'fontSize')
    const present = typeof set === 'number' && set >= SIZE.least && set <= SIZE.most ? set : SIZE.usual
    const fontSize = sizeAfter(size, present)
    if (fontSize === present) return alreadySo(alreadyWords(size, present))
    return did(`Made the text ${fontSize > present ? 'bigger' : 'smaller'}: ${fontSize} pixels.`, [
      writeSetting('font-size', { fontSize }),
    ])
  }),
}

function sizeAfter(size: z.infer<typeof shape>['size'], present: number): number {
  if (size === 'usual') return SIZE.usual
  if (size === 'bigger') return Math.min(SIZE.most, present + SIZE.step)
  if (size === 'smaller') return Math.max(SIZE.least, present - SIZE.step)
  return size
}

function alreadyWords(size: z.infer<typeof shape>['size'], present: number): string {
  if (size === 'bigger') return `The text is already as big as it gets: ${present} pixels.`
  if (size === 'smaller') return `The text is already as small as it gets: ${present} pixels.`
  return `The text is already ${present} pixels.`
}

function read(clause: Clause): Understood | null {
  if (clause.has('unreadable'))
    return clause.has('subject') || clause.has('it') ? { parameters: { size: 'bigger' }, strong: true } : null
  const isSized = ['change', 'act', 'extent'].some((role) => clause.has(role))
  const about = clause.has('subject') || ((clause.has('it') || clause.has('desk')) && isSized)
  if (!about && !clause.has('zoom') && !clause.has('unit')) return null
  if (clause.verbs.has('remove') || clause.verbs.has('take')) return null
  if (clause.has('be')) return readComplaint(clause)
  if (clause.has('neg'))
    return {
      parameters: {},
      negated: 'I left the text size as it is. Say "bigger", "smaller" or a number of pixels to change it.',
    }
  const turned = clause.has('subject') ? clause.value('turn') : undefined
  const change = clause.value('zoom') ?? clause.value('act') ?? clause.value('change') ?? turned
  const isStep = change !== undefined && clause.tags.some(({ role, value }) => role === 'glue' && value === 'by')
  const number = clause.value('number')
  if (number !== undefined && !isStep) return readNumber(clause, Number(number))
  const size = change ?? (clause.has('usual') && clause.has('subject') ? 'usual' : clause.value('extent'))
  if (size !== undefined) return { parameters: { size }, strong: clause.has('act') || clause.has('zoom') }
  const isSize = clause.has('size') || clause.value('subject')?.endsWith('size') === true
  const changes = clause.has('subject') && clause.verbs.has('set') && isSize
  return changes ? { parameters: {}, ask: askSize('Which size?') } : null
}

function askSize(question: string): Ask {
  return {
    field: 'size',
    question: `${question} A number of pixels from ${SIZE.least} to ${SIZE.most} will do, too.`,
    choices: ['Bigger', 'Smaller'],
  }
}

const EXTREME = /^(tiny|huge|giant|enormous)$/i

/** "The text is too small" wants the opposite of what it says. */
function readComplaint(clause: Clause): Understood | null {
  const extent = clause.tag('extent')
  if (extent === undefined || !['subject', 'it', 'desk'].some((role) => clause.has(role))) return null
  const complains = clause.has('excess') || EXTREME.test(clause.original(extent.from, extent.to))
  return complains ? { parameters: { size: extent.value === 'bigger' ? 'smaller' : 'bigger' }, strong: true } : null
}

function readNumber(clause: Clause, size: number): Understood | null {
  if (!clause.has('subject') && !clause.has('unit')) return null
  if (size >= SIZE.least && size <= SIZE.most) return { parameters: { size } }
  return { parameters: {}, ask: askSize(`${size} pixels is out of range. Which size?`) }
}
