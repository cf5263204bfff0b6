import { run } from './ask.ts'
import { element, fail, fill, say, textNode, timeText } from './page.ts'
import { changeText, isOwnChange, recent } from './recent-events.ts'
import type { Plan } from './undo-buttons.ts'

export interface Run {
  readonly run: string
  readonly text: string
  readonly status: string
  readonly reason: string | null
  readonly reply: string | null
  readonly undone: boolean
  readonly landed: number | null
  readonly askedMs: number
}

interface Point {
  readonly seq: number
  readonly time: number
  readonly name: string
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  queued: 'waiting',
  running: 'at work',
  discarded: 'nothing changed',
  cancelled: 'stopped',
  reverted: 'taken back by itself',
}
export const SHOWN_MAX = 40

const drawer = element('drawer')

/** Nothing while it is closed: it is filled when it opens. */
export async function refreshHistory(list: readonly Run[]): Promise<void> {
  if (!drawer.hidden) await showHistory(list)
}

async function showHistory(list?: readonly Run[]): Promise<void> {
  const [runs, points] = await Promise.all([list ?? run<Run[]>('run.list', { limit: SHOWN_MAX }), run<Point[]>('checkpoint.list', {})])
  fill(
    element('runs'),
    runs.map((item) => {
      const state = item.undone ? 'undone' : (STATUS_WORDS[item.status] ?? item.status)
      const canUndo = item.status === 'landed' && item.landed !== null && !item.undone
      const target = { kind: 'run', run: item.run }
      // The Director's own words, from the log: what the desktop shows could be anyone's.
      const said = item.reply === null ? item.reason : `“${item.reply}”`
      return row(item.text, `${state} · ${timeText(item.askedMs)}`, said, canUndo ? ['Take back', () => preview('undo', target)] : null)
    }),
    'Nothing yet. Ask for a change in the box at the taskbar.',
  )
  fill(
    element('changes'),
    recent
      .filter(isOwnChange)
      .toReversed()
      .slice(0, SHOWN_MAX)
      .map((event) => row(changeText(event), timeText(event.time), null, ['Take back', () => preview('undo', { kind: 'event', seq: event.seq })])),
    'Nothing lately.',
  )
  fill(
    element('points'),
    points
      .toReversed()
      .slice(0, SHOWN_MAX)
      .map(({ seq, name, time }) => row(name, timeText(time), null, ['Restore', () => preview('restore', seq, name)])),
    'None yet. One is taken after every change that works.',
  )
}

function row(title: string, small: string, reason: string | null, action: readonly [string, () => Promise<void>] | null): HTMLElement {
  const item = document.createElement('li')
  const words = document.createElement('div')
  words.append(textNode('strong', title), textNode('small', small))
  if (reason !== null) words.append(textNode('small', reason))
  item.append(words)
  if (action !== null) {
    const button = textNode('button', action[0]) as HTMLButtonElement
    button.type = 'button'
    button.setAttribute('aria-label', `${action[0]}: ${title}`)
    button.addEventListener('click', () => void action[1]().catch(fail))
    item.append(button)
  }
  return item
}

/** What would happen, and two buttons: nothing is done before the second click. */
async function preview(command: 'undo' | 'restore', target: unknown, name?: string): Promise<void> {
  const input = command === 'undo' ? { target } : { to: target }
  const plan = await run<Plan>(`${command}.preview`, input)
  const place = element('preview')
  const close = () => {
    place.hidden = true
    place.replaceChildren()
  }
  const lines =
    plan.conflicts.length > 0 ? plan.conflicts.map(({ path, why }) => `${path}: ${why}`) : plan.changes.map(({ path, does }) => `${does} ${path}`)
  const list = document.createElement('ul')
  fill(
    list,
    lines.slice(0, 12).map((line) => textNode('li', line)),
    'no file changes',
  )
  if (lines.length > 12) list.append(textNode('li', `and ${lines.length - 12} more`))
  const head =
    plan.conflicts.length > 0
      ? 'It cannot be taken back without losing later work:'
      : `${command === 'undo' ? 'Take back' : 'Go back to'} “${name ?? plan.target.title}”:`
  const cancel = textNode('button', 'Cancel') as HTMLButtonElement
  cancel.addEventListener('click', close)
  place.replaceChildren(textNode('p', head), list, cancel)
  if (plan.conflicts.length === 0) {
    const go = textNode('button', command === 'undo' ? 'Take it back' : 'Restore it') as HTMLButtonElement
    go.className = 'strong'
    go.addEventListener('click', () => {
      close()
      run<Plan>(command, command === 'undo' ? { target, tree: plan.tree } : input).then(
        ({ target: done }) => say(command === 'undo' ? `Took back: ${done.title}` : `Went back to: ${name ?? done.title}`),
        fail,
      )
    })
    place.append(go)
  }
  place.hidden = false
  cancel.focus()
}

function toggleDrawer(open: boolean): void {
  drawer.hidden = !open
  element('history').setAttribute('aria-expanded', String(open))
  if (open) showHistory().then(() => element('close-drawer').focus(), fail)
  else element('history').focus()
}

element('history').addEventListener('click', () => toggleDrawer(drawer.hidden !== false))
element('close-drawer').addEventListener('click', () => toggleDrawer(false))
drawer.addEventListener('keydown', (event) => event.key === 'Escape' && toggleDrawer(false))
