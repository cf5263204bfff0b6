import { NoteKind, type MemoryEntry } from '@choiros/contract/memory-view.ts'
import { askedOf, type Script } from '../support/scripted-model.ts'

export const NOTED_WISH = 'tell me about the weather on the moon. The moon has no weather of mine'

/** A note of every kind, and then an answer. */
export const noteEverything: Script = (request) => {
  if (askedOf(request).turn > 0) return { text: 'There is none.' }
  return {
    uses: NoteKind.options.map((kind) => ({
      name: 'remember',
      input: {
        kind,
        text: kind === 'belief' || kind === 'aim' ? 'The moon has no weather' : `By ${kind}: the moon is still`,
        topic: `moon ${kind}`,
        files: kind === 'observation' ? ['app/main.tsx'] : [],
      },
    })),
  }
}

/** What a person does to what is remembered. */
export async function editMemory(run: (args: readonly string[]) => Promise<string>): Promise<void> {
  await run(['memory', 'add', 'I work at night'])
  const [{ note } = { note: '' }] = JSON.parse(await run(['memory', '--json'])) as MemoryEntry[]
  await run(['memory', 'correct', note, 'I work by day'])
  await run(['memory', 'forget', note])
  await run(['memory', 'back', note])
}
