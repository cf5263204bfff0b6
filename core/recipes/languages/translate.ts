import { COMMON_WORDS } from '../common-words.ts'
import { knownWords, mendTypos, type KnownWords, type Token } from '../tokens.ts'
import { ACCENT_END, NO_WISH, PHRASE_WORDS_MAX, tokensIn, type Lexicon } from './lexicon.ts'

/** Stands before words that a lexicon does not know, so that they are no English words by accident. */
export const UNKNOWN = '~'

/** A mark of no width: where a verb stood that now stands at the clause's beginning. Titles end before it. */
export const CLAUSE_END = ''

/** Shorter words have too many neighbours in languages that bend their words: "wissen" is not "weißen". */
const REPAIRED_CHARS_MIN = 8

/** A phrase of the text, and the English words for it; null where there are none. */
interface Item {
  readonly from: number
  readonly to: number
  readonly words: readonly string[] | null
}

/**
 * The tokens of a text with the English words that a lexicon has for its phrases. Each token keeps the place of the
 * phrase that it comes from, so that titles and texts are still the person's own words.
 */
export function translate(text: string, lexicon: Lexicon): Token[] {
  const written = tokensIn(text, lexicon.language).flatMap((token) => withoutHead(token, lexicon))
  const mended = mendTypos(written, typoWords(lexicon), lexicon.ordinary, REPAIRED_CHARS_MIN)
  // "Supprimé" tells of the past; without its accent it would be a wish.
  const tokens = mended.map((token, index) => (written[index]!.word.endsWith(ACCENT_END) ? written[index]! : token))
  return segmentsOf(tokens, lexicon).flatMap(([from, to]) => translateSegment(tokens, from, to, lexicon))
}

const TYPO_WORDS = new WeakMap<Lexicon, KnownWords>()

function typoWords(lexicon: Lexicon): KnownWords {
  const words = TYPO_WORDS.get(lexicon) ?? knownWords(lexicon.mendable)
  TYPO_WORDS.set(lexicon, words)
  return words
}

const HEADED_CHARS_MIN = 3

/** "Einkaufsliste" is the list of something. */
function withoutHead(token: Token, { heads, known }: Lexicon): Token[] {
  const { kind, word, start, end } = token
  if (kind !== 'word' || known.has(word)) return [token]
  const head = heads.find((one) => word.endsWith(one) && word.length >= one.length + HEADED_CHARS_MIN)
  if (head === undefined) return [token]
  const middle = end - head.length
  return [
    // In "Packliste" nobody packs anything.
    { kind, word: UNKNOWN + word.slice(0, -head.length), start, end: middle },
    { kind, word: head, start: middle, end },
  ]
}

/**
 * Between marks; and at an "and" after which a new verb follows, or before which the last word of a clause stands: in
 * "mach es hell und füge eine Uhr hinzu" each verb has its own end.
 */
function segmentsOf(tokens: readonly Token[], { phrases, openers, final, brackets }: Lexicon): [number, number][] {
  const segments: [number, number][] = []
  let from = 0
  for (const [index, { kind, word }] of tokens.entries()) {
    const english = phrases.get(word)?.join(' ')
    const joins = kind === 'word' && (english === 'and' || english === 'but' || english === 'and then')
    const before = tokens[index - 1]?.word ?? ''
    const opens = openers.has(tokens[index + 1]?.word ?? '')
    const parts = kind === 'mark' || (joins && (opens || final.has(before) || brackets.has(before)))
    if (!parts) continue
    if (index > from) segments.push([from, index])
    segments.push([index, index + 1])
    from = index + 1
  }
  if (tokens.length > from) segments.push([from, tokens.length])
  return segments
}

function translateSegment(tokens: readonly Token[], from: number, to: number, lexicon: Lexicon): Token[] {
  const closing = lastBut(tokens, from, to, lexicon.manners)
  const bracket = bracketOf(tokens, from, closing, lexicon)
  const { verb = -1, particle = -1, words: meant = [] } = bracket ?? {}
  const items: Item[] = []
  for (let at = from; at < to;) {
    const end = at < verb ? verb : at < particle ? particle : to
    const item = at === verb ? { from: at, to: at + 1, words: meant } : longestItem(tokens, at, from, end, lexicon)
    items.push(item)
    at = item.to
  }
  const closed = bracket === null ? hoisted(items, tokens, closing, lexicon) : ended(items, particle)
  return withoutTelling(closed).flatMap((item) => englishTokens(tokens, item))
}

