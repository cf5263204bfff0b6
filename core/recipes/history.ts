import { z } from 'zod'
import { ANY_NUMBER, vocabulary, type Clause, type Understood } from './intent.ts'
import type { Recipe } from './recipe.ts'

const none = z.strictObject({})

/** The most that one sentence takes back. */
export const UNDOS_MAX = 10

const PAST = [
  'way it was',
  'how it was',
  'how they were',
  'the way they were',
  'as they were',
  'as it was',
  'like it was',
  'as before',
  'like before',
  'how things were',
  'the way things were',
  'before',
  'the way it looked',
  'how it looked',
  'previous',
]

/** Said of "it": a thing that is named goes back by a recipe of its own. */
const PUT_BACK = ['roll', 'put', 'change', 'switch', 'turn', 'set', 'take', 'make it go'].flatMap((verb) =>
  ['it', 'that', 'this', 'everything', 'things'].map((it) => `${verb} ${it} back`),
)

export const undoWords = vocabulary({
  act: [
    ...PUT_BACK,
    'undo',
    'revert',
    'roll back',
    'rollback',
    'take back',
    'take that back',
    'take it back',
    'take this back',
    'go back',
    'unmake',
    'undo that',
    'step back',
    'cancel',
    'reverse',
  ],
  object: [
    'last',
    'latest',
    'step',
    'steps',
    'thing',
    'things',
    'one',
    'what just happened',
    'what i did',
    'what i just did',
    'action',
    'state',
    'previous',
  ],
  /** Said to the agents about what they did: not about what the person did since. */
  yours: [
    'what you did',
    'what you just did',
    'what you have done',
    'you did',
    'you just did',
    'your last change',
    'your change',
  ],
  number: {
    '1': ['once'],
    '2': ['two', 'twice', 'couple'],
    '3': ['three'],
    '4': ['four'],
    '5': ['five'],
    '6': ['six'],
    '7': ['seven'],
    '8': ['eight'],
    '9': ['nine'],
    '10': ['ten'],
    [ANY_NUMBER]: [ANY_NUMBER],
  },
  /** Said with "remove" when taking back is meant. */
  change: ['change', 'changes', 'edit'],
  past: PAST,
  all: ['everything', 'all of it', 'it all', 'all changes', 'all the changes', 'all of that', 'all of them', 'all'],
  back: ['back'],
  mistake: [
    'that was wrong',
    'that was a mistake',
    'that is wrong',
    'thats wrong',
    'that was not what i wanted',
    'not what i wanted',
    'not what i meant',
    'thats not what i wanted',
    'thats not what i meant',
    'oops',
    'whoops',
  ],
  glue: ['was', 'it was before', 'of', 'from'],
})

export const undoRecipe: Recipe = {
  name: 'undo',
  title: 'Undo',
  group: 'History',
  hint: 'Takes back the last thing that was done, by you or for you.',
  example: 'undo that',
  fields: [],
  parameters: z.strictObject({
    count: z.number().int().min(1).max(UNDOS_MAX).optional(),
    by: z.literal('agents').optional(),
  }),
  single: true,
  intent: { words: undoWords, read: readUndo },
  work: { kind: 'git', action: 'undo' },
}

function readUndo(clause: Clause): Understood | null {
  const takesAway = clause.verbs.has('remove') && clause.has('change') && (clause.has('object') || clause.has('yours'))
  const acts =
    clause.has('act') ||
    takesAway ||
    (clause.has('past') && (clause.has('back') || clause.verbs.size > 0 || clause.has('ask')))
  // "Undo the undo" is a redo.
  if (clause.tags.filter(({ role, value }) => role === 'act' && value.startsWith('undo')).length > 1) return null
  if (clause.has('act') && clause.has('neg')) return { parameters: {}, negated: 'I took nothing back.' }
  if (clause.has('neg') || (clause.verbs.has('remove') && !clause.has('act') && !takesAway)) return null
  if (clause.has('mistake') && !acts) return null
  if (clause.has('act') && clause.has('all') && !clause.has('past'))
    return {
      parameters: {},
      ask: 'How far back? Say “undo the last two changes”, “restore” and the name of a checkpoint, or look into History in the frame above.',
    }
  if (!acts) return null
  const count = Number(clause.value('number') ?? 1)
  if (count > UNDOS_MAX) return { parameters: {}, ask: `I take back at most ${UNDOS_MAX} things at once. How many?` }
  return {
    parameters: { ...(count > 1 ? { count } : {}), ...(clause.has('yours') ? { by: 'agents' } : {}) },
    strong: true,
    ofIt: PUT_BACK.includes(clause.value('act') ?? ''),
  }
}

const redoWords = vocabulary({
  act: [
    'redo',
    'undo the undo',
    'undo that undo',
    'bring it back',
    'bring back',
    'bring that back',
    'put it back again',
    'reapply',
    'undo your undo',
    'restore what you took back',
    'restore it',
  ],
  object: [
    'last',
    'change',
    'step',
    'what you undid',
    'what was undone',
    'what i undid',
    'what i just undid',
    'what you just undid',
    'undone',
    'thing',
    'one',
  ],
  glue: ['was', 'of'],
})

export const redoRecipe: Recipe = {
  name: 'redo',
  title: 'Redo',
  group: 'History',
  hint: 'Brings back what the last undo took away.',
  example: 'redo that',
  fields: [],
  parameters: none,
  single: true,
  intent: {
    words: redoWords,
    read(clause) {
      if (!clause.has('act')) return null
      return clause.has('neg')
        ? { parameters: {}, negated: 'I brought nothing back.' }
        : { parameters: {}, strong: true }
    },
  },
  work: { kind: 'git', action: 'redo' },
}

const logWords = vocabulary({
  query: ['what', 'whats', 'list', 'tell me', 'tell', 'which', 'show me', 'show'],
  changed: [
    'new',
    'changed',
    'has changed',
    'have changed',
    'is new',
    'was changed',
    'were changed',
    'happened',
    'did you do',
    'did you change',
    'have you done',
    'you did',
    'have you changed',
    'was done',
    'has happened',
    'you changed',
    'you have done',
  ],
  history: [
    'history',
    'recent changes',
    'latest changes',
    'last changes',
    'changes',
    'log',
    'timeline',
    'past changes',
  ],
  glue: [
    'lately',
    'recently',
    'today',
    'so far',
    'since yesterday',
    'last',
    'of',
    'is',
    'are',
    'recent',
    'latest',
    'been',
    'done',
    'in the past',
    'were',
    'made',
    'did',
    'do',
  ],
})

export const logRecipe: Recipe = {
  name: 'log',
  title: 'What changed lately',
  group: 'Questions',
  hint: 'Lists what was changed lately, by you or for you.',
  example: 'what changed lately',
  fields: [],
  parameters: none,
  single: true,
  intent: {
    words: logWords,
    read(clause) {
      if (clause.has('neg') || (clause.verbs.size > 0 && !clause.verbs.has('show'))) return null
      if (
        clause.value('history') === 'history' &&
        clause.tags.every(({ role }) => ['history', 'fill', 'ask'].includes(role))
      )
        return { parameters: {} }
      return (clause.has('query') || clause.verbs.has('show')) && (clause.has('changed') || clause.has('history'))
        ? { parameters: {}, strong: true }
        : null
    },
  },
  work: { kind: 'git', action: 'log' },
}
