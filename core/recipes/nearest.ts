import type { Recipe } from './recipe.ts'
import { tokenize } from './tokens.ts'

/** The recipes whose words are most like those of a text, best first; always as many as asked for, so that there is something to offer. */
export function nearestRecipes(text: string, recipes: readonly Recipe[], count: number): Recipe[] {
  const said = wordsOf(text)
  return recipes
    .map((recipe, order) => ({ recipe, order, score: similarity(said, recipe) }))
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

/** A recipe's own words count most, then those it is described with; beginnings of words count a little, so that "colourful" finds colours. */
function similarity(said: readonly string[], { title, hint, example, group, intent }: Recipe): number {
  const described = new Set(wordsOf(`${title} ${hint} ${example} ${group}`))
  const known = new Set(
    [...intent.words.entries()].filter(([, { role }]) => !['glue', 'fill'].includes(role)).flatMap(([phrase]) => phrase.split(' ')),
  )
  let score = 0
  for (const word of said) {
    if (known.has(word)) score += 2
    else if (described.has(word)) score += 1
    else if ([...described].some((other) => word.length > 4 && other.slice(0, 4) === word.slice(0, 4))) score += 0.5
  }
  return score
}
