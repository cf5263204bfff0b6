import { run } from './ask.ts'
import { element, fail, fill, textNode, timeText } from './page.ts'
import { showPreview, type Wanted } from './preview.ts'

export interface Run {
  readonly run: string
  readonly text: string
  readonly status: string
  readonly reason: string | null
  readonly reply: string | null
  readonly undone: boolean
  readonly landed: number | null
  readonly asked: number
  readonly askedMs: number
}

interface Unit {
  readonly seq: number
  readonly time: number
  readonly via: string
  readonly run: string | null
  readonly title: string
  readonly undone: boolean
}

interface Point {
  readonly seq: number
  readonly time: number
  readonly name: string
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  landed: 'done',
  queued: 'waiting',
  running: 'at work',
  answered: 'answered',
  discarded: 'nothing changed',
  cancelled: 'stopped',
  reverted: 'taken back automatically',
}
const VIA_WORDS: Readonly<Record<string, string>> = { agent: 'asked for', cli: 'command line', terminal: 'terminal' }
const PAGE = 12
/** As many as one answer holds. */
const ASKED_MAX = 200

const drawer = element('drawer')
const onlyChanged = document.getElementById('only-changed') as HTMLInputElement

/** A list that shows its newest, and more of it at every click. Nothing that ever was in it is out of reach. */
interface Section<Item> {
  readonly list: HTMLElement
  readonly more: HTMLButtonElement
  readonly empty: string
  shown: number
  /** Newest first, older than `before`. */
  ask(page: { before?: number; limit: number }): Promise<readonly Item[]>
  placeOf(item: Item): number
  rowOf(item: Item): HTMLElement
}

const changes: Section<Unit> = {
  list: element('changes'),
  more: element('more-changes'),
  empty: 'Nothing yet. What you do and ask for is listed here.',
  shown: PAGE,
  ask: (page) => run('undo.list', page),
  placeOf: ({ seq }) => seq,
  rowOf: ({ seq, title, time, via, undone }) => {
    const small = `${undone ? 'taken back · ' : ''}${VIA_WORDS[via] ?? 'by hand'} · ${timeText(time)}`
    return row(
      title,
      small,
      null,
      undone ? null : ['Take back', { command: 'undo', input: { target: { kind: 'unit', seq } }, name: null, from: null }],
    )
  },
}

const runs: Section<Run> = {
  list: element('runs'),
  more: element('more-runs'),
  empty: 'Nothing yet. Ask for a change in the box at the taskbar.',
  shown: PAGE,
  ask: (page) => run('run.list', { ...page, changed: onlyChanged.checked }),
  placeOf: ({ asked }) => asked,
  rowOf: (item) => {
    const state = item.undone ? 'undone' : (STATUS_WORDS[item.status] ?? item.status)
    const canUndo = item.status === 'landed' && item.landed !== null && !item.undone
    // The Director's own words, from the log: what the desktop shows could be anyone's.
    const said = item.reply === null ? item.reason : `“${item.reply}”`
    const wanted: Wanted = { command: 'undo', input: { target: { kind: 'run', run: item.run } }, name: null, from: null }
    return row(item.text, `${state} · ${timeText(item.askedMs)}`, said, canUndo ? ['Take back', wanted] : null)
  },
}

const points = (kind: 'user' | 'automatic', id: string, empty: string): Section<Point> => ({
  list: element(id),
  more: element(`more-${id}`),
  empty,
  shown: PAGE,
  ask: async (page) => (await run<Point[]>('checkpoint.list', { ...page, kind })).toReversed(),
  placeOf: ({ seq }) => seq,
  rowOf: ({ seq, name, time }) =>
    row(name, timeText(time), null, ['Restore', { command: 'restore', input: { to: seq }, name: `“${name}”`, from: null }]),
})
const named = points('user', 'points', 'None yet. Say “save this as friday” to name one.')
const automatic = points('automatic', 'automatic-points', 'None yet. One is taken after every change that works.')

/** Nothing while it is closed: it is filled when it opens. */
export async function refreshHistory(): Promise<void> {
  if (drawer.hidden) return
  await Promise.all([show(changes), show(runs), show(named), show(automatic)])
}

async function show<Item>(section: Section<Item>): Promise<void> {
  const items: Item[] = []
  let whole = false
  while (!whole && items.length <= section.shown) {
    const last = items.at(-1)
    const limit = Math.min(ASKED_MAX, section.shown + 1 - items.length) // One more, to know whether there is one.
    const page = await section.ask({ limit, ...(last === undefined ? {} : { before: section.placeOf(last) }) })
    items.push(...page)
    whole = page.length < limit
  }
  fill(section.list, items.slice(0, section.shown).map(section.rowOf), section.empty)
  section.more.hidden = items.length <= section.shown
}

function row(title: string, small: string, reason: string | null, action: readonly [string, Wanted] | null): HTMLElement {
  const item = document.createElement('li')
  const words = document.createElement('div')
  words.append(textNode('strong', title), textNode('small', small))
  if (reason !== null) words.append(textNode('small', reason))
  item.append(words)
  if (action !== null) {
    const [verb, wanted] = action
    const button = textNode('button', verb) as HTMLButtonElement
    button.type = 'button'
    button.setAttribute('aria-label', `${verb}: ${title}`)
    button.addEventListener('click', () => void preview(wanted).catch(fail))
    item.append(button)
  }
  return item
}

async function preview(wanted: Wanted): Promise<void> {
  const { cancel } = await showPreview(element('preview'), wanted)
  element('preview').scrollIntoView({ block: 'nearest' })
  cancel.focus()
}

function toggleDrawer(open: boolean): void {
  drawer.hidden = !open
  element('history').setAttribute('aria-expanded', String(open))
  if (open) refreshHistory().then(() => element('close-drawer').focus(), fail)
  else element('history').focus()
}

function showMore<Item>(section: Section<Item>): void {
  section.more.addEventListener('click', () => {
    section.shown += 4 * PAGE
    show(section).catch(fail)
  })
}

showMore(changes)
showMore(runs)
showMore(named)
showMore(automatic)
onlyChanged.addEventListener('change', () => void show(runs).catch(fail))
element('history').addEventListener('click', () => toggleDrawer(drawer.hidden !== false))
element('close-drawer').addEventListener('click', () => toggleDrawer(false))
