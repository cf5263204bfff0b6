import { QuestionAnswer, QuestionAsk, type Question } from '@choiros/contract/catalog.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Draft } from '@choiros/contract/event.ts'
import { labelFrom, type RunId } from '@choiros/contract/ids.ts'
import type { SyscallOutput } from '@choiros/contract/syscalls.ts'
import type { Computer, Machine } from '../computer/computer.ts'
import { agentDraft } from './drafts.ts'

type Answered = SyscallOutput<'question.ask'>

/** What a run asks the person, and what came back. Others wait behind it, so nobody is waited for without an end. */
export interface Questions {
  ask(run: RunId, questions: readonly Question[], signal: AbortSignal): Promise<Answered>
  answer(by: Pick<Draft, 'user' | 'source' | 'via'>, run: RunId, question: string, answers: readonly string[]): Promise<void>
}

/** Long enough to think about it, short enough that what waits behind it is not forgotten. */
export const PATIENCE_MS = 10 * 60 * 1000

interface Open {
  readonly run: RunId
  readonly question: string
  readonly questions: readonly Question[]
  readonly resolve: (answered: Answered) => void
}

export function createQuestions(computer: Computer, machine: Machine, patienceMs = PATIENCE_MS): Questions {
  let open: Open | null = null

  /** Written before the run hears it: what was answered is never asked again. */
  const close = async (asked: Open, answered: Answered, draft: (data: Draft['data']) => Draft): Promise<void> => {
    if (open !== asked) throw new ChoirError('run.unknown', 'nobody waits for this answer any more')
    open = null
    try {
      await computer.writer.submit(() => ({ draft: draft({ question: asked.question, ...answered }) }))
    } catch (error) {
      open = asked // A full disk, say: it can be answered when there is room.
      throw error
    }
    asked.resolve(answered)
  }

  return {
    async ask(run, questions, signal) {
      if (open !== null) throw new ChoirError('syscall.refused', 'one question at a time')
      signal.throwIfAborted()
      const question = labelFrom(machine.randomBytes(16))
      await computer.writer.submit(() => ({ draft: agentDraft(computer, run, QuestionAsk, { question, questions }) }))
      let stop = () => {}
      try {
        return await new Promise<Answered>((resolve, reject) => {
          const asked: Open = { run, question, questions, resolve }
          open = asked
          const aborted = () => reject(signal.reason as Error)
          signal.addEventListener('abort', aborted, { once: true })
          const fallbacks: Answered = { answers: questions.map(({ fallback }) => fallback), by: 'nobody' }
          const timer = setTimeout(() => {
            close(asked, fallbacks, (data) => agentDraft(computer, run, QuestionAnswer, data, 'system')).catch(reject)
          }, patienceMs)
          stop = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', aborted)
          }
          if (signal.aborted) aborted()
        })
      } finally {
        stop()
        open = null
      }
    },
    async answer(by, run, question, answers) {
      const asked = open
      if (asked === null || asked.run !== run || asked.question !== question)
        throw new ChoirError('run.unknown', 'nobody waits for this answer any more')
      if (answers.length !== asked.questions.length)
        throw new ChoirError('request.invalid', `there are ${asked.questions.length} questions, and ${answers.length} answers were given`)
      const whole = asked.questions.map(({ fallback }, index) => answers[index] || fallback)
      const { type, version } = QuestionAnswer
      await close(asked, { answers: whole, by: 'person' }, (data) => ({ type, version, data, ...by, run, cause: null }))
    },
  }
}
