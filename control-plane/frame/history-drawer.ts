import { stateWords } from '@choiros/core/everywhere/run-words.ts'
import { refreshAgents } from './agents-panel.ts'
import { run } from './ask.ts'
import type { Commands, RunView, UndoUnit } from './contract.ts'
import { element, fail, fill, textNode, timeText } from './page.ts'
import { showPreview, type Wanted } from './preview.ts'

type Point = Commands['checkpoint.list']['output'][number]

const VIA_WORDS: Readonly<Record<string, string>> = {
  agent: 'the agents',
  cli: 'you, from the command line',
  terminal: 'you, in a terminal',
}
const PAGE = 12
/** The most that one answer holds. */
const ASKED_MAX = 200

const drawer = element('drawer')

/** A list that shows its newest items, and more at every click. No item is ever out of reach. */
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

const changes: Section<UndoUnit> = {
  list: element('changes'),
  more: element('more-changes'),
  empty: 'Nothing yet. Whatever you do or ask for is listed here.',
  shown: PAGE,
  ask: (page) => run('undo.list', page),
  placeOf: ({ seq }) => seq,
  rowOf: ({ seq, title, asked, time, via, undone }) => {
    const by = asked === null ? (VIA_WORDS[via] ?? 'you') : `you asked: ${quoted(asked)}`
    return row(
      title,
      `${undone ? 'taken back · ' : ''}${by} · ${timeText(time)}`,
      null,
      undone
        ? null
        : ['Take back', { command: 'undo', input: { target: { kind: 'unit', seq } }, name: null, from: null }],
    )
  },
}

/** What the list of changes does not show: a request that changed something stands there, with what it changed. */
const runs: Section<RunView> = {
  list: element('runs'),
  more: element('more-runs'),
  empty: 'Nothing yet. Questions, and requests that changed nothing, are listed here.',
  shown: PAGE,
  ask: (page) => run('run.list', { ...page, changed: false }),
  placeOf: ({ asked }) => asked,
  rowOf: (item) => {
    // The Director's own words, from the log: what the desktop shows could be anyone's.
    const said = item.reply === null ? item.reason : quoted(item.reply)
    return row(item.text, `${stateWords(item)} · ${timeText(item.askedMs)}`, said, null)
  },
}

/** Quotes inside of quotes are single. */
function quoted(text: string): string {
  return `“${text.replaceAll('“', '‘').replaceAll('”', '’')}”`
}

const points = (kind: 'user' | 'automatic', id: string, empty: string): Section<Point> => ({
  list: element(id),
  more: element(`more-${id}`),
  empty,
  shown: PAGE,
  ask: async (page) => (await run('checkpoint.list', { ...page, kind })).toReversed(),
  placeOf: ({ seq }) => seq,
  rowOf: ({ seq, name, time }) =>
    row(name, timeText(time), null, [
      'Restore',
      { command: 'restore', input: { to: seq }, name: `“${name}”`, from: null },
    ]),
})
const named = points('user', 'points', 'None yet. Say “save this as friday” to name one.')
const automatic = points('automatic', 'automatic-points', 'None yet. One is saved after every change that works.')

/** Does nothing while the drawer is closed: it is filled when it opens. */
export async function refreshHistory(): Promise<void> {
  if (drawer.hidden) return
  await Promise.all([refreshAgents(), show(changes), show(runs), show(named), show(automatic)])
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

function row(
  title: string,
  small: string,
  reason: string | null,
  action: readonly [string, Wanted] | null,
): HTMLElement {
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
element('history').addEventListener('click', () => toggleDrawer(drawer.hidden !== false))
element('close-drawer').addEventListener('click', () => toggleDrawer(false))
