import { z } from 'zod'
import { FOLDERS, madeExtensions, removeExtension, type Extension, type Place } from './extensions.ts'
import { ANY_QUOTED, vocabulary, type Clause, type Understood } from './intent.ts'
import { alreadySo, did, edit, type Recipe, type RecipeFiles, type RecipeOutcome } from './recipe.ts'
import { cleanTitle, slugOf, titleFromWords } from './titles.ts'
import { WIDGET_RECIPES } from './widgets.ts'

const shape = z.strictObject({ what: z.string('say what is to be removed').trim().min(1, 'say what is to be removed').max(200) })

const words = vocabulary({
  subject: {
    clock: ['clock', 'clocks', 'time'],
    date: ['date', 'dates'],
    countdown: ['countdown', 'count down'],
    greeting: ['greeting', 'greetings', 'welcome message'],
    timer: ['timer', 'timers'],
    notes: ['notes', 'notes app', 'notebook', 'notepad'],
    todo: ['todo', 'todos', 'to do', 'to do list', 'todo list', 'checklist', 'todo app'],
  },
  noun: ['app', 'application', 'widget', 'program', 'tool'],
  away: ['away', 'off', 'out', 'down'],
  named: ['called', 'named', 'titled'],
  quoted: [ANY_QUOTED],
  glue: ['from', 'of', 'taskbar', 'task bar', 'bar', 'any', 'anymore', 'any more', 'please', 'again', 'which', 'one', 'see', 'have'],
})

/** Takes away what a recipe put there. What came with the computer, and what was built by hand, is not a recipe's to remove. */
export const removeRecipe: Recipe = {
  name: 'remove',
  title: 'Remove a widget or app',
  group: 'Apps',
  hint: 'Takes away a widget or a small app that was added for you. What you kept in an app stays in your files.',
  example: 'remove the clock',
  fields: [{ name: 'what', label: 'Which one', kind: 'text', choices: [], fallback: 'clock', required: true }],
  parameters: shape,
  intent: { words, open: true, read },
  work: edit(shape, [FOLDERS.apps, FOLDERS.widgets], ({ what }, files) => {
    if (/^(all )?(the |my )?widgets$/i.test(what.trim())) return removeWidgets(files)
    const found = findMade(files, what)
    if (found === null) return alreadySo(notThere(files, what))
    const stays = found.place === 'apps' ? ' What you kept in it stays in your files.' : ''
    return removeExtension(files, found.place, found.id, `Removed “${found.title}”.${stays}`)
  }),
}

/** By title, then by id, then by kind where only one is of that kind; of several countdowns the newest name does not matter, so the person must say which. */
function findMade(files: RecipeFiles, what: string): (Extension & { place: Place }) | null {
  const all = (['widgets', 'apps'] as const).flatMap((place) => madeExtensions(files, place).map((extension) => ({ ...extension, place })))
  const wanted = slugOf(titleFromWords(what), '')
  const tests: ((extension: Extension) => boolean)[] = [
    ({ title }) => title === what,
    ({ title }) => slugOf(title, '') === wanted,
    ({ id }) => id === wanted || id === wanted.replaceAll(/-(to|for|until|the|my)(?=-)/g, ''),
    ({ recipe }) => recipe === wanted,
    ({ title }) => wanted.length > 2 && slugOf(title, '').split('-').join(' ').includes(wanted.split('-').join(' ')),
    ({ title }) => `-${wanted}-`.includes(`-${slugOf(title, '?')}-`),
  ]
  for (const matches of tests) {
    const found = all.filter(matches)
    if (found.length === 1) return found[0]!
  }
  return null
}

function removeWidgets(files: RecipeFiles): RecipeOutcome {
  const widgets = madeExtensions(files, 'widgets')
  if (widgets.length === 0) return alreadySo('There are no widgets that I could remove.')
  const removes = widgets.flatMap(({ id }) => files.list(`${FOLDERS.widgets}${id}`))
  return did(`Removed ${widgets.map(({ title }) => `“${title}”`).join(', ')}.`, [], removes)
}

function notThere(files: RecipeFiles, what: string): string {
  const titles = (['widgets', 'apps'] as const).flatMap((place) => madeExtensions(files, place).map(({ title }) => `“${title}”`))
  const there = titles.length === 0 ? 'Nothing was added by a recipe so far.' : `I can remove ${titles.join(', ')}.`
  return `There is no “${cleanTitle(what)}” that I could remove. ${there} Documents are deleted in Files.`
}

/** Said of many things besides apps; of these only of what is plainly ours. */
const VAGUE = new Set([
  'lose',
  'drop',
  'hide',
  'ditch',
  'hate',
  'cant stand',
  'kill',
  'clear',
  'erase',
  'no more',
  'disable',
  'deactivate',
  'dont like',
  'do not like',
  'turn off',
  'switch off',
  'dont show',
  'dont need',
  'do not need',
  'dont want',
  'do not want',
])

function read(clause: Clause): Understood | null {
  const isOff = clause.value('away') === 'off' && clause.has('subject') && !clause.has('unknown')
  const takesAway = (clause.verbs.has('take') && clause.has('away')) || isOff
  const isNo = clause.has('neg') && clause.verbs.size === 0 && ['no', 'without'].includes(clause.value('neg')!) && clause.has('subject')
  const removes = clause.does('remove', WIDGET_RECIPES) || takesAway || isNo
  if (!removes) return null
  const first = clause.tags.find(({ role }) => role === 'subject' || role === 'unknown' || role === 'quoted')
  if (first === undefined || clause.values('subject').length > 1) return null
  const named = clause.tag('named')
  const quoted = clause.tag('quoted')
  const known = clause.value('subject')
  const hasUnknown = clause.has('unknown')
  const verb = clause.tag('verb')
  const said = verb === undefined ? '' : clause.original(verb.from, verb.to).toLowerCase().replaceAll(/['’]/g, '')
  if (hasUnknown && !clause.has('noun') && (VAGUE.has(said) || verb === undefined)) return null
  if (verb !== undefined && hasUnknown && clause.tags.some(({ role, from }) => role === 'unknown' && from < verb.from)) return null
  if (clause.has('neg') && !isNo) return { parameters: {}, negated: 'I removed nothing.' }
  const what = quoted?.value ?? (hasUnknown ? nameFrom(clause, named?.to ?? first.from) : known!)
  return what === '' ? null : { parameters: { what }, taken: clause.tags.filter(({ role }) => role === 'unknown') }
}

/** The words for the thing itself, without "app", "away" and "from the taskbar". */
function nameFrom(clause: Clause, from: number): string {
  const kept = clause.tags.filter(
    (tag) => tag.from >= from && (tag.role === 'unknown' || tag.role === 'subject' || (tag.role === 'glue' && tag.value === 'of')),
  )
  const last = kept.findLast(({ role }) => role !== 'glue')
  return last === undefined ? '' : titleFromWords(clause.original(from, last.to), 80)
}
