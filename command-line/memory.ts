import { ChoirError } from '@choiros/contract/error.ts'
import { NoteId } from '@choiros/contract/ids.ts'
import type { MemoryEntry } from '@choiros/contract/memory-view.ts'
import { take } from './arguments.ts'
import type { Client } from './client.ts'
import type { Command } from './command.ts'
import { given } from './given.ts'
import { inOneLine } from './text.ts'

const PARTS: Readonly<Record<MemoryEntry['part'], string>> = {
  believe: 'about you',
  drive: 'what you are after',
  assert: 'known',
  hypothesize: 'supposed',
  hyperthesis: 'blind spots',
  conjecture: 'guesses',
}

/** What is remembered, and the person's own hand in it. */
export const memory: Command = async ({ client, positionals, show }) => {
  const [action = 'list', ...rest] = positionals
  switch (action) {
    case 'list': {
      take(rest, [])
      const entries = await client.run('memory.list', {})
      return show(entries, entries.length === 0 ? NOTHING : listText(entries))
    }
    case 'add': {
      const [text = ''] = take(rest, ['"WHAT TO REMEMBER"'])
      const done = await client.run('memory.add', { text, part: 'believe', topic: '' })
      return show(done, `remembered as ${done.note}`)
    }
    case 'correct': {
      const [note = '', text = ''] = take(rest, ['NOTE', '"WHAT IT SHOULD SAY"'])
      const done = await client.run('memory.correct', { note: await noteOf(client, note), text })
      return show(done, `corrected; "choir memory back ${done.note}" takes this back`)
    }
    case 'forget': {
      const [note = ''] = take(rest, ['NOTE'])
      const done = await client.run('memory.forget', { note: await noteOf(client, note) })
      return show(done, `forgotten; "choir memory back ${done.note}" brings it back`)
    }
    case 'back': {
      const [note = ''] = take(rest, ['NOTE'])
      const done = await client.run('memory.back', { note: await noteOf(client, note) })
      return show(done, 'it is as it was before')
    }
    default:
      throw new ChoirError(
        'request.invalid',
        `memory has no ${JSON.stringify(action.slice(0, 40))}; say list, add, correct, forget or back`,
      )
  }
}

const NOTHING = 'nothing is remembered yet; "choir memory add" tells something, and so does “I prefer …” in a prompt'

function listText(entries: readonly MemoryEntry[]): string {
  const groups = (Object.keys(PARTS) as MemoryEntry['part'][]).map((part) => ({
    title: PARTS[part],
    of: entries.filter((entry) => entry.part === part && entry.state === 'stands'),
  }))
  const others = entries.filter(({ state }) => state !== 'stands')
  return [...groups, { title: 'not used any more', of: others }]
    .filter(({ of }) => of.length > 0)
    .map(({ title, of }) => [title, ...of.map(entryText)].join('\n'))
    .join('\n\n')
}

function entryText({ note, text, state, why, asked }: MemoryEntry): string {
  const source = `${state === 'stands' ? '' : `${state}: `}${why}${asked === null || asked === '' ? '' : `; from “${asked}”`}`
  return `  ${note}  ${inOneLine(text)}\n${' '.repeat(4)}(${inOneLine(source)})`
}

/** By its name or its beginning, where that means one only. */
async function noteOf(client: Client, said: string): Promise<string> {
  const known = (await client.run('memory.list', {})).map(({ note }) => note)
  const found = known.includes(said) ? [said] : known.filter((note) => said.length > 3 && note.startsWith(said))
  return found.length === 1 ? (found[0] as string) : given(NoteId, said)
}
