import { normalise, tokenize, type Token } from '../tokens.ts'
import type { Foreign, LexiconData } from './language.ts'

/** A lexicon made ready for reading: phrases as keys, each with the English words it stands for. */
export interface Lexicon extends Pick<LexiconData, 'language'> {
  readonly phrases: ReadonlyMap<string, readonly string[]>
  readonly first: ReadonlyMap<string, readonly string[]>
  readonly last: ReadonlyMap<string, readonly string[]>
  /** Particle → verb → English words. */
  readonly brackets: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  /** Every verb that a particle can belong to. */
  readonly openers: ReadonlySet<string>
  readonly final: ReadonlySet<string>
  readonly heads: readonly string[]
  readonly manners: ReadonlySet<string>
  /** Words that are never a slip of the hand. */
  readonly ordinary: ReadonlySet<string>
  /** Every single word it knows. */
  readonly known: ReadonlySet<string>
  /** The same with every other word of the language that is in the data, by which the language is guessed. */
  readonly everyday: ReadonlySet<string>
  /** Words that a mistyped one may stand for; a verb with its pronouns is near to too many others. */
  readonly mendable: ReadonlySet<string>
  readonly withdrawals: { readonly always: ReadonlySet<string>; readonly asked: ReadonlySet<string> }
}

/** Stands for expressions that are known and mean no wish. */
export const NO_WISH = '?'

/** The most words of one phrase. */
export const PHRASE_WORDS_MAX = 7

