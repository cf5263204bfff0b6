import type { Wish } from '@choiros/contract/events/talk.ts'
import { LIMITS } from '@choiros/contract/limits.ts'

/** What a person said of themselves, in their own words. */
export interface Said {
  readonly part: 'believe' | 'drive'
  readonly text: string
}

/** The recipe of the menu whose text is to be remembered. */
export const REMEMBER = 'remember'

const SENTENCES_MAX = 40
const KEPT_MAX = 5
const WORDS_MIN = 2

/** Words around a sentence that say nothing of the person. */
const BEFORE =
  /^(?:(?:please|ok|okay|hey|oh|also|and|but|so|well|by the way|btw|just|could you|can you|would you|will you|i want you to|i(?:['’]?d| would) like you to|thanks|thank you|bitte|por favor|s['’]il te pla[iî]t)[\s,]+)+/i
const MANNERS_AFTER = /\b(?:please|thanks|thank you|ok|okay|bitte|danke|por favor|gracias|merci)$/i
const MARKS_AFTER = /[\s.!?…,;:]/

/** "Remember that …": whatever follows is to be remembered. "Remember this as friday" names a checkpoint instead. */
const EXPLICIT =
  /^(?:(?:remember|keep in mind|bear in mind|don['’]?t forget|do not forget|never forget)(?:\s*[:,]\s*|\s+that\s+|\s+(?=(?:i|i['’]m|im|my|we|our|always|never)\b)))(.+)$/is

