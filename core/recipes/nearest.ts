import { readAnswer } from './answers.ts'
import { COMMON_WORDS } from './common-words.ts'
import { exampleIn } from './languages/examples.ts'
import type { Recipe } from './recipe.ts'
import { tokenize } from './tokens.ts'
import { inEnglish, languageOf, understand } from './understand.ts'

/**
 * Sentences that can be asked for and are nearest to a text, in its language, best first: in English with the text's
 * own values if a recipe takes them.
 */
export function nearestWishes(text: string, recipes: readonly Recipe[], count: number): string[] {
  const language = languageOf(text, recipes)
  const wishes = nearestRecipes(inEnglish(text, recipes), recipes, recipes.length).map((recipe) =>
    language === 'en' ? (wishWith(recipe, text, recipes) ?? recipe.example) : exampleIn(recipe, language),
  )
  return [...new Set(wishes)].slice(0, count)
}

/** Any day will do: it only matters that it is one. */
const TODAY = '2026-01-01'

/** "Make the taskbar blue" is near to "make the accent blue". */
function wishWith(recipe: Recipe, text: string, recipes: readonly Recipe[]): string | null {
  const field = recipe.fields.find(({ required }) => required) ?? recipe.fields[0]
  if (recipe.complete === undefined || field === undefined || recipe.intent.open === true) return null
  const value = wordsOf(text).find(
    (word) =>
      recipe.intent.words.has(word) &&
      readAnswer({ recipe: recipe.name, field: field.name }, word, {}, TODAY)?.length === 1,
  )
  const sentence = value === undefined ? null : recipe.complete(value)
  return sentence !== null && understand(sentence, recipes, TODAY).wishes.length === 1 ? sentence : null
}

/**
 * The recipes whose words are most like those of a text, best first; always as many as asked for, so that there is
 * something to offer.
 */
export function nearestRecipes(text: string, recipes: readonly Recipe[], count: number): Recipe[] {
  const said = wordsOf(text).filter((word) => !COMMON_WORDS.has(word))
  const known = recipes.map((recipe) => ownWords(recipe))
  const removes = wordsOf(text).some((word) => COMMON_WORDS.get(word)?.value.split(' ').includes('remove'))
  return recipes
    .map((recipe, order) => ({
      recipe,
      order,
      score: scoreOf(
        said.reduce((sum, word) => sum + likeness(word, recipe, known, order), 0),
        said,
        recipe,
        removes,
      ),
    }))
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, count)
    .map(({ recipe }) => recipe)
}

/**
 * Where not a word is known, only what works on any computer is offered: there may be no checkpoint to go back to and
 * no app to remove. Who asks for the time is not offered to remove the clock before they are offered one.
 */
function scoreOf(alike: number, said: readonly string[], recipe: Recipe, removes: boolean): number {
  const mayFail = recipe.group === 'History' || recipe.name === 'remove'
  const isUnasked = (mayFail && alike === 0) || (recipe.name === 'remove' && !removes)
  return alike + soundsLike(said, recipe) * SOUND_WEIGHT - (isUnasked ? 1 : 0)
}

const WORDS_MAX = 60
const SOUND_WEIGHT = 0.2

function wordsOf(text: string): string[] {
  return tokenize(text)
    .filter(({ kind, word }) => kind === 'word' && word.length > 2)
    .slice(0, WORDS_MAX)
    .map(({ word }) => word)
}

/** Single words that mean something to this recipe. */
function ownWords({ intent }: Recipe): Set<string> {
  const telling = [...intent.words].filter(
    ([phrase, { role }]) =>
      !phrase.includes(' ') && !['glue', 'about', 'named', 'until', 'be', 'saying'].includes(role),
  )
  return new Set(telling.map(([phrase]) => phrase))
}

/** A word that few recipes know says most. Beginnings of words count a little, so that "colourful" finds colours. */
function likeness(
  word: string,
  { title, hint, example }: Recipe,
  known: readonly Set<string>[],
  order: number,
): number {
  if (known[order]!.has(word)) return 2 / known.filter((words) => words.has(word)).length
  const described = wordsOf(`${title} ${hint} ${example}`)
  if (described.includes(word)) return 0.5
  return word.length > 4 && described.some((other) => other.slice(0, 4) === word.slice(0, 4)) ? 0.3 : 0
}

/**
 * The share of the text's letter pairs that the recipe has, too: if no word is known, the recipe that looks most like
 * the text comes first.
 */
function soundsLike(said: readonly string[], { title, example }: Recipe): number {
  const pairs = said.flatMap(pairsOf)
  const own = new Set(wordsOf(`${title} ${example}`).flatMap(pairsOf))
  return pairs.length === 0 ? 0 : pairs.filter((pair) => own.has(pair)).length / pairs.length
}

function pairsOf(word: string): string[] {
  return Array.from({ length: Math.max(0, word.length - 1) }, (_, index) => word.slice(index, index + 2))
}
