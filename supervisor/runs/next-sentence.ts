import type { Question } from '@choiros/contract/events/talk.ts'
import { hearAnswer } from '@choiros/core/recipes/answers.ts'

/** From so many words on, what no recipe knows is a new wish to a model and no answer that missed. */
const SENTENCE_WORDS_MIN = 4

/**
 * What a sentence is to the questions that are open: the answers to them, or null where the person turns to something
 * else. What fits nothing is still handed on as an answer: the Director then says so and asks again.
 */
export function answersIn(
  questions: readonly Question[],
  text: string,
  today: string,
  hasModel: boolean,
): string[] | null {
  const heard = questions.map((question) => hearAnswer(question, text, today))
  const isSentence = text.trim().split(/\s+/).length >= SENTENCE_WORDS_MIN
  if (heard.includes('withdrawal') || heard.includes('wish'))
    return heard.includes('answer') && questions.length === 1 ? [text] : null
  if (!heard.includes('answer') && hasModel && isSentence) return null
  return questions.map(() => text)
}

/** YYYY-MM-DD where the computer is. */
export function dayOf(ms: number): string {
  const now = new Date(ms)
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
