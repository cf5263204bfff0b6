import { z } from 'zod'
import { ConversationId, Hash, QuestionId } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { defineEvent, sentence, shortText } from './define.ts'

/** By the home's signing key, over canonical bytes; `key` is the public half. */
export const Signature = z.strictObject({ key: z.string().max(500), value: z.string().max(500) })
export type Signature = z.infer<typeof Signature>

/** One recipe with the parameters it is to be followed with. */
export const Wish = z.strictObject({
  recipe: shortText,
  parameters: z.record(shortText, z.union([z.string().max(LIMITS.messageBytesMax), z.number(), z.boolean()])),
})
export type Wish = z.infer<typeof Wish>

/** Not written any more: a computer has one talk. Logs of the first release may hold it. */
const ConversationStart = defineEvent(
  'conversation.start',
  1,
  z.strictObject({ conversation: ConversationId, title: shortText }),
)
const MESSAGE_SHAPE = {
  role: z.enum(['user', 'director', 'system']),
  text: sentence,
  object: Hash.nullable(), // the whole text where it is longer than `text` may be
  signature: Signature.nullable(), // by the supervisor, over what the Director said; a person's own words carry none
  wishes: z.array(Wish).max(LIMITS.wishesMax), // What was chosen from the menu: here no words need to be guessed at.
}
const FirstMessage = defineEvent('message', 1, z.strictObject({ conversation: ConversationId, ...MESSAGE_SHAPE }))
/** `offers`: sentences of the text that the person may have meant, and can ask for with a click. */
export const Offers = z.array(shortText.min(1)).max(LIMITS.offersMax)
const SecondMessage = defineEvent(
  'message',
  2,
  z.strictObject({ conversation: ConversationId, ...MESSAGE_SHAPE, offers: Offers }),
)
export const Message = defineEvent('message', 3, z.strictObject({ ...MESSAGE_SHAPE, offers: Offers }))

const FirstQuestion = z.strictObject({
  text: sentence.min(1),
  choices: z.array(shortText).max(6),
  fallback: shortText.min(1),
})
const FirstQuestionAsk = defineEvent(
  'question.ask',
  1,
  z.strictObject({ question: QuestionId, questions: z.array(FirstQuestion).min(1).max(LIMITS.questionsMax) }),
)
/** Which value of which recipe an answer is for. */
export const Slot = z.strictObject({ recipe: shortText.min(1), field: shortText.min(1) })
export type Slot = z.infer<typeof Slot>
/**
 * Something that the Director cannot choose for the person. `fallback`: what is taken without an answer, shown beside
 * the question; empty: nothing is. `slot`: the value that a recipe lacks; null where a model asks, to which any words
 * are an answer.
 */
export const Question = z.strictObject({
  text: sentence.min(1),
  choices: z.array(shortText.min(1)).max(LIMITS.choicesMax),
  fallback: shortText,
  slot: Slot.nullable(),
})
export type Question = z.infer<typeof Question>
export const QuestionAsk = defineEvent(
  'question.ask',
  2,
  z.strictObject({ question: QuestionId, questions: z.array(Question).min(1).max(LIMITS.questionsMax) }),
)
const answers = z.array(sentence).min(1).max(LIMITS.questionsMax)
const FirstQuestionAnswer = defineEvent(
  'question.answer',
  1,
  z.strictObject({ question: QuestionId, answers, by: z.enum(['person', 'nobody']) }),
)
/**
 * `nobody`: no answer came in time, and the fallbacks were taken. `withdrawn`: the person said something else instead,
 * which then stands in `answers`.
 */
export const AnsweredBy = z.enum(['person', 'nobody', 'withdrawn'])
/** One answer to each of the questions. */
export const QuestionAnswer = defineEvent(
  'question.answer',
  2,
  z.strictObject({ question: QuestionId, answers, by: AnsweredBy }),
)

export const TALK_EVENTS = [
  ConversationStart,
  FirstMessage,
  SecondMessage,
  Message,
  FirstQuestionAsk,
  QuestionAsk,
  FirstQuestionAnswer,
  QuestionAnswer,
]
