import { z } from 'zod'
import { LIMITS } from '@choiros/contract/limits.ts'
import { NoteKind } from '@choiros/contract/memory-view.ts'
import type { Wish } from '@choiros/contract/events/talk.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import { isSameText } from '@choiros/core/memory/same-matter.ts'
import { knownWords } from '@choiros/core/memory/words.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { NOTHING_TO_STOP } from './words.ts'

/** The model's tool for what is to last. */
export const REMEMBER_INPUT = z.strictObject({
  kind: NoteKind,
  text: z.string().min(1).max(LIMITS.noteCharsMax),
  topic: z.string().max(LIMITS.topicCharsMax).optional(),
  files: z.array(z.string().max(LIMITS.pathBytesMax)).max(LIMITS.noteFilesMax).optional(),
})

export const REMEMBER_DESCRIPTION = `Keeps something for later runs, in at most ${LIMITS.noteCharsMax} characters. belief: what the person says of themselves, in their own words, as they stand in this talk (a whole sentence); aim: the same for what they are after. About the computer: observation (name the files), hypothesis, conjecture, hyperthesis (a blind spot), status, request.help, request.verify. topic: one or two words, the same for the same matter. Keep only what will still help in a month.`

export async function remember(
  calls: Syscalls,
  run: WorkOrder['run'],
  { kind, text, topic = '', files = [] }: z.infer<typeof REMEMBER_INPUT>,
): Promise<string> {
  try {
    const kept = await calls.call('note.add', { run, kind, text, topic, files })
    return `kept: ${kept.text}`
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

const SHOWN_MAX = 5

/** What is said about the memory without a model: what was kept, what was forgotten, what is known. */
export async function aboutMemory(
  { run, context: { memory } }: WorkOrder,
  wishes: readonly Wish[],
  kept: readonly string[],
  calls: Syscalls,
): Promise<string[]> {
  const asked = wishes.flatMap(({ recipe, parameters }) => (recipe === 'remember' ? [String(parameters['text'])] : []))
  const words = [...new Set([...asked, ...kept])].map((text) =>
    memory.some((entry) => isSameText(entry.text, text))
      ? `I will remember: “${text}”`
      : `I have no room left to remember “${text}”; forget something in Memory first.`,
  )
  if (wishes.some(({ recipe }) => recipe === 'forget')) {
    const isBare = wishes.some(({ recipe, parameters }) => recipe === 'forget' && parameters['what'] === undefined)
    words.push(forgotWords((await calls.call('memory.obey', { run })).forgot, isBare))
  }
  if (wishes.some(({ recipe }) => recipe === 'known')) words.push(knownWords(memory))
  return words
}

function forgotWords(forgot: readonly string[], isBare: boolean): string {
  if (forgot.length === 0)
    return isBare ? NOTHING_TO_STOP : 'I remember nothing about that, so there is nothing to forget.'
  const shown = forgot.slice(0, SHOWN_MAX).map((text) => `“${text}”`)
  const more = forgot.length > SHOWN_MAX ? ` and ${forgot.length - SHOWN_MAX} more` : ''
  return `I have forgotten ${shown.join(', ')}${more}. Memory can bring it back.`
}