const ELIDED = /^((?:l|d|j|m|t|s|n|c|qu|jusqu|lorsqu|puisqu|quelqu)['’])(.+)$/iu

/**
 * The tokens of a text as its language has them: in French, "l'horloge" is two words. An accent on the last vowel stays
 * visible, because "enlevé" tells of the past and "enlève" is a wish.
 */
export function tokensIn(text: string, language: Foreign): Token[] {
  return tokenize(text).flatMap((token, index, all): Token[] => {
    if (token.kind !== 'word') return isIdleComma(token, all[index + 1], language) ? [] : [token]
    const raw = text.slice(token.start, token.end)
    const [, article, noun] = (language === 'fr' ? ELIDED.exec(raw) : null) ?? []
    if (article === undefined || noun === undefined) return [{ ...token, word: keyOf(raw, language) }]
    const middle = token.start + article.length
    return [
      { ...token, word: keyOf(article, language), end: middle },
      { ...token, word: keyOf(noun, language), start: middle },
    ]
  })
}

/** "Notiere, dass …": this comma parts nothing. */
function isIdleComma({ word }: Token, next: Token | undefined, language: Foreign): boolean {
  return language === 'de' && word === ',' && next !== undefined && /^da(ss|ß)$/.test(next.word)
}

/** Behind a word whose last vowel has an accent. */
export const ACCENT_END = '´'

const ACCENTED_END = /[éóáí](e?s?)$/iu

function keyOf(raw: string, language: Foreign): string {
  const word = normalise(language === 'de' ? spelledOut(raw) : raw)
  return language !== 'de' && ACCENTED_END.test(raw.normalize('NFC')) ? word + ACCENT_END : word
}

/** The words of a phrase, parted by single spaces. */
function phraseKey(phrase: string, language: Foreign): string {
  // Most phrases are plain words; there are thousands, and reading them must not be felt at the first sentence.
  if (/^[\p{L} ]+$/u.test(phrase))
    return phrase
      .split(' ')
      .map((word) => keyOf(word, language))
      .join(' ')
  return tokensIn(phrase, language)
    .map(({ word }) => word)
    .join(' ')
}

export function makeLexicon(data: LexiconData): Lexicon {
  const { language } = data
  const phrases = new Map<string, readonly string[]>()
  /** Keys as they are written in the data; a guess at another spelling gives way to them. */
  const exacts = new Set<string>()
  const clitics = new Set<string>()
  const give = (phrase: string, english: string) => {
    const [exact, ...others] = spellings(phrase, language)
    if (!exacts.has(exact!)) phrases.set(exact!, english.split(' '))
    exacts.add(exact!)
    for (const key of others) if (!phrases.has(key)) phrases.set(key, english.split(' '))
  }
  for (const [english, list] of Object.entries(data.words))
    for (const phrase of listOf(list))
      for (const [index, [form, meant]] of forms(phrase, english, data).entries()) {
        give(form, meant)
        if (phrase.endsWith('^') && index > 0) clitics.add(phraseKey(form, language))
      }
  for (const [english, list] of Object.entries(data.colours))
    for (const phrase of listOf(list)) {
      for (const [form] of forms(phrase, english, data)) give(form, english)
      for (const [shade, patterns] of Object.entries(data.shades))
        for (const pattern of listOf(patterns))
          for (const [form] of forms(pattern.replace('{}', phrase), english, data)) give(form, `${shade} ${english}`)
    }
  const brackets = new Map(
    Object.entries(data.brackets).flatMap(([particles, verbs]) =>
      listOf(particles).map((particle) => [phraseKey(particle, language), bracketVerbs(verbs, data)] as const),
    ),
  )
  const openers = new Set([...brackets.values()].flatMap((verbs) => [...verbs.keys()]))
  const setOf = (list: string) => new Set(listOf(list).flatMap((phrase) => [...spellings(phrase, language)]))
  const mapOf = (map: Readonly<Record<string, string>>) =>
    new Map(Object.entries(map).map(([phrase, english]) => [phraseKey(phrase, language), english.split(' ')] as const))
  const known = new Set([...phrases.keys(), ...brackets.keys(), ...openers].flatMap((phrase) => phrase.split(' ')))
  const ordinary = new Set([...setOf(data.ordinary), ...known])
  const withdrawals = { always: setOf(data.withdrawals.always), asked: setOf(data.withdrawals.asked) }
  const takingBack = [...withdrawals.always, ...withdrawals.asked].flatMap((phrase) => phrase.split(' '))
  return {
    language,
    phrases,
    first: mapOf(data.first),
    last: mapOf(data.last),
    brackets,
    openers,
    final: setOf(data.final),
    heads: listOf(data.heads),
    manners: setOf(data.manners),
    ordinary,
    everyday: new Set([...ordinary, ...takingBack]),
    known,
    mendable: new Set([...known].filter((word) => !clitics.has(word))),
    withdrawals,
  }
}

export function listOf(list: string): string[] {
  return list
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
}

/**
 * The forms of a phrase: `rot*` with the endings of adjectives, `mach~` with those of verbs, `pon^` with the pronouns
 * that Spanish writes at the end of a verb.
 */
function forms(phrase: string, english: string, { endings }: LexiconData): [string, string][] {
  const stem = phrase.slice(0, -1)
  if (phrase.endsWith('*')) return endings.adjective.map((ending) => [stem + ending, english])
  if (phrase.endsWith('~')) return endings.verb.map((ending) => [stem + ending, english])
  if (!phrase.endsWith('^')) return [[phrase, english]]
  const to = ['', 'me', 'nos', 'le'].map((pronoun): [string, string] => [stem + pronoun, english])
  const it = ['lo', 'la', 'los', 'las', 'melo', 'mela', 'noslo', 'melos', 'melas'].map((pronoun): [string, string] => [
    stem + pronoun,
    `${english} it`,
  ])
  return [...to, ...it]
}

/** "Füge" is also written "fuege"; without its dots, "ändere" would be "andere". */
function spelledOut(raw: string): string {
  return raw.normalize('NFC').replaceAll(/[äöüÄÖÜ]/g, (vowel) => `${vowel.normalize('NFD')[0]!}e`)
}

/** Accents and dots are often left out. */
function spellings(phrase: string, language: Foreign): Set<string> {
  const key = phraseKey(phrase, language)
  const bare = phrase.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return new Set([key, key.replaceAll(ACCENT_END, ''), phraseKey(bare, language)])
}

function bracketVerbs(verbs: Readonly<Record<string, string>>, data: LexiconData): Map<string, readonly string[]> {
  return new Map(
    Object.entries(verbs).flatMap(([english, list]) =>
      listOf(list).flatMap((verb) =>
        forms(verb, english, data).flatMap(([form]) =>
          [...spellings(form, data.language)].map((key) => [key, english.split(' ')] as const),
        ),
      ),
    ),
  )
}
