import type { Slot, Wish } from '@choiros/contract/events/talk.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { COMMON_WORDS, EXCEPTIONS, QUESTIONS, REASONS, SEPARATORS } from './common-words.ts'
import { Clause, tagTokens, type Ask, type Before, type Tag, type Understood } from './intent.ts'
import type { Recipe } from './recipe.ts'
import { knownWords, mendTypos, tokenize, type KnownWords, type Token } from './tokens.ts'

/** A part of a sentence and what it was understood as. */
interface Match {
  readonly recipe: Recipe
  readonly understood: Understood
  readonly from: number
  readonly to: number
  readonly score: number
  readonly strong: boolean
  /** Names only "it", so it counts only together with what was said before. */
  readonly byPronoun: boolean
  readonly tookAtEnd: boolean
  /** Asks how or whether it can be done, and does not ask for it. */
  readonly isQuestion: boolean
  readonly verbs: ReadonlySet<string>
}

export interface Found {
  readonly wishes: readonly (Wish & { readonly span: string })[]
  /** Known wishes that lack something: what must be asked, and what is known of them so far. */
  readonly asks: readonly Missing[]
  /** What must be said instead of doing what was understood. */
  readonly says: readonly string[]
  /** Wishes not to do something, each with what to say instead. */
  readonly negated: readonly string[]
  /** For each question about something that can be asked for: the words that ask for it. */
  readonly sayings: readonly string[]
  /** Wishes that a later one for the same thing overruled. */
  readonly overruled: readonly string[]
  /** The person's own words that were not understood. */
  readonly leftovers: readonly string[]
}

/** A wish that lacks a value. */
export interface Missing extends Slot {
  readonly parameters: Wish['parameters']
  readonly question: string
  readonly choices: readonly string[]
}

/**
 * All clauses beyond this number form one last clause, because the search below grows with the square of their number.
 */
const PARTS_MAX = 24

const WEIGHT = { known: 1, fill: 0.5, taken: 0.3, whole: 1.1, clause: 0.2 }

/**
 * Finds the wishes in a text: cuts it at every mark and "and" that may separate two wishes, lets every recipe read
 * every run of the pieces, and takes the reading that explains most of the words. "Tomorrow" is counted from `today`
 * (YYYY-MM-DD).
 */
export function understand(text: string, recipes: readonly Recipe[], today: string): Found {
  const tokens = mendTypos(tokenize(text), wordsOf(recipes))
  const parts = splitParts(tokens)
  const matches = reject(bestReading({ text, tokens, parts, today }, recipes), tokens, parts)
  const ordered = dropContradicted(matches)
  return {
    wishes: ordered
      .filter(isWish)
      .slice(0, LIMITS.wishesMax)
      .map(({ recipe, understood, from, to }) => ({
        recipe: recipe.name,
        parameters: understood.parameters,
        span: spanText(text, tokens.slice(parts[from]!.from, parts[to - 1]!.to)),
      })),
    overruled: matches
      .filter((match) => !ordered.includes(match) && isWish(match))
      .map(({ from, to }) => spanText(text, tokens.slice(parts[from]!.from, parts[to - 1]!.to))),
    asks: ordered.flatMap((match) => missingOf(match) ?? []),
    says: ordered.flatMap(({ understood, isQuestion }) =>
      isQuestion || typeof understood.ask !== 'string' ? [] : understood.ask,
    ),
    sayings: [
      ...new Set(
        ordered
          .filter(({ isQuestion }) => isQuestion)
          .map((match) => sayingFor(match, { text, tokens, parts, today }, recipes)),
      ),
    ],
    negated: ordered.flatMap(({ understood }) => understood.negated ?? []),
    leftovers: leftoversOf(text, tokens, parts, matches),
  }
}

function isWish({ understood, isQuestion }: Match): boolean {
  return understood.ask === undefined && understood.negated === undefined && !isQuestion
}

function missingOf({ recipe, understood, isQuestion }: Match): Missing | null {
  const ask: Ask | string | undefined = understood.ask
  if (isQuestion || ask === undefined || typeof ask === 'string') return null
  return { recipe: recipe.name, parameters: understood.parameters, ...ask }
}

