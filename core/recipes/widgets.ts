import { z } from 'zod'
import { DATE_WORDS, dateIn, dayWords, isDay } from './dates.ts'
import { addExtension, FOLDERS, isAsMade, isTaken, madeExtensions, type Made } from './extensions.ts'
import { ANY_QUOTED, vocabulary, type Clause, type Understood, type Vocabulary } from './intent.ts'
import { alreadySo, edit, type Recipe, type RecipeFiles, type RecipeOutcome } from './recipe.ts'
import { cleanTitle, freeSlug, slugOf, titleFromWords } from './titles.ts'

/** A verb continues from one of these to the next: "add a clock and the date". */
export const WIDGET_RECIPES = ['clock', 'date', 'countdown', 'greeting', 'remove']

export const SCOPE = [FOLDERS.widgets]
export const PLACE_WORDS = [
  'taskbar',
  'task bar',
  'bar',
  'widget',
  'widgets',
  'corner',
  'of',
  'that shows',
  'next to the date',
  'always',
  'at all times',
  'next to the clock',
  'beside the date',
  'beside the clock',
  'which shows',
  'showing',
  'next to',
  'one',
  'down there',
  'down here',
  'down below',
  'below',
  'down at the bottom',
  'bottom',
  'lower',
  'edge',
  'up there',
  'up here',
  'out there',
  'over there',
  'over here',
  'left',
  'right',
  'side',
  'somewhere',
  'anywhere',
  'where i can see it',
]

/** Adds a widget, or gives the existing one other constants if nobody has worked on it since. */
export function putWidget(
  files: RecipeFiles,
  id: string,
  made: Made,
  summaries: { added: string; changed: string },
): RecipeOutcome {
  const present = madeExtensions(files, 'widgets').find(
    (extension) => extension.id === id && extension.recipe === made.recipe,
  )
  if (present === undefined) {
    const free = freeSlug(id, (slug) => isTaken(files, 'widgets', slug))
    return addExtension(files, 'widgets', free, made, summaries.added)
  }
  if (!isAsMade(files, 'widgets', present) && JSON.stringify(present.constants) !== JSON.stringify(made.constants))
    return alreadySo(
      `There is already a ${made.recipe}, and it has been changed since it was added. Remove it first if you want a fresh one.`,
    )
  if (!isAsMade(files, 'widgets', present)) return alreadySo(`${made.title} is already there.`)
  return addExtension(files, 'widgets', id, made, summaries.changed)
}

/** What the sentences of all widgets have in common; null if the clause does not ask for one. */
export function wantsWidget(clause: Clause, isNamed: boolean): 'yes' | 'negated' | null {
  if (!isNamed || clause.does('remove', WIDGET_RECIPES) || clause.verbs.has('take')) return null
  if (clause.has('neg')) return clause.verbs.has('add') ? 'negated' : null
  if (clause.verbs.size > 0 && !['add', 'show', 'set', 'on'].some((verb) => clause.verbs.has(verb))) return null
  return 'yes'
}

const clockShape = z.strictObject({
  seconds: z.boolean().optional(),
  hours: z.enum(['12', '24'], 'a clock has "12" or "24" hours').optional(),
})

const clockWords = vocabulary({
  subject: ['clock', 'clocks', 'digital clock', 'wall clock'],
  time: ['time', 'current time', 'time of day', 'what time it is'],
  seconds: {
    yes: ['seconds', 'second', 'second hand'],
    no: [
      'without seconds',
      'without the seconds',
      'no seconds',
      'hide the seconds',
      'hide seconds',
      'without showing seconds',
    ],
  },
  hours: {
    24: [
      '24 hour',
      '24 hours',
      '24 h',
      '24',
      'twenty four hour',
      'military time',
      'twenty four hours',
      '24 hour format',
      '24 hour time',
    ],
    12: [
      '12 hour',
      '12 hours',
      '12 h',
      '12',
      'twelve hour',
      'am pm',
      'am',
      'pm',
      'twelve hours',
      '12 hour format',
      '12 hour time',
    ],
  },
  glue: [...PLACE_WORDS, 'format', 'mode', 'style', 'or'],
})

export const clockRecipe: Recipe = {
  name: 'clock',
  title: 'Clock',
  group: 'Widgets',
  hint: 'A clock in the taskbar, with or without seconds.',
  example: 'add a clock with seconds',
  fields: [
    { name: 'seconds', label: 'With seconds', kind: 'yes', choices: [], fallback: false, required: false },
    {
      name: 'hours',
      label: 'Hours',
      kind: 'choice',
      choices: [
        { value: '24', label: '24 hours' },
        { value: '12', label: '12 hours, am and pm' },
      ],
      fallback: '24',
      required: false,
    },
  ],
  parameters: clockShape,
  single: true,
  intent: { words: clockWords, read: readClock },
  work: edit(clockShape, SCOPE, ({ seconds, hours }, files) => {
    const present = madeExtensions(files, 'widgets').find(
      ({ id, recipe }) => id === 'clock' && recipe === 'clock',
    )?.constants
    const constants = {
      SECONDS: seconds ?? present?.['SECONDS'] === true,
      HOURS_24: hours === undefined ? present?.['HOURS_24'] !== false : hours === '24',
    }
    const kind = `${constants.HOURS_24 ? '' : '12-hour '}clock${constants.SECONDS ? ' with seconds' : ''}`
    return putWidget(
      files,
      'clock',
      { recipe: 'clock', title: 'Clock', constants },
      { added: `Added a ${kind} to the taskbar.`, changed: `The clock is now a ${kind}.` },
    )
  }),
}

