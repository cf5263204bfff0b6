import { tokensIn, type Lexicon } from './languages/lexicon.ts'
import { FOREIGN, lexiconOf } from './languages/lexicons.ts'
import { tokenize, type Token } from './tokens.ts'

/** Polite words around it that change nothing. */
const MANNERS = new Set(
  'oh ah ok okay please well actually sorry thanks thank you then now just um hmm hey wait so all right alright'.split(
    ' ',
  ),
)

/** Phrases that always take back what was said or asked last. */
const ALWAYS = new Set([
  'never mind',
  'nevermind',
  'never mind that',
  'never mind it',
  'forget it',
  'forget that',
  'forget about it',
  'forget about that',
  'stop',
  'stop it',
  'stop that',
  'stop this',
  'stop everything',
  'stop working',
  'leave it',
  'leave it alone',
  'leave it be',
  'let it be',
  'let it go',
  'skip it',
  'skip that',
  'drop it',
  'scrap that',
  'dont bother',
  'do not bother',
  'not any more',
  'not anymore',
  'i changed my mind',
  'ive changed my mind',
  'i have changed my mind',
  'changed my mind',
  'it doesnt matter',
  'doesnt matter',
  'abort',
  'abort that',
])

/**
 * The same, but only as an answer or while a run is at work: by itself "cancel that" means undo, and "no" means
 * nothing.
 */
const WHILE_ASKED = new Set([
  'no',
  'nope',
  'nah',
  'not',
  'none of them',
  'none of these',
  'none of those',
  'neither',
  'neither of them',
  'nothing',
  'cancel',
  'cancel it',
  'cancel that',
  'cancel this',
  'keep it',
  'keep it as it is',
  'leave it as it is',
  'i dont know',
  'dont',
  'dont do it',
  'dont do that',
  'quit',
  'skip',
])

/** Whether someone takes back what they asked for, and says nothing else. */
export function isWithdrawal(text: string, isAsked = false): boolean {
  const tokens = tokenize(text)
  if (tokens.some(({ kind }) => kind !== 'word' && kind !== 'mark')) return false
  if (FOREIGN.some((language) => isTakenBackIn(lexiconOf(language), text, isAsked))) return true
  const words = tokens.filter(({ kind, word }) => kind === 'word' && !MANNERS.has(word)).map(({ word }) => word)
  const whole = words.join(' ')
  const rest = words[0] === 'no' ? words.slice(1).join(' ') : whole // "No, never mind."
  return ALWAYS.has(rest) || (isAsked && (WHILE_ASKED.has(whole) || WHILE_ASKED.has(rest)))
}

function isTakenBackIn({ language, manners, withdrawals }: Lexicon, text: string, isAsked: boolean): boolean {
  const tokens = tokensIn(text, language).filter(({ kind }) => kind === 'word')
  const phrase = (kept: readonly Token[]) => kept.map(({ word }) => word).join(' ')
  const said = [phrase(tokens), phrase(tokens.filter(({ word }) => !manners.has(word)))]
  return said.some((one) => withdrawals.always.has(one) || (isAsked && withdrawals.asked.has(one)))
}
