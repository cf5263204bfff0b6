import { z } from 'zod'
import { NoteId, RunId, Seq } from './ids.ts'
import { LIMITS } from './limits.ts'

/**
 * The parts of the memory. `believe`: what the person said of themselves; `drive`: what they are after, and what is
 * still to be done; `assert`: what is noted of files that landed verified and stand; `hypothesize`: what is supposed;
 * `hyperthesis`: named blind spots; `conjecture`: guesses.
 */
export const MemoryPart = z.enum(['believe', 'drive', 'assert', 'hypothesize', 'hyperthesis', 'conjecture'])
export type MemoryPart = z.infer<typeof MemoryPart>

/**
 * `fallen`: what it rests on was taken back or is not as it was. `aside`: the person, or newer words, say otherwise.
 * Only what stands is told to agents.
 */
const MemoryState = z.enum(['stands', 'fallen', 'aside', 'forgotten'])

/** One thing that is remembered, and where it came from. */
export const MemoryEntry = z.strictObject({
  note: NoteId,
  part: MemoryPart,
  text: z.string(),
  topic: z.string(),
  state: MemoryState,
  /** Why it is in that state and that part, for the person. */
  why: z.string(),
  by: z.enum(['person', 'director', 'associate']),
  time: z.number().int(),
  /** The event it came with. */
  seq: Seq,
  run: RunId.nullable(),
  /** What was asked for in that run. */
  asked: z.string().nullable(),
  files: z.array(z.string()),
  /** What it said before the person corrected it. */
  was: z.string().nullable(),
  /** The person's last edit of it that still counts: taking that back is possible. */
  edit: Seq.nullable(),
  /** It came with an import, and the person has not said that it is so. */
  imported: z.boolean(),
})
export type MemoryEntry = z.infer<typeof MemoryEntry>

/** An entry as agents are told of it. */
export const Remembered = z.strictObject({
  part: MemoryPart,
  text: z.string().max(LIMITS.noteCharsMax),
  topic: z.string().max(LIMITS.topicCharsMax),
  by: z.enum(['person', 'director', 'associate']),
  /** What was asked for when it was learnt; empty where nothing was. */
  asked: z.string(),
})
export type Remembered = z.infer<typeof Remembered>

/** What an agent may propose. `belief` and `aim`: a sentence of the person's own, word for word. */
export const NoteKind = z.enum([
  'observation',
  'hypothesis',
  'hyperthesis',
  'conjecture',
  'status',
  'request.help',
  'request.verify',
  'belief',
  'aim',
])
export type NoteKind = z.infer<typeof NoteKind>
