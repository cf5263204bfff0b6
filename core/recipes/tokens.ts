/**
 * A piece of what a person wrote. Rules compare `word`; `start` and `end` find the original, from which titles are
 * made.
 */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'hex' | 'date' | 'mark'
  readonly word: string
  readonly start: number
  readonly end: number
}

/** More than the longest prompt has; a note must not lose its end. */
const TOKENS_MAX = 5000

const PIECES = new RegExp(
  [
    String.raw`(?<quoted>"[^"\n]+"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|${'`[^`\\n]+`'}|(?<![\p{L}\p{N}])['‘][^'’\n]+['’](?![\p{L}\p{N}]))`,
    String.raw`(?<hex>#[0-9a-fA-F]{3,8}\b)`,
    String.raw`(?<date>\b\d{4}-\d{2}-\d{2}\b)`,
    String.raw`(?<word>\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*|\d+)`,
    String.raw`(?<mark>[,;.!?…\n:()&+–—]|(?<=\s)\/(?=\s))`,
  ].join('|'),
  'gu',
)

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(PIECES)) {
    if (tokens.length === TOKENS_MAX) break
    const kind = kindOf(match.groups ?? {})
    const [piece] = match
    const word =
      kind === 'word' ? normalise(piece) : kind === 'quoted' ? piece.slice(1, -1).trim() : piece.toLowerCase()
    tokens.push({ kind, word, start: match.index, end: match.index + piece.length })
  }
  return tokens
}

function kindOf(groups: Record<string, string | undefined>): Token['kind'] {
  for (const kind of ['quoted', 'hex', 'date', 'word'] as const) if (groups[kind] !== undefined) return kind
  return 'mark'
}

/** Lower-case letters without accents and apostrophes: "Don’t" and "dont" are one word. */
export function normalise(word: string): string {
  return word
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
}

/** Shorter words are too near to each other: "clock" for "clok" is a repair, "time" for "tile" is a guess. */
const REPAIRED_CHARS_MIN = 5

/** Real words that a repair would turn into something the person did not say. */
const NOT_TYPOS = new Set(
  (
    'there these them then themes cloak click close block while write wrote plan plane plans noted nodes times timed tiger smell shall stall remote ' +
    'forget greet greed great range rang change charge chance chances place plate places string thing think night right might sight eight fight ' +
    'later latter letter letters lights lighter darker darken data dates dated topics stop step steps bottle button cheese chose house horse mouse ' +
    'moved movie movies mode model modem more mores taste tastes paste waste task tasks form from font front fonts count counts country county court ' +
    'color colon colony dozen sized sizes since text tests tent next exact extra green queen paper papers papa prayer player layer plain pain paint print ' +
    'point cream dream great treat share shave shade scale scare widen widow window windows wiped world word words works worked worker hours hour our ' +
    'large laugh later least leave leaves undone under until unity listen lists light lift left loft soft sort shirt shift shoot shout short sheet ' +
    'sleet sleep sweet silver sliver river rover given giver liver live lives life line lime limes pines pine pink pick picks picked packed parked party ' +
    'chuck check cheek checks steal steel still style styles stylish create crate cream crated related deleted remind reminds remained removed aided adds ' +
    'address added aged album bring brings bright bride blue blues clue glue black slack snack beige bench brown crown grown drown frown blown known'
  ).split(' '),
)

/** Words by their first letter: a typing mistake keeps it, or swaps it with the second. */
export type KnownWords = ReadonlyMap<string, ReadonlySet<string>>

export function knownWords(words: Iterable<string>): KnownWords {
  const known = new Map<string, Set<string>>()
  for (const word of words) known.set(word[0] ?? '', (known.get(word[0] ?? '') ?? new Set()).add(word))
  return known
}

/**
 * Mends one typing mistake in a word, if exactly one known word can be meant. `ordinary` are real words that are left
 * as they are.
 */
export function mendTypos(
  tokens: readonly Token[],
  known: KnownWords,
  ordinary: ReadonlySet<string> = NOT_TYPOS,
  charsMin = REPAIRED_CHARS_MIN,
): Token[] {
  return tokens.map((token) => {
    const { kind, word: typed } = token
    if (
      kind !== 'word' ||
      typed.length < REPAIRED_CHARS_MIN - 1 ||
      known.get(typed[0]!)?.has(typed) === true ||
      ordinary.has(typed)
    )
      return token
    const candidates = new Set([...(known.get(typed[0]!) ?? []), ...(known.get(typed[1]!) ?? [])])
    const near = [...candidates].filter(
      (word) => isOneSlip(typed, word) && (word.length >= charsMin || isSafeSlip(typed, word)),
    )
    return near.length === 1 ? { ...token, word: near[0]! } : token
  })
}

/** Two neighbours swapped or a letter doubled: safe to mend in short words, too. */
function isSafeSlip(typed: string, meant: string): boolean {
  if (typed.length === meant.length) return typed.split('').sort().join('') === meant.split('').sort().join('')
  return typed.length > meant.length && typed.replaceAll(/(.)\1/g, '$1') === meant
}

/**
 * One letter too many, too few, wrong or swapped with its neighbour. The first letter may only be swapped: it is rarely
 * mistyped, and "night" must not become "light".
 */
function isOneSlip(typed: string, meant: string): boolean {
  if (Math.abs(typed.length - meant.length) > 1 || typed === meant) return false
  if (typed[0] !== meant[0] && !(typed[0] === meant[1] && typed[1] === meant[0])) return false
  let start = 0
  while (start < typed.length && typed[start] === meant[start]) start++
  let tail = 0
  while (tail < Math.min(typed.length, meant.length) - start && typed.at(-1 - tail) === meant.at(-1 - tail)) tail++
  const typedRest = typed.slice(start, typed.length - tail)
  const meantRest = meant.slice(start, meant.length - tail)
  if (typedRest.length <= 1 && meantRest.length <= 1) return true
  return (
    typedRest.length === 2 && meantRest.length === 2 && typedRest[0] === meantRest[1] && typedRest[1] === meantRest[0]
  )
}
