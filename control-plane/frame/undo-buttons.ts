import { changesOf, typedIn } from '@choiros/core/everywhere/changes.ts'
import { run } from './ask.ts'
import { askPerson } from './ask-person.ts'
import type { LiveEvent, Next } from './contract.ts'
import { element, fail, say } from './page.ts'

type Deed = NonNullable<Next['undo']>

/** The undo and redo that the buttons name. */
let shown: Pick<Next, 'undo' | 'redo'> = { undo: null, redo: null }

/** The buttons say what they will do before they do it. */
export function showNext({ undo, redo }: Next): void {
  shown = { undo, redo }
  const words = undo === null ? 'There is nothing to undo' : `Undo: ${undo.title}`
  name(element('undo'), undo, words, 'Alt+Shift+U')
  name(element('redo'), redo, redo === null ? 'There is nothing to redo' : `Redo: ${redo.title}`, 'Alt+Shift+R')
  element('next').textContent = undo === null ? '' : words
  element('next').title = words
}

function name(button: HTMLButtonElement, deed: Deed | null, words: string, keys: string): void {
  button.disabled = deed === null
  button.title = deed === null ? words : `${words} (${keys})`
}

/**
 * More typing in the document that Undo names does not change what the buttons say: not every letter is worth a
 * request.
 */
export function isMoreTyping(event: LiveEvent): boolean {
  const path = typedIn(event, changesOf(event))
  return path !== null && path === shown.undo?.typing && shown.redo === null
}

/** Takes back what the button names. Where something else was done meanwhile, that is shown, and the person decides. */
async function undoNamed(named: Deed): Promise<void> {
  try {
    return await undoNewest(named)
  } catch (error) {
    if ((error as { code?: string }).code !== 'undo.mismatch') throw error
    const { undo } = await run('next', {})
    if (undo === null || undo.seq === named.seq) throw error
    // A later stretch of typing in the same document: the button names it with the same words.
    if (undo.typing !== null && undo.typing === named.typing) return undoNewest(undo)
    askInstead(undo)
  }
}

async function undoNewest({ seq }: Deed): Promise<void> {
  const { target } = await run('undo', { target: { kind: 'newest', scope: 'any', unit: seq }, tree: null })
  say(`Took back: ${target.title}`)
}

function askInstead({ seq }: Deed): void {
  const from = 'Something newer was done just before you clicked. Nothing has been taken back yet.'
  askPerson(
    { command: 'undo', input: { target: { kind: 'unit', seq } }, name: null, from },
    'Something else was done meanwhile',
  )
}

async function redoNamed(named: Deed): Promise<void> {
  const { target } = await run('redo', { undo: named.seq })
  say(`Redone: ${target.title}`)
}

async function act(
  button: HTMLButtonElement,
  deed: Deed | null,
  take: (named: Deed) => Promise<void>,
  refresh: () => Promise<void>,
): Promise<void> {
  if (deed === null) return
  button.disabled = true
  await take(deed).catch(fail)
  await refresh().catch(fail)
}

/** `refresh`: brings everything on the page up to date. */
export function startUndoButtons(refresh: () => Promise<void>): void {
  element('undo').addEventListener('click', () => void act(element('undo'), shown.undo, undoNamed, refresh))
  element('redo').addEventListener('click', () => void act(element('redo'), shown.redo, redoNamed, refresh))
}
