import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import type { Foreign, LexiconData } from './language.ts'
import { makeLexicon, type Lexicon } from './lexicon.ts'
import { SPANISH } from './spanish.ts'

export const LEXICON_DATA: Readonly<Record<Foreign, LexiconData>> = { de: GERMAN, fr: FRENCH, es: SPANISH }

export const FOREIGN = Object.keys(LEXICON_DATA) as Foreign[]

const MADE = new Map<Foreign, Lexicon>()

/** Made when it is first needed, and once: many processes know recipes, and few of them read sentences. */
export function lexiconOf(language: Foreign): Lexicon {
  const lexicon = MADE.get(language) ?? makeLexicon(LEXICON_DATA[language])
  MADE.set(language, lexicon)
  return lexicon
}