function readClock(clause: Clause): Understood | null {
  const hours = clause.value('hours')
  const seconds = clause.value('seconds')
  const byTime =
    clause.has('time') &&
    (clause.does('add', WIDGET_RECIPES) ||
      clause.does('show', WIDGET_RECIPES) ||
      (clause.verbs.has('set') && hours !== undefined))
  const byHours =
    hours !== undefined &&
    /hour|h$|time|am|pm/.test(clause.original(clause.tag('hours')!.from, clause.tag('hours')!.to)) &&
    clause.asks
  const bySeconds = seconds === 'no' || (seconds === 'yes' && clause.verbs.has('show'))
  const wants = wantsWidget(clause, clause.has('subject') || byTime || byHours || bySeconds)
  if (wants === null) return null
  if (wants === 'negated') return { parameters: {}, negated: 'I added no clock.' }
  return {
    parameters: {
      ...(seconds === undefined ? {} : { seconds: seconds === 'yes' }),
      ...(hours === undefined ? {} : { hours }),
    },
  }
}

const none = z.strictObject({})

const dateWords = vocabulary({
  subject: [
    'date',
    'todays date',
    'dates',
    'current date',
    'date of today',
    'what day it is',
    'day of the week',
    'weekday',
    'day and date',
    'what date it is',
  ],
  glue: [...PLACE_WORDS, 'today', 'todays'],
})

export const dateRecipe: Recipe = {
  name: 'date',
  title: 'Date',
  group: 'Widgets',
  hint: 'Today’s date in the taskbar.',
  example: 'show the date',
  fields: [],
  parameters: none,
  single: true,
  intent: {
    words: dateWords,
    read(clause) {
      const wants = wantsWidget(clause, clause.has('subject'))
      if (wants === 'negated') return { parameters: {}, negated: 'I added no date.' }
      // "Set the date" would be about the calendar.
      return wants === null || (clause.verbs.has('set') && !clause.verbs.has('add')) ? null : { parameters: {} }
    },
  },
  work: edit(none, SCOPE, (_, files) =>
    putWidget(
      files,
      'date',
      { recipe: 'date', title: 'Date', constants: {} },
      { added: 'Added the date to the taskbar.', changed: 'The date is there.' },
    ),
  ),
}

const countdownShape = z.strictObject({
  until: z.string('say until which day, as in 2027-06-01').refine(isDay, 'give the day like 2027-06-01'),
  title: z.string().trim().max(200).optional(),
})

const countdownWords: Vocabulary = new Map([
  ...DATE_WORDS,
  ...vocabulary({
    subject: [
      'countdown',
      'count down',
      'days until',
      'days till',
      'days left until',
      'number of days until',
      'how many days until',
      'how long until',
      'how long till',
      'how many days to',
      'how many days till',
      'count the days until',
      'count the days till',
      'days to',
      'how many days are left until',
    ],
    until: ['until', 'till', 'to', 'for', 'before', 'on', 'ends on', 'til', 'is on', 'which is on', 'is', 'in'],
    named: ['called', 'named', 'titled'],
    quoted: [ANY_QUOTED],
    glue: [...PLACE_WORDS, 'next', 'coming'],
  }),
])

export const countdownRecipe: Recipe = {
  name: 'countdown',
  title: 'Countdown',
  group: 'Widgets',
  hint: 'How many days are left until a day that matters.',
  example: 'add a countdown to Christmas',
  fields: [
    { name: 'until', label: 'Until (YYYY-MM-DD)', kind: 'text', choices: [], fallback: null, required: true },
    { name: 'title', label: 'What for', kind: 'text', choices: [], fallback: 'Countdown', required: false },
  ],
  parameters: countdownShape,
  intent: { words: countdownWords, open: true, read: readCountdown },
  complete: (said) => `add a countdown to ${said}`,
  work: edit(countdownShape, SCOPE, ({ until, title = '' }, files) => {
    const named = cleanTitle(title)
    const id = named === '' ? 'countdown' : `countdown-${slugOf(named, 'day')}`
    const made = { recipe: 'countdown', title: named === '' ? 'Countdown' : named, constants: { UNTIL: until } }
    return putWidget(files, id, made, {
      added: `Added a countdown to ${dayWords(until)} to the taskbar.`,
      changed: `The countdown now goes to ${dayWords(until)}.`,
    })
  }),
}

function readCountdown(clause: Clause): Understood | null {
  const subject = clause.tag('subject')
  if (subject === undefined || clause.tags.some(({ role, from }) => role === 'unknown' && from < subject.from))
    return null
  // A countdown timer runs for minutes; it is an app.
  if (clause.tags.some(({ role, value, from }) => role === 'unknown' && from === subject.to && value === 'timer'))
    return null
  const wants = wantsWidget(clause, true)
  if (wants === null) return null
  if (wants === 'negated') return { parameters: {}, negated: 'I added no countdown.' }
  const date = dateIn(clause)
  const unknown = clause.tags.filter(({ role }) => role === 'unknown' || role === 'quoted')
  const [first] = unknown
  const last = unknown.at(-1)
  const named =
    first === undefined || last === undefined
      ? ''
      : titleFromWords(clause.original(first.from, last.to), clause.language)
  if (date === null) {
    const ask = { field: 'until', question: 'Which day should it count down to?', choices: ['Christmas', 'New Year'] }
    return { parameters: named === '' ? {} : { title: named.slice(0, 200).toWellFormed() }, ask, taken: unknown }
  }
  const title = date.feast ?? named
  return { parameters: { until: date.day, ...(title === '' ? {} : { title }) }, taken: unknown }
}
