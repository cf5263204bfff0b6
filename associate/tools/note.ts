import { z } from 'zod'
import { LIMITS } from '@choiros/contract/limits.ts'
import { NoteKind } from '@choiros/contract/memory-view.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { define } from './tool.ts'

const OWN_MAX = 50
const OWN_CHARS_MAX = 2000

/** What a model wants to keep: for this task only, or for good. */
export interface Notes {
  /** Returns all notes of this task, numbered. */
  own(text: string | null): string
  lasting(note: { kind: NoteKind; text: string; topic: string; files: string[] }): Promise<string>
}

export function createNotes(calls: Syscalls): Notes {
  const own: string[] = []
  return {
    own(text) {
      if (text !== null && own.length === OWN_MAX) throw new Error(`you have ${OWN_MAX} notes; that is enough`)
      if (text !== null) own.push(text)
      return own.length === 0
        ? 'you have no notes yet'
        : `Your notes:\n${own.map((one, index) => `${index + 1}. ${one}`).join('\n')}`
    },
    async lasting(note) {
      const { text } = await calls.call('note.add', { run: null, ...note })
      return `kept: ${text}`
    },
  }
}

const LASTING = NoteKind.exclude(['belief', 'aim'])

export const note = define({
  description: `Keeps a note. Without kind it is for you, in this task: with text it is added, without text you are shown them all. With kind it lasts, and later runs are told: observation (you have seen that it is so; name the files it speaks of), hypothesis, conjecture (a guess), hyperthesis (what you know that you do not know), status (how far it has got), request.help, request.verify. Keep for good only what will help later and cannot be read from a file at a glance: a convention of this computer, a trap, where something is. At most ${LIMITS.noteCharsMax} characters.`,
  input: z.strictObject({
    text: z.string().min(1).max(OWN_CHARS_MAX).optional(),
    kind: LASTING.optional(),
    topic: z.string().max(LIMITS.topicCharsMax).optional(),
    files: z.array(z.string().max(LIMITS.pathBytesMax)).max(LIMITS.noteFilesMax).optional(),
  }),
  use({ notes }, { text, kind, topic = '', files = [] }) {
    if (kind === undefined) return notes.own(text ?? null)
    if (text === undefined) throw new Error('say what is to be kept, as text')
    if (text.length > LIMITS.noteCharsMax)
      throw new Error(`a note that lasts has at most ${LIMITS.noteCharsMax} characters`)
    return notes.lasting({ kind, text, topic, files })
  },
})
