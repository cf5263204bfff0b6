import type { Language } from './languages/language.ts'
import type { Parameters } from './recipe.ts'
import type { Token } from './tokens.ts'

/** What a phrase stands for in one reading of a clause. */
interface Meaning {
  readonly role: string
  readonly value: string
}

export type Vocabulary = ReadonlyMap<string, Meaning>

/** Phrases by role; where a role has values, by value. */
export function vocabulary(
  roles: Readonly<Record<string, readonly string[] | Readonly<Record<string, readonly string[]>>>>,
): Vocabulary {
  const words = new Map<string, Meaning>()
  for (const [role, phrases] of Object.entries(roles)) {
    if (Array.isArray(phrases)) for (const phrase of phrases as string[]) words.set(phrase, { role, value: phrase })
    else
      for (const [value, ofValue] of Object.entries(phrases))
        for (const phrase of ofValue as string[]) words.set(phrase, { role, value })
  }
  return words
}

/** Keys of a vocabulary that match any token of a kind; the value is then the token's own. */
export const ANY_NUMBER = '0'
export const ANY_HEX = '#'
export const ANY_DATE = '-'
export const ANY_QUOTED = '"'

export interface Tag extends Meaning {
  /** Index of the first token, and of the one after the last. */
  readonly from: number
  readonly to: number
}

/** What a recipe still needs to know: asked in a form with these choices, or answered in words. */
export interface Ask {
  /** The parameter that the answer is for. */
  readonly field: string
  readonly question: string
  readonly choices: readonly string[]
}

/** How one recipe understands one clause. */
export interface Understood {
  readonly parameters: Parameters
  /**
   * What must be asked because the clause leaves it open; nothing is done before. A plain string is said and not asked:
   * no answer would help.
   */
  readonly ask?: Ask | string
  /** The person said not to do it; this is the sentence to answer with. */
  readonly negated?: string
  /** Tokens that are taken literally (a title, a text) and not interpreted. */
  readonly taken?: readonly { readonly from: number; readonly to: number }[]
  /** A text that goes to its end: nothing in it is ever a wish of its own. */
  readonly whole?: boolean
  /** Counts as a wish although it has no verb. */
  readonly strong?: boolean
  /** Speaks of "it": after a sentence that was not understood, nobody knows of what. */
  readonly ofIt?: boolean
}

export interface Intent {
  readonly words: Vocabulary
  /**
   * Takes words it does not know, as titles and texts. All other intents match only clauses in which they know every
   * word.
   */
  readonly open?: boolean
  read(clause: Clause): Understood | null
}

/**
 * The wish before this one in the same sentence. A clause without a verb continues with its verb: "remove the clock and
 * the date".
 */
export interface Before {
  readonly recipe: string
  readonly verbs: ReadonlySet<string>
}

/** A clause as one recipe reads it: every token has a tag, unknown ones the role `unknown`. */
export class Clause {
  readonly tags: readonly Tag[]
  readonly verbs: ReadonlySet<string>
  readonly before: Before | null
  readonly today: string
  readonly language: Language
  readonly #tokens: readonly Token[]
  readonly #text: string

  constructor(
    text: string,
    tokens: readonly Token[],
    tags: readonly Tag[],
    before: Before | null,
    today: string,
    language: Language,
  ) {
    this.#text = text
    this.#tokens = tokens
    this.tags = tags
    this.before = before
    this.today = today
    this.language = language
    this.verbs = new Set(tags.filter(({ role }) => role === 'verb').flatMap(({ value }) => value.split(' ')))
  }

  has(role: string): boolean {
    return this.tags.some((tag) => tag.role === role)
  }

  tag(role: string): Tag | undefined {
    return this.tags.find((tag) => tag.role === role)
  }

  value(role: string): string | undefined {
    return this.tag(role)?.value
  }

  /** Different values of a role in the order they were said. */
  values(role: string): string[] {
    return [...new Set(this.tags.filter((tag) => tag.role === role).map(({ value }) => value))]
  }

  /** Whether a verb of this kind is said, or goes on from the wish before. */
  does(verb: string, family: readonly string[] = []): boolean {
    if (this.verbs.size > 0) return this.verbs.has(verb)
    return this.before !== null && family.includes(this.before.recipe) && this.before.verbs.has(verb)
  }

  get asks(): boolean {
    return this.verbs.size > 0 || this.has('ask')
  }

  /**
   * The person's own words from one token to another, as they were written, with everything between and beside them
   * that is no word (🙂).
   */
  original(from: number, to: number): string {
    const first = this.#tokens[from]
    if (first === undefined || to <= from) return ''
    if (to - from === 1 && first.kind === 'quoted') return first.word
    return this.#slice(from, this.#tokens[to]?.start ?? this.#text.length).replace(/^[\s\-_/]+/, '')
  }

  /** The words from one token to another as rules compare them: in English, whatever the person's language is. */
  english(from: number, to: number): string {
    return this.#tokens
      .slice(from, to)
      .map(({ word }) => word)
      .join(' ')
  }

  /** The person's own words from a token to the clause's end; if only marks follow, to the end of the text. */
  text(from: number): string {
    const isLast = this.#tokens.slice(this.end).every(({ kind }) => kind === 'mark')
    return this.#slice(from, isLast ? this.#text.length : (this.#tokens[this.end]?.start ?? this.#text.length))
  }

  #slice(from: number, end: number): string {
    return this.#text.slice(this.#tokens[from - 1]?.end ?? 0, end).trim()
  }

  /** Whether it contains a mark or an "and": then two values are two wishes, of which the later one counts. */
  get isJoined(): boolean {
    return this.tags.some(({ role, value }) => role === 'glue' && /^([^\p{L}]|and|then|but|also|plus)$/u.test(value))
  }

  /** The index after the clause's last token. */
  get end(): number {
    return this.tags.at(-1)?.to ?? 0
  }

  token(index: number): Token | undefined {
    return this.#tokens[index]
  }
}

const PHRASE_WORDS_MAX = 6

/** Tags tokens with a recipe's own words first and the common words second; the longest phrase wins. */
export function tagTokens(
  tokens: readonly Token[],
  start: number,
  end: number,
  own: Vocabulary,
  common: Vocabulary,
): Tag[] {
  const tags: Tag[] = []
  for (let from = start; from < end;) {
    const tag = longestTag(tokens, from, end, own, common)
    tags.push(tag)
    from = tag.to
  }
  return tags
}

function longestTag(tokens: readonly Token[], from: number, end: number, own: Vocabulary, common: Vocabulary): Tag {
  const first = tokens[from]!
  const any = { word: '', mark: '', quoted: ANY_QUOTED, hex: ANY_HEX, date: ANY_DATE }[first.kind]
  if (first.kind === 'mark') return { role: 'mark', value: first.word, from, to: from + 1 }
  if (first.kind !== 'word') {
    const meaning = own.get(any)
    return { role: meaning?.role ?? 'unknown', value: first.word, from, to: from + 1 }
  }
  for (let to = Math.min(end, from + PHRASE_WORDS_MAX); to > from; to--) {
    const piece = tokens.slice(from, to)
    if (piece.some(({ kind }) => kind !== 'word')) continue
    const phrase = piece.map(({ word }) => word).join(' ')
    const meaning = own.get(phrase) ?? common.get(phrase)
    if (meaning !== undefined) return { ...meaning, from, to }
  }
  const number = /^\d+$/.test(first.word) ? own.get(ANY_NUMBER) : undefined
  return { role: number?.role ?? 'unknown', value: first.word, from, to: from + 1 }
}
