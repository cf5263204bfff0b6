import { run } from './ask.ts'
import { element, fail, say } from './page.ts'

/** What an undo, a redo or a restore would do. */
export interface Plan {
  readonly target: { readonly seq: number; readonly title: string }
  readonly changes: readonly { readonly path: string; readonly does: string }[]
  readonly conflicts: readonly { readonly path: string; readonly why: string }[]
  readonly tree: string | null
}

/** Whatever was done last, by whom and how ever. */
const UNDO_TARGET = { kind: 'newest', scope: 'any' }

/** The buttons say what they will do before they do it. */
export async function refreshUndo(): Promise<void> {
  const plans = [
    ['undo', 'undo.preview', { target: UNDO_TARGET }, 'Undo'],
    ['redo', 'redo.preview', {}, 'Redo'],
  ] as const
  await Promise.all(plans.map(([id, command, input, verb]) => refreshButton(element(id), run<Plan>(command, input), verb)))
}

async function refreshButton(button: HTMLButtonElement, asked: Promise<Plan>, verb: string): Promise<void> {
  const next = verb === 'Undo' ? element('next') : null
  try {
    const { conflicts, target } = await asked
    button.disabled = false
    if (next !== null) next.textContent = `Undo: ${target.title}`
    button.title =
      conflicts.length > 0 ? `${verb} would lose later work in ${conflicts.map((conflict) => conflict.path).join(', ')}` : `${verb}: ${target.title}`
  } catch (error) {
    button.disabled = true
    button.title = (error as Error).message
    if (next !== null) next.textContent = ''
  }
}

async function act(command: 'undo' | 'redo', input: unknown, refresh: () => Promise<void>): Promise<void> {
  element(command).disabled = true
  try {
    const { target } = await run<Plan>(command, input)
    say(`${command === 'undo' ? 'Took back' : 'Brought back'}: ${target.title}`)
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
