import { type DataOf } from '@choiros/contract/catalog.ts'
import { RunAnswer, RunCancel, RunDiscard } from '@choiros/contract/events/runs.ts'
import { Message } from '@choiros/contract/events/talk.ts'
import { clip } from '@choiros/contract/clip.ts'
import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { isOver } from '@choiros/core/everywhere/run-projection.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Computer } from '../computer/computer.ts'
import { agentDraft } from '../computer/drafts.ts'
import type { Machine } from '../computer/machine.ts'
import { PERSON_RESERVE_BYTES } from '../computer/room.ts'
import { directorsWords } from '../signing/signing.ts'
import { objectsOf } from './land.ts'
import type { RunAtWork } from './run.ts'

const REASON_CHARS_MAX = 4000

/**
 * The reason to stop a run. It is expected: calls that are still on their way inside are refused with it, and nobody is
 * warned.
 */
export class Stopped extends ChoirError {
  readonly by: DataOf<typeof RunCancel>['by']
  constructor(message: string, by: Stopped['by']) {
    super('syscall.refused', message)
    this.by = by
  }
}

/** The ways in which a run ends without landing (L4), and what is said to the person about it. */
export interface RunEnds {
  /** Resolves with null if the run had ended already, or landed in this very moment. */
  cancel(run: RunId, why: Stopped): Promise<unknown>
  discard(run: RunId, reason: string): Promise<unknown>
  answered(run: RunId): Promise<unknown>
  /** After an error, or because it was stopped. */
  giveUp(run: RunId, error: unknown, at: RunAtWork | null): Promise<void>
  /** ChoirOS speaks for itself where the Director has no last word. */
  note(run: RunId, text: string): Promise<void>
  /** The Director's words, signed: nobody else speaks to the person in its name. */
  say(run: RunId, words: string, offers: readonly string[]): Promise<void>
}

export function createRunEnds(computer: Computer, machine: Machine): RunEnds {
  const discardWith = (run: RunId, reason: string, objects: readonly ObjectBytes[]) =>
    computer.append(
      ({ state }) =>
        state.run(run)?.status === 'running'
          ? {
              draft: agentDraft(computer, run, RunDiscard, { reason: clip(reason, REASON_CHARS_MAX) }, 'system'),
              objects,
            }
          : null,
      PERSON_RESERVE_BYTES,
    )
  const cancel: RunEnds['cancel'] = (run, { message: reason, by }) =>
    computer.append(({ state }) => {
      const known = state.run(run)
      return known === null || isOver(known)
        ? null
        : { draft: agentDraft(computer, run, RunCancel, { reason, by }, 'system') }
    }, PERSON_RESERVE_BYTES)
  const note: RunEnds['note'] = async (run, text) => {
    const said = { role: 'system' as const, text: clip(text, REASON_CHARS_MAX), signature: null, offers: [] }
    await computer.append(() => ({
      draft: agentDraft(computer, run, Message, { ...EMPTY_MESSAGE, ...said }, 'system'),
    }))
  }

  return {
    cancel,
    discard: (run, reason) => discardWith(run, reason, []),
    answered: (run) =>
      computer.append(({ state }) =>
        state.run(run)?.status === 'running' ? { draft: agentDraft(computer, run, RunAnswer, {}, 'system') } : null,
      ),
    async giveUp(run, error, at) {
      if (error instanceof Stopped) return void (await cancel(run, error))
      if (!(error instanceof ChoirError)) machine.warn('a run failed in a way nobody foresaw', error)
      const why =
        error instanceof ChoirError ? error.message : 'something went wrong inside ChoirOS; nothing was changed'
      // The content of a run that conflicted with the person's own work is kept: its tool results name it by hash.
      await discardWith(run, why, at !== null && hasCode(error, 'run.refused') ? objectsOf(at.staged) : [])
      await note(run, `This could not be done: ${why}`)
    },
    note,
    async say(run, words, given) {
      const text = clip(words, LIMITS.messageBytesMax)
      const offers = [...given]
      const signature = machine.signer.sign(directorsWords({ computer: computer.id, run, text, offers }))
      const said = { role: 'director' as const, text, signature, offers }
      await computer.append(() => ({ draft: agentDraft(computer, run, Message, { ...EMPTY_MESSAGE, ...said }) }))
      machine.reached('run.reply.after')
    },
  }
}

const EMPTY_MESSAGE = { object: null, wishes: [] }