/** The same in German, French and Spanish, where a word of its own says that a sentence follows. */
const EXPLICIT_ABROAD =
  /^(?:(?:merke? dir|vergiss nicht|denke? dar?an)(?: bitte)?(?:\s*[:,]\s*(?:dass\s+)?|\s+dass\s+)|(?:souviens[- ]toi|rappelle[- ]toi|retiens|n['’]oublie pas)(?:\s*[:,]\s*|\s+que\s+|\s+qu(?=['’]))['’]?|(?:recuerda|acu[eé]rdate(?: de)?|no (?:te )?olvides(?: de)?)(?:\s*[:,]\s*|\s+que\s+))(.+)$/is

/** About what is on the screen, or one moment: not about the person. */
const MOMENT = /^(?:it|this|that|these|those|them|the|your|how|what|when|where|you|to see)\b/i

const LIKES =
  /^(?:i|we)\s+(?:(?:really|much|always|usually|generally|mostly|strongly|only|never|do)\s+)*(?:prefer|like|love|enjoy|hate|dislike|avoid|can(?:['’]?t|not) stand|don['’]?t like|do not like|don['’]?t want|do not want)\s+(.+)$/is
const HABITS = /^(?:i|we)\s+(?:always|never|usually|mostly)\s+(.+)$/is
const ORDERS = /^(?:always|never|don['’]?t ever|do not ever|from now on|in future|in the future)[\s,]+(.+)$/is
const SELF =
  /^(?:my name is|call me|i speak|i live in|i work (?:as|at|in|for)|i come from|i(?:['’]m| am) (?:an?|left-handed|colou?r-?blind|vegetarian|vegan|allergic)\b)\s*(.+)?$/is
const AIMS =
  /^(?:i(?:['’]m| am)|we(?:['’]re| are))\s+(?:trying to|planning|learning|working on|saving|preparing|writing|building|studying|training)\b.+$|^my (?:goal|aim|plan|project|dream) is\b.+$|^(?:i|we) want to (?:learn|finish|become|write|get better|stop|start)\b.+$/is

/** Sounds like a rule and is none. */
const NOT_MEANT = /^(?:never ?mind|always on top|(?:i(?:['’]m| am)) an? (?:bit|little|lot|tad)\b)/i

/**
 * The sentences of a message that say something lasting of the person: what they prefer, always want, are called, or
 * are after. Everything else is a wish for now. It is better to miss one than to keep what was not meant.
 */
export function saidToKeep(text: string, wishes: readonly Wish[] = []): Said[] {
  const chosen = wishes.filter(({ recipe }) => recipe === REMEMBER).map(({ parameters }) => parameters['text'])
  const kept: Said[] = chosen.flatMap((said) => (typeof said === 'string' ? keep('believe', said) : []))
  if (wishes.length === 0) for (const sentence of sentencesOf(ownWords(text))) kept.push(...fromSentence(sentence))
  const different = new Map(kept.map((said) => [said.text.toLowerCase(), said]))
  return [...different.values()].slice(0, KEPT_MAX)
}

/** "Translate this:" and the like: what stands below is somebody's text. "Remember:" is the exception. */
const SHOWS = /:\s*$/
const REMEMBERS = /\b(?:remember|keep in mind|bear in mind|forget)\b/i
const PASTED = /^\s*(?:>|\||```|~~~)/

/**
 * What the person says, without the text that they show: "I always pay in cash" in a letter that is to be translated is
 * not said of them, and whoever wrote the letter must not speak in their name.
 */
function ownWords(text: string): string {
  const lines = text.split('\n')
  const shows = lines.findIndex((line) => /^\s*(?:```|~~~)/.test(line) || (SHOWS.test(line) && !REMEMBERS.test(line)))
  return (shows === -1 ? lines : lines.slice(0, shows + 1)).filter((line) => !PASTED.test(line)).join('\n')
}

/** The sentences of a text, without their ends. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…;])\s+|\n+/)
    .slice(0, SENTENCES_MAX)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** What is to be remembered, where a sentence asks for just that. */
export function askedToRemember(sentence: string): string | null {
  const words = sentence.trim().replace(BEFORE, '')
  const said = (EXPLICIT.exec(words) ?? EXPLICIT_ABROAD.exec(words))?.[1]
  return said === undefined || bare(said) === '' ? null : clean(bare(said))
}

function fromSentence(sentence: string): Said[] {
  const asked = askedToRemember(sentence)
  if (asked !== null) return keep(AIMS.test(asked) ? 'drive' : 'believe', asked)
  const said = sentence.replace(BEFORE, '')
  // A question tells nothing of the person.
  if (/\?\s*$/.test(said) || NOT_MEANT.test(said)) return []
  if (AIMS.test(said)) return keep('drive', said)
  const object = (LIKES.exec(said) ?? HABITS.exec(said) ?? ORDERS.exec(said))?.[1]
  if (object !== undefined) return MOMENT.test(object) && !HABIT_START.test(said) ? [] : keep('believe', said)
  return SELF.test(said) ? keep('believe', said) : []
}

/** "Always the newest first" is a rule, whatever it speaks of. */
const HABIT_START = /^(?:always|never|from now on|in (?:the )?future|(?:i|we) (?:always|never|usually))\b/i

function keep(part: Said['part'], said: string): Said[] {
  const text = clean(bare(said))
  return text.split(' ').length < WORDS_MIN ? [] : [{ part, text }]
}

/**
 * Without the marks and manners at its end. From the end on, letter by letter: as one expression it took half a minute
 * for a message of commas, and this is read in the supervisor, for every message, each time a log is replayed (L11).
 */
function bare(text: string): string {
  const words = cutEnd(text, MARKS_AFTER)
  const rest = words.replace(MANNERS_AFTER, '')
  return (rest === words ? words : cutEnd(rest, /[\s,]/)).trim()
}

function cutEnd(text: string, marks: RegExp): string {
  let end = text.length
  while (end > 0 && marks.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** In one line, and no longer than a note may be. */
export function clean(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, ' ').trim()
  return line.length > LIMITS.noteCharsMax ? `${line.slice(0, LIMITS.noteCharsMax - 1).toWellFormed()}…` : line
}

/**
 * The whole sentence of a message in which these words stand. An agent may choose which of the person's sentences is
 * kept, but can cut nothing out of it: "never use red" must not become "use red".
 */
export function sentenceWith(message: string, words: string): string | null {
  const plain = (text: string) => bare(clean(text).toLowerCase())
  const wanted = plain(words)
  if (wanted.split(' ').length < WORDS_MIN) return null
  const found = sentencesOf(message).find((sentence) => ` ${plain(sentence)} `.includes(` ${wanted} `))
  return found === undefined ? null : clean(askedToRemember(found) ?? bare(found))
}