/**
 * The recipe's example if it does exactly what was asked about, otherwise the person's own words without the question.
 */
function sayingFor(
  { recipe, understood, from, to }: Match,
  { text, tokens, parts, today }: Text,
  recipes: readonly Recipe[],
): string {
  const { example } = recipe
  const [same] = understand(example, recipes, today).wishes
  if (understood.ask !== undefined || JSON.stringify(same?.parameters) === JSON.stringify(understood.parameters))
    return example
  const end = parts[to - 1]!.to
  const question = tagTokens(tokens, parts[from]!.from, end, new Map(), COMMON_WORDS).find(isQuestionTag)
  return spanText(text, tokens.slice(question?.to ?? parts[from]!.from, end))
}

function isQuestionTag({ role, value }: Tag): boolean {
  return role === 'ask' && QUESTIONS.has(value)
}

interface Part {
  readonly from: number
  readonly to: number
  /** Whether a mark, not a word, separates it from the one before. */
  readonly marked: boolean
  /** Whether it stands in a sentence that began as a question. */
  readonly questioned: boolean
}

function splitParts(tokens: readonly Token[]): Part[] {
  const parts: Part[] = []
  let from = 0
  let marked = true
  let nextMarked = false
  const close = (to: number) => {
    // "Teal, no, gold": the "no" by itself belongs to neither.
    if (to > from && !(to - from === 1 && /^(no|nope|nah|wait)$/.test(tokens[from]!.word))) {
      parts.push({ from, to, marked, questioned: isQuestioned(tokens, from, to, parts.at(-1)) })
      marked = false
    }
    marked ||= nextMarked
  }
  for (const [index, token] of tokens.entries()) {
    if (parts.length >= PARTS_MAX - 1) break
    const isMark = token.kind === 'mark'
    if (!isMark && !(token.kind === 'word' && SEPARATORS.has(token.word))) continue
    nextMarked = isMark
    close(index)
    from = index + 1
  }
  nextMarked = false
  close(tokens.length)
  return parts
}

function isQuestioned(tokens: readonly Token[], from: number, to: number, before: Part | undefined): boolean {
  const goesOn =
    before?.questioned === true && !tokens.slice(before.to, from).some(({ word }) => /^[.!?…;\n]$/.test(word))
  const first = tagTokens(tokens, from, to, new Map(), COMMON_WORDS).find(({ role }) => role !== 'fill')
  return goesOn || (first !== undefined && isQuestionTag(first))
}

interface Path {
  readonly score: number
  readonly matches: readonly Match[]
}

interface Text {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly parts: readonly Part[]
  readonly today: string
}

function bestReading(text: Text, recipes: readonly Recipe[]): Match[] {
  const readers = recipes.map((recipe) => ({ recipe, tags: tagParts(text, recipe) }))
  const best: Path[] = [{ score: 0, matches: [] }]
  for (let to = 1; to <= text.parts.length; to++) {
    let path: Path = best[to - 1]!
    for (let from = 0; from < to; from++) {
      const start = best[from]!
      const last = start.matches.at(-1)
      const before = last !== undefined && last.to === from ? last : null
      for (const { recipe, tags } of readers) {
        const match = readSpan(text, from, to, recipe, tags.slice(from, to), before)
        // Sums of tenths differ in their last bits; of equal scores the first one found stays.
        if (match !== null && start.score + match.score > path.score + 1e-9)
          path = { score: start.score + match.score, matches: [...start.matches, match] }
      }
    }
    best.push(path)
  }
  return [...best.at(-1)!.matches]
}

interface TaggedPart {
  /** As the beginning of a clause. */
  readonly first: readonly Tag[]
  /**
   * As the continuation of a clause, with the word that separates it from the part before: "with" may belong to a
   * phrase, as in "with the title".
   */
  readonly later: readonly Tag[]
}

