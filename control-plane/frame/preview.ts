import { run } from './ask.ts'
import type { Commands, UndoPlan } from './contract.ts'
import { fail, fill, say, textNode } from './page.ts'

/** What the person is asked to agree to. */
export type Wanted = Deed & {
  /** Its name, if there is a better one than its number. */
  readonly name: string | null
  /** Who wants it, if not the person: it must not look as if they had asked for it. */
  readonly from: string | null
}

type Deed =
  | { readonly command: 'undo'; readonly input: Commands['undo.preview']['input'] }
  | { readonly command: 'restore'; readonly input: Commands['restore.preview']['input'] }

const LINES_MAX = 12
const DEEDS: Readonly<Record<string, string>> = {
  create: 'bring back',
  change: 'put back',
  delete: 'remove',
  move: 'move back',
}

/**
 * Shows what would happen, and two buttons: nothing is done before the second click. Returns the buttons once they are
 * shown.
 */
export async function showPreview(
  place: HTMLElement,
  wanted: Wanted,
  closed: () => void = () => {},
): Promise<{ cancel: HTMLButtonElement; go: HTMLButtonElement | null }> {
  const { command, name, from } = wanted
  const plan = await (wanted.command === 'undo'
    ? run('undo.preview', wanted.input)
    : run('restore.preview', wanted.input))
  const close = () => {
    place.hidden = true
    place.replaceChildren()
    closed()
  }
  const isBad = plan.conflicts.length > 0
  const title = name ?? plan.target.title
  const list = document.createElement('ul')
  const lines = isBad ? plan.conflicts.map(({ path, why }) => `${path}: ${why}`) : plan.changes.map(lineOf)
  fill(
    list,
    lines.slice(0, LINES_MAX).map((line) => textNode('li', line)),
    'no file changes',
  )
  if (lines.length > LINES_MAX) list.append(textNode('li', `and ${lines.length - LINES_MAX} more`))
  if (!isBad && plan.erased.length > 0) list.append(textNode('li', goneLine(plan.erased.length)))
  const verb = command === 'undo' ? 'Take back' : 'Go back to'
  const head = isBad ? `“${title}” cannot be taken back without losing later work:` : `${verb}: ${title}`
  const cancel = button(from === null ? 'Cancel' : 'Not now', close)
  place.replaceChildren(...(from === null ? [] : [textNode('small', from)]), textNode('p', head), list, cancel)
  const go = isBad ? null : button(command === 'undo' ? 'Take it back' : 'Restore it', () => agree(wanted, plan, close))
  if (go !== null) {
    go.className = 'strong'
    place.append(go)
  }
  place.hidden = false
  return { cancel, go }
}

function agree(wanted: Wanted, plan: UndoPlan, close: () => void): void {
  close()
  const done =
    wanted.command === 'undo' ? run('undo', { ...wanted.input, tree: plan.tree }) : run('restore', wanted.input)
  done.then(
    ({ target }) =>
      say(wanted.command === 'undo' ? `Took back: ${target.title}` : `Went back to: ${wanted.name ?? target.title}`),
    fail,
  )
}

function goneLine(count: number): string {
  const files = count === 1 ? 'one file cannot come back as it was' : `${count} files cannot come back as they were`
  return `${files}: ${count === 1 ? 'that version was' : 'those versions were'} removed for good. What is there now stays.`
}

function lineOf({ path, does, movedFrom }: UndoPlan['changes'][number]): string {
  return `${DEEDS[does] ?? does} ${movedFrom === null ? path : `${movedFrom} to ${path}`}`
}

function button(text: string, click: () => void): HTMLButtonElement {
  const made = textNode('button', text) as HTMLButtonElement
  made.type = 'button'
  made.addEventListener('click', click)
  return made
}
