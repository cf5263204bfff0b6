import { z } from 'zod'
import { LIMITS } from '@choiros/contract/limits.ts'
import { askedToRemember, REMEMBER } from '../memory/said.ts'
import { ANY_QUOTED, vocabulary, type Clause, type Tag, type Understood } from './intent.ts'
import type { Recipe } from './recipe.ts'
import { cleanTitle } from './titles.ts'

const rememberWords = vocabulary({
  act: ['remember', 'keep in mind', 'bear in mind', 'dont forget', 'do not forget', 'never forget'],
  quoted: [ANY_QUOTED],
})

/** The message itself is what is remembered: nothing needs to be done but to say so. */
export const rememberRecipe: Recipe = {
  name: REMEMBER,
  title: 'Remember something about me',
  group: 'Memory',
  hint: 'Keeps what you say of yourself in mind for everything you ask later.',
  example: 'remember that I like short answers',
  fields: [{ name: 'text', label: 'What', kind: 'text', choices: [], fallback: null, required: true }],
  parameters: z.strictObject({
    text: z.string().trim().min(1, 'say what').max(LIMITS.noteCharsMax, 'that is too long to remember'),
  }),
  intent: { words: rememberWords, open: true, read: readRemember },
  work: { kind: 'memory' },
}

const BESIDE = new Set(['fill', 'ask', 'mark', 'glue'])

/** The act that a clause begins with, politeness aside. */
function firstAct({ tags }: Clause): Tag | null {
  const index = tags.findIndex(({ role }) => role === 'act')
  const act = tags[index]
  return act === undefined || tags.slice(0, index).some(({ role }) => !BESIDE.has(role)) ? null : act
}

function readRemember(clause: Clause): Understood | null {
  const act = firstAct(clause)
  const text = act === null ? null : askedToRemember(clause.text(act.from))
  if (act === null || text === null) return null
  return { parameters: { text }, strong: true, whole: true, taken: [{ from: act.to, to: clause.end }] }
}

const forgetWords = vocabulary({
  act: ['forget', 'stop remembering', 'dont remember', 'do not remember', 'unlearn'],
  quoted: [ANY_QUOTED],
})

const WHAT_CHARS_MAX = 200

export const forgetRecipe: Recipe = {
  name: 'forget',
  title: 'Forget something about me',
  group: 'Memory',
  hint: 'Takes something out of what I remember. It can be brought back in Memory.',
  example: 'forget that I like short answers',
  fields: [{ name: 'what', label: 'What', kind: 'text', choices: [], fallback: null, required: true }],
  parameters: z.strictObject({ what: z.string().trim().min(1, 'say what').max(WHAT_CHARS_MAX, 'that is too long') }),
  intent: { words: forgetWords, open: true, read: readForget },
  work: { kind: 'memory' },
}

/** "Forget the clock" takes back a wish; what is remembered is named as such: "that I …", "about …", "everything". */
const NAMED =
  /^(?:that\s+(?=(?:i|i['’]?m|my|we|our|you)\b)|(?:all\s+)?about\s+|(?:what|everything|anything|all|whatever)\s+(?:that\s+)?(?:i\s+(?:said|told you)|you\s+(?:know|remember|believe|think|have learnt|have learned|learned|learnt))\s*(?:about\s+|of\s+)?|(?=(?:everything|all of it)\s*(?:please)?$)|(?=(?:everything|all)\s+about\s+me\b)|(?=my\s+name\b))(.*)$/is

/** In the other languages these begin a sentence of their own, and never name a thing: "vergiss, dass ich …". */
const NAMED_ABROAD = /^,?\s*(?:(?:dass|que)\s+|qu['’])(.+)$/is
const ALL_ABROAD = /^(?:alles|tout|todo)\b.*\s(?:über mich|von mir|de moi|sur moi|de m[ií]|sobre m[ií])(?![\p{L}])/isu

function namedIn(clause: Clause, act: Tag): string | undefined {
  const said = cleanTitle(clause.text(act.to), WHAT_CHARS_MAX)
  if (clause.language === 'en') return NAMED.exec(said)?.[1]
  return ALL_ABROAD.test(said) ? EVERYTHING : NAMED_ABROAD.exec(said)?.[1]
}

function readForget(clause: Clause): Understood | null {
  const act = firstAct(clause)
  if (act === null || act.to >= clause.end || clause.has('neg')) return null
  const rest = namedIn(clause, act)
  if (rest === undefined || /^(?:it|this|that)$/i.test(rest.trim())) return null
  const what = /^(?:(?:everything|all)\b.*|me|)$/i.test(rest.trim()) ? EVERYTHING : rest.trim()
  return { parameters: { what }, strong: true, whole: true, taken: [{ from: act.to, to: clause.end }] }
}

export const EVERYTHING = 'everything'

const knownWords = vocabulary({
  known: [
    'what do you know about me',
    'what do you remember about me',
    'what do you remember',
    'what do you believe about me',
    'what do you think about me',
    'what have you learned about me',
    'what have you learnt about me',
    'what have you learned',
    'what have you learnt',
    'what is in your memory',
    'whats in your memory',
    'show your memory',
    'show me your memory',
    'your memory',
    'who am i',
    'do you know anything about me',
    'do you remember anything about me',
  ],
  about: ['what you know about me', 'what you remember about me', 'what you remember', 'what you believe about me'],
  glue: ['tell me', 'so far', 'exactly', 'then', 'all'],
})

export const knownRecipe: Recipe = {
  name: 'known',
  title: 'What do you know about me?',
  group: 'Memory',
  hint: 'Tells what you have told about yourself.',
  example: 'what do you know about me',
  fields: [],
  parameters: z.strictObject({}),
  single: true,
  intent: {
    words: knownWords,
    read(clause) {
      const isAsked = clause.has('known')
      return (isAsked || clause.has('about')) && !clause.has('neg') && !clause.verbs.has('remove')
        ? { parameters: {}, strong: true }
        : null
    },
  },
  work: { kind: 'memory' },
}
