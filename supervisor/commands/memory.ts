import { MemoryAdd, MemoryBack, MemoryCorrect, MemoryForget } from '@choiros/contract/events/notes.ts'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import { labelFrom, NoteId, type Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { MemoryEntry } from '@choiros/contract/memory-view.ts'
import type { Event } from '@choiros/contract/event.ts'
import { projectMemory } from '@choiros/core/memory/memory.ts'
import { clean } from '@choiros/core/memory/said.ts'
import type { Queries } from '../state/queries.ts'
import { userDraft, type ComputerCommand } from './context.ts'

type MemoryCommandName = 'memory.list' | 'memory.add' | 'memory.correct' | 'memory.forget' | 'memory.back'

/** What the person does to the memory. Each decides in the writer's turn, so that two pages cannot cross. */
export const MEMORY_COMMANDS: { readonly [Name in MemoryCommandName]: ComputerCommand<Name> } = {
  'memory.list': async ({ computer }) => projectMemory(computer.queries.notes()),
  'memory.add': async (context, { text, part, topic }) => {
    const note = NoteId.parse(labelFrom(context.machine.randomBytes(16)))
    const event = await context.computer.append(({ state }) => {
      if (state.notesAdded() >= LIMITS.memoryEntriesMax)
        throw new ChoirError('quota.exceeded', 'you have told me as much as I can remember; forget something first')
      return { draft: userDraft(context, MemoryAdd, { note, part, text: clean(text), topic: clean(topic) }) }
    })
    return done(event, note)
  },
  'memory.correct': async (context, { note, text }) => {
    const event = await context.computer.append(({ state }) => {
      if (entryOf(state, note).state === 'forgotten')
        throw new ChoirError('memory.unknown', 'this was forgotten; bring it back first')
      return { draft: userDraft(context, MemoryCorrect, { note, text: clean(text) }) }
    })
    return done(event, note)
  },
  'memory.forget': async (context, { note }) => {
    const event = await context.computer.append(({ state }) => {
      if (entryOf(state, note).state === 'forgotten')
        throw new ChoirError('memory.unknown', 'this was forgotten already')
      return { draft: userDraft(context, MemoryForget, { notes: [note] }) }
    })
    return done(event, note)
  },
  'memory.back': async (context, { note }) => {
    const event = await context.computer.append(({ state }) => {
      const { edit } = entryOf(state, note)
      if (edit === null)
        throw new ChoirError(
          'memory.unknown',
          'you have neither corrected nor forgotten this, so nothing can be taken back',
        )
      return { draft: userDraft(context, MemoryBack, { note, edit }) }
    })
    return done(event, note)
  },
}

function done(event: Event | null, note: string): { seq: Seq; note: string } {
  assert(event !== null, 'a decision that does not throw writes its event')
  return { seq: event.seq, note }
}

function entryOf(state: Pick<Queries, 'notes'>, note: string): MemoryEntry {
  const entry = projectMemory(state.notes()).find((one) => one.note === note)
  if (entry === undefined) throw new ChoirError('memory.unknown', 'nothing of that name is remembered')
  return entry
}
