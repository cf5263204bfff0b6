import type { Wish } from '@choiros/contract/events/talk.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import { readAnswer } from '@choiros/core/recipes/answers.ts'
import type { Language } from '@choiros/core/recipes/languages/language.ts'
import { inLanguage, valueIn } from '@choiros/core/recipes/languages/phrasebook.ts'
import type { Missing } from '@choiros/core/recipes/understand.ts'
import { isWithdrawal } from '@choiros/core/recipes/withdraw.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { languageIn } from './words.ts'

export interface Answered {
  readonly wishes: readonly Wish[]
  readonly notes: readonly string[]
  /** Why not all of it was answered; null: it was. */
  readonly why: string | null
}

/** How often something is asked again when the answer does not fit. */
const TRIES_MAX = 3
const SAID_CHARS_MAX = 60

interface Open extends Missing {
  /** The last answer, which did not fit. */
  readonly misfit: string | null
}

/**
 * Asks the person for what the recipes still need, in the same form as a model does. Without an answer nothing is
 * chosen for them.
 */
export async function askFor(
  order: WorkOrder,
  asks: readonly Missing[],
  calls: Syscalls,
  today: string,
): Promise<Answered> {
  const wishes: Wish[] = []
  let open: readonly Open[] = asks.slice(0, LIMITS.questionsMax).map((ask) => ({ ...ask, misfit: null }))
  for (let tries = 0; tries < TRIES_MAX && open.length > 0; tries++) {
    const { answers, by } = await calls.call('question.ask', {
      run: order.run,
      questions: open.map((ask) => questionOf(ask, languageIn(order))),
    })
    if (by === 'nobody')
      return { wishes, notes: ['Nobody answered, so I left that as it was.'], why: 'nobody answered' }
    if (by === 'withdrawn') {
      const said = answers[0] ?? ''
      return {
        wishes,
        notes: [withdrawnWords(said)],
        why: isWithdrawal(said, true) ? 'you took it back' : 'you asked for something else',
      }
    }
    const misfits: Open[] = []
    for (const [index, ask] of open.entries()) {
      const said = answers[index] ?? ''
      const read = readAnswer(ask, said, ask.parameters, today)
      if (read === null) misfits.push({ ...ask, misfit: said })
      else wishes.push(...read)
    }
    open = misfits
  }
  const notes = open.map(
    ({ misfit }) => `I could not make anything of “${short(misfit ?? '')}”, so I left that as it was.`,
  )
  return { wishes, notes, why: open.length === 0 ? null : 'the answer was not understood' }
}

export function withdrawnWords(said: string): string {
  return isWithdrawal(said, true) ? 'All right.' : 'You asked for something else instead, so I left this as it was.'
}

function questionOf({ recipe, field, question, choices, misfit }: Open, language: Language) {
  const text = misfit === null || misfit.trim() === '' ? question : `“${short(misfit)}” does not fit here. ${question}`
  const shown = choices.slice(0, LIMITS.choicesMax).map((choice) => valueIn(choice, language))
  return { text: inLanguage(text, language), choices: shown, fallback: '', slot: { recipe, field } }
}

function short(text: string): string {
  return text.length > SAID_CHARS_MAX ? `${text.slice(0, SAID_CHARS_MAX - 1).toWellFormed()}…` : text
}