/** "J'enlève l'horloge" tells what somebody does; a wish has no "I" before its verb. */
function withoutTelling(items: readonly Item[]): Item[] {
  return items.map((item, index) => {
    const next = items[index + 1]?.words?.join(' ') ?? ''
    const isAct = ACTS.has(next) || (COMMON_WORDS.get(next)?.role === 'verb' && !/want|need/.test(next))
    return item.words?.join(' ') === 'i' && isAct ? { ...item, words: null } : item
  })
}

/** What is done, in words that are no verbs to all recipes. */
const ACTS = new Set(['undo', 'redo', 'restore', 'go back', 'go back to', 'take back', 'bring back', 'save', 'write'])

/** The index after the last token that is more than manners. */
function lastBut(tokens: readonly Token[], from: number, to: number, manners: ReadonlySet<string>): number {
  let end = to
  while (end > from && manners.has(tokens[end - 1]!.word)) end--
  return end
}

interface Bracket {
  readonly verb: number
  readonly particle: number
  readonly words: readonly string[]
}

/** A verb and the particle at the end of its clause that belong together: "nimm … weg". */
function bracketOf(tokens: readonly Token[], from: number, to: number, { brackets, openers }: Lexicon): Bracket | null {
  for (const length of [2, 1]) {
    const particle = to - length
    const verbs = brackets.get(
      tokens
        .slice(Math.max(from, particle), to)
        .map(({ word }) => word)
        .join(' '),
    )
    if (verbs === undefined) continue
    for (let at = from; at < particle; at++) {
      const words = verbs.get(tokens[at]!.word)
      if (words !== undefined) return { verb: at, particle, words }
      if (openers.has(tokens[at]!.word)) break
    }
  }
  return null
}

function ended(items: readonly Item[], at: number): Item[] {
  return items.flatMap((item) =>
    item.from < at ? [item] : item.from === at || item.words === null ? [{ ...item, words: [CLAUSE_END] }] : [item],
  )
}

/** "Kannst du mir eine Liste machen": the verb at the end is brought to where English has it. */
function hoisted(items: readonly Item[], tokens: readonly Token[], end: number, { final }: Lexicon): readonly Item[] {
  const index = items.findIndex(({ to }) => to === end)
  const last = items[index]
  if (index < 1 || last?.words == null || !final.has(tokens[end - 1]!.word)) return items
  const asks = items.findIndex(({ words }) => words !== null && COMMON_WORDS.get(words.join(' '))?.role === 'ask')
  const before = asks === -1 || asks >= index ? 0 : asks + 1
  const place = items[before]!.from
  return [
    ...items.slice(0, before),
    { from: place, to: place, words: last.words },
    ...items.slice(before, index),
    { ...last, words: [CLAUSE_END] },
    ...items.slice(index + 1),
  ]
}

function longestItem(
  tokens: readonly Token[],
  at: number,
  from: number,
  to: number,
  { phrases, first, last, manners }: Lexicon,
): Item {
  for (let end = Math.min(to, at + PHRASE_WORDS_MAX); end > at; end--) {
    const piece = tokens.slice(at, end)
    if (piece.some(({ kind }) => kind !== 'word')) continue
    const phrase = piece.map(({ word }) => word).join(' ')
    const isLast = last.has(phrase) && tokens.slice(end, to).every(({ word }) => manners.has(word))
    const words = (at === from ? first.get(phrase) : undefined) ?? (isLast ? last.get(phrase) : phrases.get(phrase))
    if (words !== undefined) return { from: at, to: end, words: words[0] === NO_WISH ? null : words }
  }
  return { from: at, to: at + 1, words: null }
}

function englishTokens(tokens: readonly Token[], { from, to, words }: Item): Token[] {
  const first = tokens[from]!
  if (words === null)
    return tokens.slice(from, to).map((token) => (isPlain(token) ? token : { ...token, word: UNKNOWN + token.word }))
  const start = first.start
  const end = to === from ? start : tokens[to - 1]!.end
  return words.map((word) => ({ kind: word === CLAUSE_END ? 'mark' : 'word', word, start, end }))
}

/** Numbers, values and quotations are the same in every language. */
function isPlain({ kind, word }: Token): boolean {
  return kind !== 'word' || /^\d+$/.test(word)
}
