import { tokenize, type Token } from '../tokens.ts'
import { LANGUAGES, type Foreign, type Language } from './language.ts'
import { tokensIn } from './lexicon.ts'
import { lexiconOf } from './lexicons.ts'

/** Longer texts say within so many words which language they are in. */
const WORDS_MAX = 60

/** Letters and marks that one of the languages has and the others have not. */
const CUES: Readonly<Record<Language, RegExp>> = { en: /$^/, de: /[ßäöÄÖ]/, fr: /[çœàèêûÇŒÀÈÊ]/, es: /[¿¡ñÑ]/ }
const CUE_WEIGHT = 0.5

/** Plain English words that no recipe needs, but that show which language a sentence is in. */
const ENGLISH = new Set(
  (
    'is are was were am been being do does did done has had what which who whose why how when where this these those of for from by or if than ' +
    'he she they them his her their its not only very much many more most less can could would should will shall may might must about after before ' +
    'minute minutes hour hours second day days week month year today yesterday tomorrow please thank thanks good great bad big small little long short ' +
    'one two three four five six seven eight nine ten first last next other same every any some all out up down over under between without within'
  ).split(' '),
)

/**
 * The language that knows most of a text's words, where a word says the more the fewer languages know it; English where
 * two know as much. A letter that English does not have speaks against it: "Bórralo todo" asks for no to-do list.
 */
export function guessLanguage(text: string, isEnglish: (word: string) => boolean): Language {
  const words = LANGUAGES.map((language) => {
    const tokens = language === 'en' ? tokenize(text) : tokensIn(text, language)
    const knows = (word: string) =>
      language === 'en' ? isEnglish(word) || ENGLISH.has(word) : isForeign(word, language)
    const known = tokens.slice(0, WORDS_MAX).filter(({ kind, word }) => kind === 'word' && knows(word))
    return known.filter((token) => !/^\d+$/.test(token.word) && !(language === 'en' && isAccented(text, token)))
  })
  const shares = new Map<number, number>()
  for (const { start } of words.flat()) shares.set(start, (shares.get(start) ?? 0) + 1)
  const counts = words.map((known, index) => {
    const cue = CUES[LANGUAGES[index]!].test(text) ? CUE_WEIGHT : 0
    return known.reduce((sum, { start }) => sum + 1 / shares.get(start)!, cue)
  })
  // Sums of fractions differ in their last bits.
  const most = Math.max(...counts) - 1e-9
  return LANGUAGES[counts.findIndex((count) => count >= most)]!
}

function isForeign(word: string, language: Foreign): boolean {
  const { everyday, heads } = lexiconOf(language)
  return everyday.has(word) || heads.some((head) => word.endsWith(head))
}

function isAccented(text: string, { start, end }: Token): boolean {
  return /[\u00C0-\u024F]/.test(text.slice(start, end).normalize('NFC'))
}
