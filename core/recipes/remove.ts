import { z } from 'zod'
import { FOLDERS, madeExtensions, removeExtension, type Extension, type Place } from './extensions.ts'
import { ANY_QUOTED, vocabulary, type Clause, type Understood } from './intent.ts'
import { alreadySo, did, edit, type Recipe, type RecipeFiles, type RecipeOutcome } from './recipe.ts'
import { cleanTitle, fileSlugOf, slugOf, titleFromWords } from './titles.ts'
import { WIDGET_RECIPES } from './widgets.ts'

const shape = z.strictObject({
  what: z.string('say what is to be removed').trim().min(1, 'say what is to be removed').max(200),
})

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
  paper: ['document', 'doc', 'file', 'text file', 'text document'],
  away: ['away', 'off', 'out', 'down'],
  /** With any verb of taking: "get the date out of there". */
  gone: ['out of there', 'out of here', 'out of the way', 'out of my sight', 'out of the taskbar', 'out of the bar'],
  named: ['called', 'named', 'titled'],
  quoted: [ANY_QUOTED],
  glue: [
    'from',
    'of',
    'taskbar',
    'task bar',
    'bar',
    'any',
    'anymore',
    'any more',
    'please',
    'again',
    'which',
    'one',
    'see',
    'have',
  ],
})

const DOCUMENTS = 'artifacts/'
/** How a sentence says that it means a document; a form may say only its name. */
const DOCUMENT_NOUN = /^(?:(.*\S) (?:document|doc|file)|(?:document|doc|file) (.*\S))$/i
const DOCUMENTS_NAMED_MAX = 5

/** Removes what a recipe made. A recipe may not remove what came with the computer or was built by hand. */
export const removeRecipe: Recipe = {
  name: 'remove',
  title: 'Remove something',
  group: 'Apps',
  hint: 'Takes away a widget or a small app that was added for you, or deletes a document. What you kept in an app stays in your files.',
  example: 'remove the clock',
  fields: [{ name: 'what', label: 'Which one', kind: 'text', choices: [], fallback: 'clock', required: true }],
  parameters: shape,
  intent: { words, open: true, read },
  work: edit(shape, [FOLDERS.apps, FOLDERS.widgets, DOCUMENTS], ({ what }, files) => {
    if (/^(all )?(the |my )?widgets$/i.test(what.trim())) return removeWidgets(files)
    const document = DOCUMENT_NOUN.exec(what.trim())
    if (document !== null)
      return (
        removeDocument(files, document[1] ?? document[2] ?? '') ??
        alreadySo(noDocument(files, document[1] ?? document[2] ?? ''))
      )
    const found = findMade(files, what)
    if (found === null) return removeDocument(files, what) ?? alreadySo(notThere(files, what))
    const stays = found.place === 'apps' ? 'What you kept in it stays in your files.' : ''
    return removeExtension(files, found.place, found.id, `Removed “${found.title}”.`, stays)
  }),
}

