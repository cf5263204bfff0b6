import { COMMON_WORDS } from './common-words.ts'
import type { Recipe } from './recipe.ts'
import { tokenize } from './tokens.ts'

/** The recipes whose words are most like those of a text, best first; always as many as asked for, so that there is something to offer. */
export function nearestRecipes(text: string, recipes: readonly Recipe[], count: number): Recipe[] {
  const said = wordsOf(text).filter((word) => !COMMON_WORDS.has(word))
  const known = recipes.map((recipe) => ownWords(recipe))
  return recipes
    .map((recipe, order) => ({ recipe, order, score: said.reduce((sum, word) => sum + likeness(word, recipe, known, order), 0) }))
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, count)
    .map(({ recipe }) => recipe)
}

const WORDS_MAX = 60

function wordsOf(text: string): string[] {
  return tokenize(text)
    .filter(({ kind, word }) => kind === 'word' && word.length > 2)
    .slice(0, WORDS_MAX)
    .map(({ word }) => word)
}

/** Words that mean something to the recipe by themselves. */
function ownWords({ intent }: Recipe): Set<string> {
  const telling = [...intent.words].filter(
    ([phrase, { role }]) => !phrase.includes(' ') && !['glue', 'about', 'named', 'until', 'be', 'saying'].includes(role),
  )
  return new Set(telling.map(([phrase]) => phrase))
}

/** A word that few recipes know says most. Beginnings of words count a little, so that "colourful" finds colours. */
function likeness(word: string, { title, hint, example }: Recipe, known: readonly Set<string>[], order: number): number {
  if (known[order]!.has(word)) return 2 / known.filter((words) => words.has(word)).length
  const described = wordsOf(`${title} ${hint} ${example}`)
  if (described.includes(word)) return 0.5
  return word.length > 4 && described.some((other) => other.slice(0, 4) === word.slice(0, 4)) ? 0.3 : 0
}
