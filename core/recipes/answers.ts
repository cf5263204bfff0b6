import type { Slot, Wish } from '@choiros/contract/events/talk.ts'
import type { Recipe } from './recipe.ts'
import { findRecipe, RECIPES, wishProblem } from './recipes.ts'
import { inEnglish, understand, type Found } from './understand.ts'
import { isWithdrawal } from './withdraw.ts'

/** Words around an answer: "make it green", "I'd like the aurora one", "the bottom, please". */
const BEFORE =
  /^(?:(?:please|ok|okay|yes|yeah|sure|well|um|hmm|oh|maybe|perhaps|then|just|make it|make that|make them|set it to|change it to|turn it|use|take|choose|pick|try|put it|move it|it should be|i(?:'|’)?d (?:like|prefer|rather have)|i would (?:like|prefer)|i(?:'|’)?ll take|i want|let(?:'|’)?s (?:use|take|have|try|go with)|go (?:with|for)|how about|what about|give me)(?=[\s,:])[\s,:]*)+/i
const AFTER = /(?:[\s,]+(?:please|thanks|thank you|then|one|will do|would be (?:nice|good|great|fine)))+[\s.!]*$/i

/**
 * The wishes in an answer to a recipe's question: the wish that was incomplete, and what else was said with it. Null if
 * it is no answer.
 */
export function readAnswer(slot: Slot, text: string, known: Wish['parameters'], today: string): Wish[] | null {
  const recipe = findRecipe(slot.recipe)
  if (recipe?.complete === undefined || text.trim() === '') return null
  const said = [text.trim(), ...(isOwnWords(slot) ? [] : [inEnglish(text.trim(), RECIPES)])]
  const sentences = [...new Set(said.flatMap((one) => [one.replace(BEFORE, '').replace(AFTER, ''), one]))]
    .filter((one) => one !== '')
    .flatMap((one) => [{ sentence: recipe.complete!(one), language: 'en' as const }, { sentence: one }])
  for (const recipes of [[recipe], RECIPES]) {
    for (const { sentence, language } of sentences) {
      const wishes = wholeWishes(understand(sentence, recipes, today, language), recipe)
      if (wishes === null) continue
      const [first, ...others] = wishes
      // What was said at first stays: a birthday on Christmas is still a birthday.
      const whole = { recipe: recipe.name, parameters: { ...first!.parameters, ...known } }
      if (wishProblem(whole) === null) return [whole, ...others]
    }
  }
  return null
}

function wholeWishes(found: Found, { name }: Recipe): Wish[] | null {
  const { wishes, asks, says, negated, sayings, leftovers } = found
  const isWhole = [asks, says, negated, sayings, leftovers].every(({ length }) => length === 0)
  return isWhole && wishes[0]?.recipe === name ? wishes.map(({ recipe, parameters }) => ({ recipe, parameters })) : null
}

/**
 * What the next sentence is to an open question. `unclear`: neither an answer that fits nor anything else that is
 * known.
 */
export type Heard = 'answer' | 'withdrawal' | 'wish' | 'unclear'

/** Slots whose answer may be any words: even there, a sentence that is plainly a wish counts as a wish. */
const FREE = new Set(['document.text'])

/** Slots whose answer is a name or a text of the person's own, in whatever language. */
const OWN_WORDS = new Set(['document.text', 'restore.name'])

function isOwnWords({ recipe, field }: Slot): boolean {
  return OWN_WORDS.has(`${recipe}.${field}`)
}

/**
 * A model's question takes any words (`slot` is null); even so, a sentence that is plainly something else is not taken
 * as the answer.
 */
export function hearAnswer(
  question: { readonly slot: Slot | null; readonly choices: readonly string[] },
  text: string,
  today: string,
): Heard {
  if (question.choices.some((choice) => choice.toLowerCase() === text.trim().toLowerCase())) return 'answer'
  if (isWithdrawal(text, true)) return 'withdrawal'
  const { slot } = question
  const isAnswer = slot === null || readAnswer(slot, text, {}, today) !== null
  const takesAnything = slot === null || FREE.has(`${slot.recipe}.${slot.field}`)
  if (isAnswer && !takesAnything) return 'answer'
  if (isPlainWish(text, today, takesAnything)) return 'wish'
  return isAnswer ? 'answer' : 'unclear'
}

/**
 * Understood to its last word. If any words may be an answer, it must also begin like a wish: "dark" may be anything,
 * "make it dark" is a wish.
 */
function isPlainWish(text: string, today: string, isFree: boolean): boolean {
  const { wishes, asks, says, negated, sayings, leftovers } = understand(text, RECIPES, today)
  if (leftovers.length > 0) return false
  const count = wishes.length + asks.length + says.length + negated.length + sayings.length
  return (
    count > 0 &&
    (!isFree ||
      /^\W*(please |can you |could you )?(make|set|change|add|remove|delete|move|put|turn|switch|use|undo|redo|save|show|give|create|write|open|how)\b/i.test(
        inEnglish(text, RECIPES),
      ))
  )
}