/** By title, then by id, then by kind if there is only one of that kind; with several the person must say which. */
function findMade(files: RecipeFiles, what: string): (Extension & { place: Place }) | null {
  const all = (['widgets', 'apps'] as const).flatMap((place) =>
    madeExtensions(files, place).map((extension) => ({ ...extension, place })),
  )
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

/** By its title or its file name, ignoring case, dashes and the file name's ending. Null if nothing has that name. */
function removeDocument(files: RecipeFiles, name: string): RecipeOutcome | null {
  const wanted = plain(name)
  const all = files.list(DOCUMENTS).filter((path) => !path.startsWith('artifacts/system/'))
  const found =
    wanted === ''
      ? []
      : all.filter((path) =>
          [
            fileName(path),
            fileName(path).replace(/\.[^.]+$/, ''),
            path.slice(DOCUMENTS.length),
            titleIn(files, path),
          ].some((own) => plain(own) === wanted),
        )
  const [only, ...others] = found
  if (only === undefined) return null
  if (others.length === 0)
    return did(`Deleted the document “${titleIn(files, only) || fileName(only)}”.`, [], [only], 'Undo brings it back.')
  const shown = found.slice(0, DOCUMENTS_NAMED_MAX).map((path) => path.slice(DOCUMENTS.length))
  return alreadySo(
    `Several documents are called that, so I deleted none: ${shown.join(', ')}. Say the file name of the one you mean.`,
  )
}

function noDocument(files: RecipeFiles, name: string): string {
  const near = files
    .list(DOCUMENTS)
    .filter(
      (path) =>
        plain(titleIn(files, path) || fileName(path)).includes(plain(name)) && !path.startsWith('artifacts/system/'),
    )
  const perhaps =
    near.length === 0
      ? ''
      : ` Did you mean ${near
          .slice(0, DOCUMENTS_NAMED_MAX)
          .map((path) => `“${titleIn(files, path) || fileName(path)}”`)
          .join(' or ')}?`
  return `I found no document called “${cleanTitle(name)}”, so nothing was deleted.${perhaps}`
}

function titleIn(files: RecipeFiles, path: string): string {
  if (!path.endsWith('.md')) return ''
  return /^# (.*\S)/.exec(files.read(path) ?? '')?.[1] ?? ''
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function plain(text: string): string {
  return fileSlugOf(text, '')
}

function notThere(files: RecipeFiles, what: string): string {
  const titles: readonly string[] = (['widgets', 'apps'] as const).flatMap((place) =>
    madeExtensions(files, place).map(({ title }) => `“${title}”`),
  )
  const there =
    titles.length === 0
      ? 'Nothing has been added for you so far, and no document has that name.'
      : `I can remove ${titles.join(', ')}.`
  return `There is no “${cleanTitle(what)}” that I could remove. ${there}`
}

/** Verbs that are said of many things besides apps; with these only what is plainly ours is removed. */
const VAGUE = new Set([
  'bin',
  'scrap',
  'trash',
  'zap',
  'axe',
  'banish',
  'toss',
  'fed up with',
  'sick of',
  'tired of seeing',
  'hiding',
  'get',
  'put',
  'move',
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

const EVERYTHING = new Set(['everything', 'all of it', 'the whole thing', 'things'])

function isVagueVerb(clause: Clause, from: number, to: number): boolean {
  const verb = clause.english(from, to)
  return VAGUE.has(verb) || (clause.language !== 'en' && verb.startsWith('no longer'))
}

function read(clause: Clause): Understood | null {
  const isOff = clause.value('away') === 'off' && clause.has('subject') && !clause.has('unknown')
  const isOut = clause.has('gone') && ['take', 'add', 'move'].some((verb) => clause.verbs.has(verb))
  const takesAway = (clause.verbs.has('take') && clause.has('away')) || isOff || isOut
  const isNo =
    clause.has('neg') &&
    clause.verbs.size === 0 &&
    ['no', 'without'].includes(clause.value('neg')!) &&
    clause.has('subject')
  const removes = clause.does('remove', WIDGET_RECIPES) || takesAway || isNo
  if (!removes) return null
  // "Delete everything at once": whatever else is said, it is not the name of something.
  if (clause.tags.some(({ role, value }) => role === 'it' && EVERYTHING.has(value))) return null
  const first = clause.tags.find(({ role }) => role === 'subject' || role === 'unknown' || role === 'quoted')
  if (first === undefined || clause.values('subject').length > 1) return null
  const named = clause.tag('named')
  const quoted = clause.tag('quoted')
  const known = clause.value('subject')
  const hasUnknown = clause.has('unknown')
  const verb = clause.tag('verb')
  const isVague = clause.tags.some(({ role, from, to }) => role === 'verb' && isVagueVerb(clause, from, to))
  // "Enlève tes chaussures": what is the computer's has no "your".
  if (clause.language !== 'en' && clause.tags.some(({ role, value }) => role === 'fill' && value === 'your'))
    return null
  if (hasUnknown && !clause.has('noun') && !clause.has('paper') && (isVague || verb === undefined)) return null
  if (verb !== undefined && hasUnknown && clause.tags.some(({ role, from }) => role === 'unknown' && from < verb.from))
    return null
  if (clause.has('neg') && !isNo) return { parameters: {}, negated: 'I removed nothing.' }
  const name = quoted?.value ?? (hasUnknown ? nameFrom(clause, named?.to ?? first.from) : known!)
  if (/^(documents|files|docs)$/i.test(name) && named === undefined && quoted === undefined)
    return { parameters: {}, negated: 'I delete documents one at a time, by name. In Files you can see them all.' }
  const what = clause.has('paper') && name !== '' ? `${name} document` : name
  return what === '' ? null : { parameters: { what }, taken: clause.tags.filter(({ role }) => role === 'unknown') }
}

/** The words for the thing itself, without "app", "away" and "from the taskbar". */
function nameFrom(clause: Clause, from: number): string {
  const kept = clause.tags.filter(
    (tag) =>
      tag.from >= from &&
      (tag.role === 'unknown' || tag.role === 'subject' || (tag.role === 'glue' && tag.value === 'of')),
  )
  const last = kept.findLast(({ role }) => role !== 'glue')
  return last === undefined ? '' : titleFromWords(clause.original(from, last.to), clause.language, 80)
}
