import { run } from './ask.ts'
import type { Commands, UndoPlan } from './contract.ts'
import { element, fail, say } from './page.ts'

/** Whatever was done last, by whom and how ever. */
const UNDO_TARGET = { kind: 'newest', scope: 'any' } as const

/** The buttons say what they will do before they do it. */
export async function refreshUndo(): Promise<void> {
  await Promise.all([
    refreshButton(element('undo'), run('undo.preview', { target: UNDO_TARGET }), 'Undo'),
    refreshButton(element('redo'), run('redo.preview', {}), 'Redo'),
  ])
}

async function refreshButton(button: HTMLButtonElement, asked: Promise<UndoPlan>, verb: 'Undo' | 'Redo'): Promise<void> {
  const next = verb === 'Undo' ? element('next') : null
  const name = (text: string, isOff: boolean) => {
    button.disabled = isOff
    button.title = isOff ? text : `${text} (${verb === 'Undo' ? 'Alt+Shift+U' : 'Alt+Shift+R'})`
    if (next !== null) next.textContent = isOff ? '' : text
    if (next !== null) next.title = text
  }
  try {
    const { conflicts, target } = await asked
    const lost = conflicts.map((conflict) => conflict.path).join(', ')
    name(conflicts.length > 0 ? `${verb} would lose later work in ${lost}` : `${verb}: ${target.title}`, false)
  } catch (error) {
    name((error as Error).message, true)
  }
}

async function act<Name extends 'undo' | 'redo'>(command: Name, input: Commands[Name]['input'], refresh: () => Promise<void>): Promise<void> {
  element(command).disabled = true
  try {
    const { target } = await run(command, input)
    say(`${command === 'undo' ? 'Took back' : 'Redone'}: ${target.title}`)
  } catch (error) {
    fail(error)
  }
  await refresh().catch(fail)
}

/** `refresh`: brings everything on the page up to date. */
export function startUndoButtons(refresh: () => Promise<void>): void {
  element('undo').addEventListener('click', () => void act('undo', { target: UNDO_TARGET, tree: null }, refresh))
  element('redo').addEventListener('click', () => void act('redo', {}, refresh))
}