/** Each part is tagged once per recipe, because there are many runs of parts and few parts. */
function tagParts({ tokens, parts }: Text, { intent }: Recipe): TaggedPart[] {
  return parts.map(({ from, to }, index) => {
    const first = tagTokens(tokens, from, to, intent.words, COMMON_WORDS)
    const gapFrom = parts[index - 1]?.to ?? from
    const glue = tokens
      .slice(gapFrom, from)
      .map(({ word }, at): Tag => ({ role: 'glue', value: word, from: gapFrom + at, to: gapFrom + at + 1 }))
    const joined = from === gapFrom ? [] : tagTokens(tokens, from - 1, to, intent.words, new Map())
    const isPhrase = joined.length > 0 && joined[0]!.to > from
    return {
      first,
      later: isPhrase
        ? [...glue.slice(0, -1), joined[0]!, ...tagTokens(tokens, joined[0]!.to, to, intent.words, COMMON_WORDS)]
        : [...glue, ...first],
    }
  })
}

function readSpan(
  { text, tokens, parts, today }: Text,
  from: number,
  to: number,
  recipe: Recipe,
  perPart: readonly TaggedPart[],
  before: Match | null,
) {
  const { intent } = recipe
  const all = perPart.flatMap(({ first, later }, index) => (index === 0 ? first : later))
  const tags = intent.open === true ? all : withoutReason(all, tokens)
  if (intent.open !== true && (tags.some(({ role }) => role === 'unknown') || hasSecondVerb(perPart))) return null
  const inherited: Before | null = before === null ? null : { recipe: before.recipe.name, verbs: before.verbs }
  const clause = new Clause(text, tokens, tags, inherited, today)
  const understood = intent.read(clause)
  if (understood === null) return null
  // A title continues after "and" unless a new wish plainly follows: "called bread and butter".
  const startsAnew = clause.asks || /^(an?|another)$/.test(tokens[parts[from]!.from]!.word)
  if (before?.tookAtEnd === true && !parts[from]!.marked && !startsAnew) return null
  const taken = understood.taken ?? []
  const match: Match = {
    recipe,
    understood,
    from,
    to,
    score: scoreOf(tags, understood) - WEIGHT.clause,
    strong: understood.strong === true || clause.asks || before?.strong === true,
    byPronoun: clause.has('it') && !clause.has('subject') && taken.length === 0,
    tookAtEnd: taken.some((range) => range.to === clause.end),
    // "What do I have here?" is answered: only what would change something is not done.
    isQuestion:
      changesSomething(recipe) &&
      understood.negated === undefined &&
      (parts[from]!.questioned || asksInside(tags, taken)),
    verbs: clause.verbs.size > 0 ? clause.verbs : (before?.verbs ?? clause.verbs),
  }
  return match
}

function changesSomething({ work }: Recipe): boolean {
  return work.kind === 'edit' || (work.kind === 'git' && work.action !== 'log')
}

/** "Show me how to undo"; not in a title, as in "a note called how to bake". */
function asksInside(tags: readonly Tag[], taken: readonly { readonly from: number; readonly to: number }[]): boolean {
  return tags.some((tag) => isQuestionTag(tag) && !taken.some(({ from, to }) => tag.from >= from && tag.to <= to))
}

/** "… because it hurts my eyes", "… instead of the other": this is neither part of the wish nor a wish of its own. */
function withoutReason(tags: readonly Tag[], tokens: readonly Token[]): Tag[] {
  const at = tags.findIndex(({ from }, index) => index > 1 && tokens[from]!.kind === 'word' && endsWish(tokens, from))
  return at === -1 ? [...tags] : tags.slice(0, at)
}

/** A clause of a closed recipe has one verb and one "not"; a second one after "and" begins a wish of its own. */
function hasSecondVerb(perPart: readonly TaggedPart[]): boolean {
  return perPart.slice(1).some(({ later }) => later.some(({ role }) => role === 'verb' || role === 'neg'))
}

function endsWish(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.word ?? ''
  // "So small" is no reason; "so that I can read it" is.
  if (tokens[at]!.word === 'so' && !/^(that|i|it|we|my|you|they)$/.test(next)) return false
  return REASONS.has(tokens[at]!.word) || EXCEPTIONS.has(`${tokens[at]!.word} ${next}`)
}

