import { z } from 'zod'
import { Hash, NoteId, Seq } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { TreePath } from '../path.ts'
import { defineEvent } from './define.ts'

const noteText = z.string().min(1).max(LIMITS.noteCharsMax)
const topic = z.string().max(LIMITS.topicCharsMax)

/**
 * What an agent wants to last. `rests`: what it holds by, besides its run. `event`: the person's message whose words
 * the text is. `tree`: what was verified so far in its run. `files`: the files it speaks of, as they were; null: there
 * was none.
 */
export const Note = z.strictObject({
  note: NoteId,
  text: noteText,
  topic,
  by: z.enum(['director', 'associate']),
  rests: z.strictObject({
    event: Seq.nullable(),
    tree: Hash.nullable(),
    files: z.array(z.strictObject({ path: TreePath, object: Hash.nullable() })).max(LIMITS.noteFilesMax),
  }),
})

/** `of`: what it is about. About the person and their aims only their own words count, so these rest on a message. */
export const NoteObservation = defineEvent(
  'note.observation',
  1,
  Note.extend({ of: z.enum(['computer', 'person', 'aim']) }),
)
export const NoteHypothesis = defineEvent('note.hypothesis', 1, Note)
/** A named blind spot: what the agents know that they do not know. */
export const NoteHyperthesis = defineEvent('note.hyperthesis', 1, Note)
export const NoteConjecture = defineEvent('note.conjecture', 1, Note)
export const NoteStatus = defineEvent('note.status', 1, Note)
export const NoteRequestHelp = defineEvent('note.request.help', 1, Note)
export const NoteRequestVerify = defineEvent('note.request.verify', 1, Note)

/** What the person does to the memory themselves. It wins over whatever an agent says, before or after it. */
export const MemoryAdd = defineEvent(
  'memory.add',
  1,
  z.strictObject({ note: NoteId, part: z.enum(['believe', 'drive']), text: noteText, topic }),
)
export const MemoryCorrect = defineEvent('memory.correct', 1, z.strictObject({ note: NoteId, text: noteText }))
export const MemoryForget = defineEvent(
  'memory.forget',
  1,
  z.strictObject({ notes: z.array(NoteId).min(1).max(LIMITS.memoryEntriesMax) }),
)
/** Takes a correction or a forgetting of one entry back: it is there again, and says what it said. */
export const MemoryBack = defineEvent('memory.back', 1, z.strictObject({ note: NoteId, edit: Seq }))

export const NOTES_EVENTS = [
  NoteObservation,
  NoteHypothesis,
  NoteHyperthesis,
  NoteConjecture,
  NoteStatus,
  NoteRequestHelp,
  NoteRequestVerify,
  MemoryAdd,
  MemoryCorrect,
  MemoryForget,
  MemoryBack,
]
