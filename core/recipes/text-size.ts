import { z } from 'zod'
import { ANY_NUMBER, vocabulary, type Clause, type Understood } from './intent.ts'
import { alreadySo, did, edit, readSetting, settingPath, writeSetting, type Recipe } from './recipe.ts'

const SIZE = { least: 12, most: 24, usual: 14, step: 2 }
const RANGE = `the text can be from ${SIZE.least} to ${SIZE.most} pixels high`

const shape = z.strictObject({
  size: z.union([
    z.enum(['bigger', 'smaller', 'usual']),
    z.coerce.number().refine((size) => Number.isInteger(size) && size >= SIZE.least && size <= SIZE.most, `${RANGE}; or say "bigger" or "smaller"`),
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
  /** Says that it is about a size, not of what. */
  size: ['size', 'sized', 'height', 'high'],
  change: {
    bigger: ['bigger', 'larger', 'enlarge', 'increase', 'grow', 'scale up', 'zoom in', 'magnify', 'blow up', 'bump up', 'bump', 'larger size'],
    smaller: ['smaller', 'tinier', 'shrink', 'decrease', 'reduce', 'scale down', 'zoom out', 'smaller size'],
  },
  /** Said of loudness and of much else, so only of what is named. */
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
  [`number`]: [ANY_NUMBER],
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
  work: edit(shape, [settingPath('font-size')], ({ size }, files) => {
    const set = readSetting(files, 'font-size', 'fontSize')
    const present = typeof set === 'number' && set >= SIZE.least && set <= SIZE.most ? set : SIZE.usual
    const fontSize = sizeAfter(size, present)
    if (fontSize === present) return alreadySo(alreadyWords(size, present))
    return did(`Made the text ${fontSize > present ? 'bigger' : 'smaller'}: ${fontSize} pixels.`, [writeSetting('font-size', { fontSize })])
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
  return `The text is already ${present} pixels high.`
}

const EXTREME = /^(tiny|huge|giant|enormous)$/i

function read(clause: Clause): Understood | null {
  if (clause.has('unreadable')) return clause.has('subject') || clause.has('it') ? { parameters: { size: 'bigger' }, strong: true } : null
  const about = clause.has('subject') || ((clause.has('it') || clause.has('desk')) && (clause.has('change') || clause.has('extent')))
  const zoom = clause.has('zoom')
  if (!about && !zoom && !clause.has('unit')) return null
  if (clause.verbs.has('remove') || clause.verbs.has('take')) return null
  const change = clause.value('zoom') ?? clause.value('change') ?? (clause.has('subject') ? clause.value('turn') : undefined)
  const extent = clause.value('extent')
  if (clause.has('be')) {
    // "The text is too small" wants the opposite of what it says.
    if (extent === undefined || (!clause.has('subject') && !clause.has('it') && !clause.has('desk'))) return null
    return clause.has('excess') || EXTREME.test(clause.original(clause.tag('extent')!.from, clause.tag('extent')!.to))
      ? { parameters: { size: extent === 'bigger' ? 'smaller' : 'bigger' }, strong: true }
      : null
  }
  if (clause.has('neg'))
    return { parameters: {}, negated: 'I left the text size as it is. Say "bigger", "smaller" or a number of pixels to change it.' }
  const isStep = change !== undefined && clause.tags.some(({ role, value }) => role === 'glue' && value === 'by')
  const number = isStep ? undefined : clause.value('number')
  if (number !== undefined) {
    if (!clause.has('subject') && !clause.has('unit')) return null
    const fits = Number(number) >= SIZE.least && Number(number) <= SIZE.most
    return fits
      ? { parameters: { size: Number(number) }, strong: true }
      : { parameters: {}, ask: `${RANGE[0]!.toUpperCase()}${RANGE.slice(1)}. Which size would you like?` }
  }
  const size = change ?? (clause.has('usual') && clause.has('subject') ? 'usual' : extent)
  if (size !== undefined) return { parameters: { size }, strong: true }
  return clause.has('subject') && clause.verbs.has('set') && clause.has('size')
    ? { parameters: {}, ask: `Which size? Say "bigger", "smaller" or a number: ${RANGE}.` }
    : null
}
