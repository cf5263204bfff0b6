import { run } from './ask.ts'
import type { MemoryEntry } from './contract.ts'
import { fail, say, textNode } from './page.ts'

/**
 * A page of the desktop may ask that something be remembered, corrected, forgotten or brought back; only the person
 * grants it, here: what is remembered steers every later run. The frame asks the supervisor itself what an entry says.
 */
export type MemoryEdit =
  | { readonly does: 'add'; readonly text: string }
  | { readonly does: 'correct'; readonly note: string; readonly text: string }
  | { readonly does: 'forget' | 'back'; readonly note: string }

const ID_CHARS_MAX = 64
const TEXT_CHARS_MAX = 500

export function memoryEditOf(data: unknown): MemoryEdit | null {
  const { memory } = (data ?? {}) as { memory?: { does?: unknown; note?: unknown; text?: unknown } | null }
  if (typeof memory !== 'object' || memory === null) return null
  const { does, note, text } = memory
  const said = typeof text === 'string' && text.trim() !== '' && text.length <= TEXT_CHARS_MAX ? text : null
  if (does === 'add') return said === null ? null : { does, text: said }
  if (typeof note !== 'string' || note.length > ID_CHARS_MAX) return null
  if (does === 'correct') return said === null ? null : { does, note, text: said }
  return does === 'forget' || does === 'back' ? { does, note } : null
}

const HEADS = {
  add: 'Remember this',
  correct: 'Correct what is remembered',
  forget: 'Forget this',
  back: 'Bring this back',
}
const BUTTONS = { add: 'Remember it', correct: 'Correct it', forget: 'Forget it', back: 'Bring it back' }
const DONE = { add: 'It is remembered', correct: 'Corrected', forget: 'Forgotten', back: 'It is back' }

export async function showMemoryEdit(panel: HTMLElement, edit: MemoryEdit, closed: () => void): Promise<void> {
  const entry =
    edit.does === 'add' ? null : ((await run('memory.list', {})).find(({ note }) => note === edit.note) ?? null)
  if (edit.does !== 'add' && entry === null) throw new Error('what your desktop named is not remembered')
  const close = () => {
    panel.hidden = true
    panel.replaceChildren()
    closed()
  }
  const list = document.createElement('ul')
  list.append(...linesOf(edit, entry).map((line) => textNode('li', line)))
  const go = button(BUTTONS[edit.does], () => {
    close()
    carryOut(edit).then(() => say(DONE[edit.does]), fail)
  })
  go.className = 'strong'
  panel.replaceChildren(
    textNode('small', 'Your desktop asks for this. Only you can allow it.'),
    textNode('p', `${HEADS[edit.does]}:`),
    list,
    button('Not now', close),
    go,
  )
  panel.hidden = false
}

function linesOf(edit: MemoryEdit, entry: MemoryEntry | null): string[] {
  const now = entry === null ? [] : [`“${entry.text}”`]
  switch (edit.does) {
    case 'add':
      return [`“${edit.text}”`]
    case 'correct':
      // Of what came with an import, the person may say that it is so.
      if (edit.text === entry?.text) return [`${now.join('')} is so`]
      return [...now.map((text) => `from ${text}`), `to “${edit.text}”`]
    case 'forget':
      return now
    case 'back':
      return entry?.state === 'forgotten' || entry?.was == null ? now : [...now, `says again: “${entry.was}”`]
  }
}

function carryOut(edit: MemoryEdit): Promise<unknown> {
  switch (edit.does) {
    case 'add':
      return run('memory.add', { text: edit.text })
    case 'correct':
      return run('memory.correct', { note: edit.note, text: edit.text })
    case 'forget':
      return run('memory.forget', { note: edit.note })
    case 'back':
      return run('memory.back', { note: edit.note })
  }
}

function button(text: string, click: () => void): HTMLButtonElement {
  const made = textNode('button', text) as HTMLButtonElement
  made.type = 'button'
  made.addEventListener('click', click)
  return made
}
