import { z } from 'zod'
import { NoteId, Seq } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { MemoryEntry } from '../memory-view.ts'
import { change, type Command, look, owner, unicode } from './command.ts'

const text = unicode.trim().min(1).max(LIMITS.noteCharsMax)
const done = z.strictObject({ seq: Seq, note: NoteId })

/**
 * What is remembered. A page of the desktop may look; what it wants changed it asks the frame for, and the person
 * grants it there: words that steer every later run must be the person's own.
 */
export const MEMORY_COMMANDS = {
  /** Newest first, with what has fallen, was set aside or forgotten. */
  'memory.list': {
    ...look,
    input: z.strictObject({}),
    output: z.array(MemoryEntry),
  },
  'memory.add': {
    ...change,
    from: owner,
    input: z.strictObject({
      text,
      part: z.enum(['believe', 'drive']).default('believe'),
      topic: unicode.trim().max(LIMITS.topicCharsMax).default(''),
    }),
    output: done,
  },
  /** From then on it says this, and is the person's word. */
  'memory.correct': {
    ...change,
    from: owner,
    input: z.strictObject({ note: NoteId, text }),
    output: done,
  },
  'memory.forget': {
    ...change,
    from: owner,
    input: z.strictObject({ note: NoteId }),
    output: done,
  },
  /** Takes back what the person last did to an entry: forgetting or correcting it. */
  'memory.back': {
    ...change,
    from: owner,
    input: z.strictObject({ note: NoteId }),
    output: done,
  },
} as const satisfies Record<string, Command>