function scoreOf(tags: readonly Tag[], { taken = [], whole = false }: Understood): number {
  let score = 0
  for (const { role, from, to } of tags) {
    if (taken.some((range) => from >= range.from && to <= range.to))
      score += (to - from) * (whole ? WEIGHT.whole : WEIGHT.taken)
    else if (role === 'fill' || role === 'ask' || role === 'it' || role === 'desk') score += WEIGHT.fill
    else if (role !== 'unknown' && role !== 'mark' && role !== 'glue') score += WEIGHT.known
  }
  return score
}

/** Takes out matches that the rest of the text makes doubtful: better not understood than done by accident. */
function reject(found: readonly Match[], tokens: readonly Token[], parts: readonly Part[]): Match[] {
  let matches = [...found]
  for (let round = 0; round <= found.length; round++) {
    const covered = (part: number) => matches.some(({ from, to }) => part >= from && part < to)
    const open = parts.map((part, index) => !covered(index) && hasContent(tokens, part))
    const kept = matches.filter(
      (match) =>
        (match.strong || !open.includes(true)) &&
        !(match.byPronoun && open[match.from - 1] === true && !isStatement(tokens, parts[match.from - 1]!)),
    )
    if (kept.length === matches.length) return matches
    matches = kept
  }
  return matches
}

/** "It hurts my eyes, make it dark": a complaint names nothing that "it" could refer to. */
function isStatement(tokens: readonly Token[], { from }: Part): boolean {
  return ['it', 'its', 'my', 'im'].includes(tokens[from]!.word)
}

const HOLLOW = new Set(['fill', 'ask', 'it', 'mark', 'desk', 'neg'])

function hasContent(tokens: readonly Token[], { from, to }: Part): boolean {
  return tagTokens(tokens, from, to, new Map(), COMMON_WORDS).some(({ role }) => !HOLLOW.has(role))
}

/**
 * Of two wishes for the same setting the later one counts ("light … no, dark"), and a wish counts more than a refusal
 * ("blue, not green").
 */
function dropContradicted(matches: readonly Match[]): Match[] {
  return matches.filter((match, index) => {
    if (match.recipe.single !== true || match.isQuestion) return true
    const rivals = matches.filter(
      (other, at) => other.recipe === match.recipe && isWish(other) && (at > index || (at < index && !isWish(match))),
    )
    return rivals.length === 0
  })
}

function leftoversOf(
  text: string,
  tokens: readonly Token[],
  parts: readonly Part[],
  matches: readonly Match[],
): string[] {
  const leftovers: { from: number; to: number; part: number }[] = []
  for (const [index, part] of parts.entries()) {
    if (matches.some(({ from, to }) => index >= from && index < to) || !hasContent(tokens, part)) continue
    const last = leftovers.at(-1)
    if (last !== undefined && last.part === index - 1) Object.assign(last, { to: part.to, part: index })
    else leftovers.push({ from: part.from, to: part.to, part: index })
  }
  return leftovers.map(({ from, to }) => spanText(text, tokens.slice(from, to)))
}

const SPAN_CHARS_MAX = 200

function spanText(text: string, tokens: readonly Token[]): string {
  const [first] = tokens
  const last = tokens.at(-1)
  if (first === undefined || last === undefined) return ''
  const span = text.slice(first.start, last.end).replaceAll(/\s+/g, ' ')
  return span.length > SPAN_CHARS_MAX ? `${span.slice(0, SPAN_CHARS_MAX - 1)}…` : span
}

/** Gathered once: recipes do not change while a process runs. */
const KNOWN = new WeakMap<readonly Recipe[], KnownWords>()

function wordsOf(recipes: readonly Recipe[]): KnownWords {
  const known =
    KNOWN.get(recipes) ??
    knownWords(
      [COMMON_WORDS, ...recipes.map(({ intent }) => intent.words)].flatMap((words) =>
        [...words.keys()].flatMap((phrase) => phrase.split(' ')),
      ),
    )
  KNOWN.set(recipes, known)
  return known
}
