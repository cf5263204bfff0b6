import { z } from 'zod'
import { Offers, Question } from './events/talk.ts'
import { Hash, QuestionId, RunId, Seq } from './ids.ts'
import { RunMood } from './policy.ts'

export const RunStatus = z.enum(['queued', 'running', 'landed', 'answered', 'discarded', 'cancelled', 'reverted'])
export type RunStatus = z.infer<typeof RunStatus>

/** A run as it is shown: what was asked for, what became of it, and what it waits for. */
export const RunView = z.strictObject({
  run: RunId,
  text: z.string(),
  status: RunStatus,
  /** Why it ended as it did; null while it goes on, and for a run that simply landed. */
  reason: z.string().nullable(),
  /** What the Director said last. */
  reply: z.string().nullable(),
  /** Sentences of the reply that can be asked for as they stand. */
  offers: Offers,
  asked: Seq,
  /** The event that landed it. */
  landed: Seq.nullable(),
  /** Whether its landing was taken back by an undo. */
  undone: z.boolean(),
  health: z.enum(['ok', 'bad', 'unknown']).nullable(),
  askedMs: z.number().int(),
  endedMs: z.number().int().nullable(),
  /** The questions that it waits for an answer to. */
  asking: z.strictObject({ question: QuestionId, questions: z.array(Question) }).nullable(),
  /** What it has left behind without landing; it can be gone on with. */
  draft: z.strictObject({ draft: Hash, files: z.number().int() }).nullable(),
  /** Null until it begins, and for runs from before there were moods. */
  mood: RunMood.nullable(),
})
export type RunView = z.infer<typeof RunView>
