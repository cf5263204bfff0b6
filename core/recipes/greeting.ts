import { z } from 'zod'
import { madeExtensions } from './extensions.ts'
import { ANY_QUOTED, vocabulary, type Clause, type Tag, type Understood } from './intent.ts'
import { edit, type Recipe } from './recipe.ts'
import { cleanTitle, titleFromWords } from './titles.ts'
import { PLACE_WORDS, putWidget, SCOPE, wantsWidget } from './widgets.ts'

const shape = z.strictObject({ name: z.string().trim().max(60, 'the name is too long').optional() })

const words = vocabulary({
  subject: [
    'greeting',
    'greetings',
    'welcome message',
    'welcome',
    'hello message',
    'good morning',
    'good evening',
    'good morning message',
  ],
  greet: [
    'greet me',
    'say hello to me',
    'say hello',
    'say hi',
    'say hi to me',
    'say good morning',
    'welcome me',
    'greets me',
    'says hello',
    'says good morning',
    'says hi',
  ],
  /** A name follows, or is still to be asked for. */
  named: [
    'as',
    'by name',
    'by my name',
    'with my name',
    'using my name',
    'called',
    'by the name',
    'by the name of',
    'under the name',
    'for',
    'named',
    'by',
  ],
  /** How somebody says who they are. */
  self: ['my name is', 'my names', 'call me', 'i am called', 'i go by'],
  /** The same, but "I am tired" is said with these words, too. */
  being: ['i am', 'im'],
  quoted: [ANY_QUOTED],
  glue: [...PLACE_WORDS, 'that', 'which', 'every morning', 'every day', 'message'],
})

/** An answer to the question for the name may be a sentence. */
const INTRODUCTION =
  /^(?:i am|i['’]?m|my name is|call me|ich bin|ich hei(?:ß|ss)e|mein name ist|nenne? mich|je suis|je m['’]appelle|mon nom est|appelle[- ]moi|yo soy|soy|me llamo|mi nombre es|ll[aá]mame)\s+/i

export const greetingRecipe: Recipe = {
  name: 'greeting',
  title: 'Greeting',
  group: 'Widgets',
  hint: 'Good morning, good evening: a friendly word in the taskbar.',
  example: 'greet me in the taskbar',
  fields: [{ name: 'name', label: 'Your name', kind: 'text', choices: [], fallback: null, required: false }],
  parameters: shape,
  single: true,
  intent: { words, open: true, read },
  complete: (said) => `greet me as ${said.replace(INTRODUCTION, '')}`,
  work: edit(shape, SCOPE, ({ name }, files) => {
    const present = madeExtensions(files, 'widgets').find(
      ({ id, recipe }) => id === 'greeting' && recipe === 'greeting',
    )?.constants
    const called = name ?? (typeof present?.['NAME'] === 'string' ? present['NAME'] : '')
    const made = { recipe: 'greeting', title: 'Greeting', constants: { NAME: cleanTitle(called) } }
    return putWidget(files, 'greeting', made, {
      added: 'Added a greeting to the taskbar.',
      changed: 'The greeting uses the name now.',
    })
  }),
}

function read(clause: Clause): Understood | null {
  const subject = clause.tag('greet') ?? clause.tag('subject')
  if (subject === undefined || (!clause.has('greet') && !clause.asks && clause.has('unknown'))) return null
  const link = linkOf(clause, subject)
  const run = link === undefined ? [] : runAfter(clause, link)
  // Words that are no part of the name: the sentence says more than who is greeted.
  if (clause.tags.some((tag) => tag.role === 'unknown' && !run.includes(tag))) return null
  const wants = wantsWidget(clause, true)
  if (wants === 'negated' || (clause.has('greet') && clause.has('neg')))
    return { parameters: {}, negated: 'I added no greeting.' }
  if (wants === null) return null
  const strong = clause.has('greet')
  const quoted = clause.value('quoted')
  if (link === undefined || quoted !== undefined)
    return {
      parameters: quoted === undefined ? {} : { name: cleanTitle(quoted) },
      strong,
      taken: clause.tags.filter(({ role }) => role === 'quoted'),
    }
  if (run.length === 0)
    return { parameters: {}, strong, ask: { field: 'name', question: 'What should I call you?', choices: [] } }
  const name = nameIn(clause, link, run)
  return name === null ? null : { parameters: { name }, strong, taken: [{ from: run[0]!.from, to: run.at(-1)!.to }] }
}

/** The words that the name comes after; who somebody says they are counts most, wherever they say it. */
function linkOf(clause: Clause, subject: Tag): Tag | undefined {
  return (
    clause.tag('self') ??
    clause.tag('being') ??
    clause.tags.find(({ role, from }) => role === 'named' && from >= subject.to)
  )
}

/** The words of a name, up to the next mark or anything else that means something. */
function runAfter(clause: Clause, { to }: Tag): Tag[] {
  const after = clause.tags.filter(({ from }) => from >= to)
  const end = after.findIndex(
    ({ role, value }) => !['unknown', 'quoted', 'fill'].includes(role) && !(role === 'glue' && value === 'of'),
  )
  const run = end === -1 ? after : after.slice(0, end)
  return run.slice(0, run.findLastIndex(({ role }) => role === 'unknown' || role === 'quoted') + 1)
}

const NAME_WORDS_MAX = 6

/** With one of these it is a clause: "greet me as I come in". */
const NO_NAME = /\b(?:i|im|ive|me|you|we|he|she|they|when|if|is|are|am|was|not|so|very|really|just|who|to)\b/

/** Null if the words are no name. */
function nameIn(clause: Clause, link: Tag, run: readonly Tag[]): string | null {
  const [first] = run
  const last = run.at(-1)!
  const said = clause.original(first!.from, last.to).trim()
  if (last.to - first!.from > NAME_WORDS_MAX || NO_NAME.test(clause.english(first!.from, last.to))) return null
  // "I am tired" and "I am a doctor" name nobody, unless a name was to be used: "by name, i am ada".
  const isName = /^\p{Lu}/u.test(said) || (clause.has('named') && first!.role === 'unknown')
  if (link.role === 'being' && !isName) return null
  const name = cleanTitle(titleFromWords(said, clause.language))
  return /^[\p{L}\p{N}]/u.test(name) ? name : null
}
