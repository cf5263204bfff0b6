import type { Slot, Wish } from '@choiros/contract/events/talk.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { COMMON_WORDS } from './common-words.ts'
import { Clause, tagTokens, type Ask, type Before, type Tag, type Understood } from './intent.ts'
import { EXCEPTIONS, REASONS } from './joining-words.ts'
import { exampleIn } from './languages/examples.ts'
import { guessLanguage } from './languages/guess.ts'
import type { Language } from './languages/language.ts'
import { lexiconOf } from './languages/lexicons.ts'
import { translate, UNKNOWN } from './languages/translate.ts'
import { hasContent, isQuestionTag, spanText, splitParts, type Part } from './parts.ts'
import type { Recipe } from './recipe.ts'
import { comesWith, swallowedBy } from './swallowed.ts'
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
  /** The language of the text, as far as its words tell. */
  readonly language: Language
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
  /** What became part of a title, or was beyond the number of wishes, and may be a wish of its own. */
  readonly swallowed: readonly string[]
}

/** A wish that lacks a value. */
export interface Missing extends Slot {
  readonly parameters: Wish['parameters']
  readonly question: string
  readonly choices: readonly string[]
}

const WEIGHT = { known: 1, fill: 0.5, taken: 0.3, whole: 1.1, clause: 0.2 }

/**
 * Finds the wishes in a text: cuts it at every mark and "and" that may separate two wishes, lets every recipe read
 * every run of the pieces, and takes the reading that explains most of the words. "Tomorrow" is counted from `today`
 * (YYYY-MM-DD). Where no language is given, it is guessed.
 */
export function understand(
  text: string,
  recipes: readonly Recipe[],
  today: string,
  language: Language = languageOf(text, recipes),
): Found {
  const tokens = englishOf(text, recipes, language)
  const parts = splitParts(tokens)
  const read: Text = { text, tokens, parts, today, language }
  const matches = reject(bestReading(read, recipes), tokens, parts)
  const ordered = dropContradicted(matches)
  return {
    language,
    wishes: ordered
      .filter(isWish)
      .slice(0, LIMITS.wishesMax)
      .map(({ recipe, understood, from, to }) => ({
        recipe: recipe.name,
        parameters: understood.parameters,
        span: spanText(text, tokens, parts[from]!.from, parts[to - 1]!.to),
      })),
    overruled: matches
      .filter((match) => !ordered.includes(match) && isWish(match))
      .map(({ from, to }) => spanText(text, tokens, parts[from]!.from, parts[to - 1]!.to)),
    asks: ordered.flatMap((match) => missingOf(match) ?? []),
    says: ordered.flatMap(({ understood, isQuestion }) =>
      isQuestion || typeof understood.ask !== 'string' ? [] : understood.ask,
    ),
    sayings: [
      ...new Set(ordered.filter(({ isQuestion }) => isQuestion).map((match) => sayingFor(match, read, recipes))),
    ],
    negated: ordered.flatMap(({ understood }) => understood.negated ?? []),
    leftovers: leftoversOf(text, tokens, parts, matches),
    swallowed: [
      ...ordered.flatMap((match) => swallowedBy(match, text, tokens, parts)),
      ...ordered
        .filter(isWish)
        .slice(LIMITS.wishesMax)
        .map(({ from, to }) => spanText(text, tokens, parts[from]!.from, parts[to - 1]!.to)),
    ],
  }
}

/** The tokens of a text in the words that recipes know. */
function englishOf(text: string, recipes: readonly Recipe[], language: Language): readonly Token[] {
  return language === 'en' ? mendTypos(tokenize(text), wordsOf(recipes)) : translate(text, lexiconOf(language))
}

/** A text in English as far as its words are known; the others stay as they are written. */
export function inEnglish(text: string, recipes: readonly Recipe[]): string {
  const language = languageOf(text, recipes)
  if (language === 'en') return text
  return englishOf(text, recipes, language)
    .map(({ kind, word, start, end }) => (kind === 'word' && !word.startsWith(UNKNOWN) ? word : text.slice(start, end)))
    .join(' ')
}

export function languageOf(text: string, recipes: readonly Recipe[]): Language {
  const words = wordsOf(recipes)
  return guessLanguage(text, (word) => words.get(word[0] ?? '')?.has(word) === true)
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
  { text, tokens, parts, today, language }: Text,
  recipes: readonly Recipe[],
): string {
  const example = exampleIn(recipe, language)
  const [same] = understand(example, recipes, today).wishes
  if (understood.ask !== undefined || JSON.stringify(same?.parameters) === JSON.stringify(understood.parameters))
    return example
  const end = parts[to - 1]!.to
  const question = tagTokens(tokens, parts[from]!.from, end, new Map(), COMMON_WORDS).find(isQuestionTag)
  return spanText(text, tokens, question?.to ?? parts[from]!.from, end)
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
  readonly language: Language
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
  { text, tokens, parts, today, language }: Text,
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
  const clause = new Clause(text, tokens, tags, inherited, today, language)
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
    byPronoun: understood.ofIt === true || (clause.has('it') && !clause.has('subject') && taken.length === 0),
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
        !(isWish(match) && open[match.to] === true && comesWith(tokens, parts[match.to - 1]!, parts[match.to]!)) &&
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
  return leftovers.map(({ from, to }) => spanText(text, tokens, from, to))
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
