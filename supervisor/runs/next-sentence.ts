import type { Question } from '@choiros/contract/events/talk.ts'
import { hearAnswer } from '@choiros/core/recipes/answers.ts'

/** A sentence of so many words that no recipe knows is a new wish for a model, not an answer that missed. */
const SENTENCE_WORDS_MIN = 4

/**
 * Reads a sentence as answers to the open questions; null where the person turns to something else. Words that fit
 * nothing are still passed on as an answer: the Director then says so and asks again.
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

/** YYYY-MM-DD in the time zone of this machine. */
export function dayOf(ms: number): string {
  const now = new Date(ms)
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
