import { type DataOf } from '@choiros/contract/catalog.ts'
import { QuestionAnswer, QuestionAsk, type Question } from '@choiros/contract/events/talk.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Draft } from '@choiros/contract/event.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { labelFrom, type EventId, type RunId } from '@choiros/contract/ids.ts'
import type { SyscallOutput } from '@choiros/contract/syscalls.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import { agentDraft } from '../computer/drafts.ts'

type Answered = SyscallOutput<'question.ask'>

/** What a run asks the person, and the answers. Other runs wait behind it, so it does not wait for ever. */
export interface Questions {
  ask(run: RunId, questions: readonly Question[], signal: AbortSignal): Promise<Answered>
  answer(
    by: Pick<Draft, 'user' | 'source' | 'via'>,
    run: RunId,
    question: string,
    answers: readonly string[],
  ): Promise<void>
  /** The person turned to something else: `said` is what they said. */
  withdraw(by: Pick<Draft, 'user' | 'source' | 'via'>, question: string, said: string): Promise<void>
  /** The questions that wait for an answer now. */
  open(): { readonly run: RunId; readonly question: string; readonly questions: readonly Question[] } | null
}

/** Long enough to think about the answer, and short enough that the person remembers what waits behind it. */
const PATIENCE_MS = 10 * 60 * 1000

interface Open {
  readonly run: RunId
  readonly question: string
  readonly questions: readonly Question[]
  readonly cause: EventId | null
  /** The run's: once it aborts, nobody waits for the answer. */
  readonly signal: AbortSignal
  readonly resolve: (answered: Answered) => void
}

export function createQuestions(computer: Computer, machine: Machine, patienceMs = PATIENCE_MS): Questions {
  let open: Open | null = null
  let isWriting = false
  /** Of the run that asked last: they come one after the other. */
  let asked: { readonly run: RunId; times: number } | null = null

  /** The answer is written before the run hears it, so that nothing answered is asked again. */
  const close = async (
    closing: Open,
    answered: Answered,
    draft: (data: DataOf<typeof QuestionAnswer>) => Draft,
  ): Promise<void> => {
    if (open !== closing) throw new ChoirError('run.unknown', 'this question is not waiting for an answer any more')
    open = null
    try {
      await computer.append(() => ({ draft: draft({ question: closing.question, ...answered }) }))
    } catch (error) {
      // A full disk, for example: it can be answered when there is room, as long as the run waits for it.
      if (!closing.signal.aborted) open = closing
      throw error
    }
    closing.resolve(answered)
  }

  const openOne = (question: string): Open => {
    if (open === null || open.question !== question)
      throw new ChoirError('run.unknown', 'this question is not waiting for an answer any more')
    return open
  }
  const drafted =
    (by: Pick<Draft, 'user' | 'source' | 'via'>, { run, cause }: Open) =>
    (data: Draft['data']) => {
      const { type, version } = QuestionAnswer
      return { type, version, data, ...by, run, cause }
    }

  /** One at a time, also of those that come while it is written: whoever asks is not to be trusted with that. */
  const write = async (run: RunId, question: string, questions: readonly Question[]): Promise<EventId | null> => {
    if (open !== null || isWriting) throw new ChoirError('syscall.refused', 'one question at a time')
    if (asked?.run !== run) asked = { run, times: 0 }
    if (++asked.times > LIMITS.asksPerRunMax)
      throw new ChoirError('syscall.refused', 'this run has asked as often as it may: go on with what is known')
    isWriting = true
    try {
      const event = await computer.append(() => ({
        draft: agentDraft(computer, run, QuestionAsk, { question, questions: [...questions] }),
      }))
      return event?.id ?? null
    } finally {
      isWriting = false
    }
  }

  return {
    open: () => open,
    async withdraw(by, question, said) {
      const left = openOne(question)
      await close(left, { answers: left.questions.map(() => said), by: 'withdrawn' }, drafted(by, left))
    },
    async ask(run, questions, signal) {
      signal.throwIfAborted()
      const question = labelFrom(machine.randomBytes(16))
      const cause = await write(run, question, questions)
      let stop = () => {}
      try {
        return await new Promise<Answered>((resolve, reject) => {
          const now: Open = { run, question, questions, cause, signal, resolve }
          open = now
          const aborted = () => reject(signal.reason as Error)
          signal.addEventListener('abort', aborted, { once: true })
          const fallbacks: Answered = { answers: questions.map(({ fallback }) => fallback), by: 'nobody' }
          const timer = setTimeout(() => {
            close(now, fallbacks, (data) => agentDraft(computer, run, QuestionAnswer, data, 'system', cause)).catch(
              reject,
            )
          }, patienceMs)
          stop = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', aborted)
          }
          if (signal.aborted) aborted()
        })
      } finally {
        stop()
        if (open?.question === question) open = null
      }
    },
    async answer(by, run, question, answers) {
      const to = openOne(question)
      if (to.run !== run) throw new ChoirError('run.unknown', 'this question is not waiting for an answer any more')
      if (answers.length !== to.questions.length)
        throw new ChoirError(
          'request.invalid',
          `there are ${to.questions.length} questions, and ${answers.length} answers were given`,
        )
      const whole = to.questions.map(({ fallback }, index) => answers[index] || fallback)
      const empty = to.questions.find((_, index) => whole[index] === '')
      if (empty !== undefined) throw new ChoirError('request.invalid', `an answer is missing: ${empty.text}`)
      await close(to, { answers: whole, by: 'person' }, drafted(by, to))
    },
  }
}
