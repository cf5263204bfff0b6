import { run } from './ask.ts'
import { changeWords, type ChangedPath } from './change-words.ts'

/** The frame's own script. It never touches the desktop's page: the two are different sites, and what it shows it asks the supervisor. */
interface Plan {
  readonly target: { readonly seq: number; readonly title: string }
  readonly changes: readonly { readonly path: string; readonly does: string }[]
  readonly conflicts: readonly { readonly path: string; readonly why: string }[]
  readonly tree: string | null
}

interface Run {
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

interface LogEvent {
  readonly seq: number
  readonly time: number
  readonly type: string
  readonly source: string
  readonly run: string | null
  readonly data: Record<string, unknown>
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  queued: 'waiting',
  running: 'at work',
  landed: 'done',
  answered: 'answered',
  discarded: 'nothing changed',
  cancelled: 'stopped',
  reverted: 'taken back automatically',
}
const UNDO_TARGET = { kind: 'newest', scope: 'runs' }
const RETRY_MS = [250, 500, 1000, 2000, 5000]
/** After a change was taken back the page should be well again by itself; where it is stuck, it gets a new one. */
const STUCK_AFTER_MS = 3000
const SHOWN_MAX = 40
/** Events that are looked back at, for what the person changed themselves. */
const LOOKED_BACK = 400
const STATE_EVERY_MS = 2000
const STATE_TRIES = 8
let stateTimer: number | undefined
let lastSeen: string | null = null

/** The newest events, oldest first. */
const recent: LogEvent[] = []

const element = (id: string) => document.getElementById(id) as HTMLButtonElement
const notice = element('notice')
const drawer = element('drawer')

function say(text: string, isBad = false): void {
  notice.textContent = text
  notice.title = text
  notice.classList.toggle('bad', isBad)
}

const fail = (error: unknown) => say(error instanceof Error ? error.message : String(error), true)

/** The buttons say what they will do before they do it. */
async function refresh(): Promise<void> {
  const runs = run<Run[]>('run.list', { limit: SHOWN_MAX })
  const plans = [
    ['undo', 'undo.preview', { target: UNDO_TARGET }, 'Undo'],
    ['redo', 'redo.preview', {}, 'Redo'],
  ] as const
  await Promise.all([showSafeMode(), ...plans.map(([id, command, input, verb]) => refreshButton(element(id), run<Plan>(command, input), verb))])
  const list = await runs
  const open = list.filter(({ status }) => status === 'running' || status === 'queued')
  element('stop').disabled = open.length === 0
  element('stop').title = open.length === 0 ? 'nothing is going on' : `Stop: ${open.map(({ text }) => text).join('; ')}`
  if (!drawer.hidden) await showHistory(list)
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

async function act(command: 'undo' | 'redo', input: unknown): Promise<void> {
  element(command).disabled = true
  try {
    const { target } = await run<Plan>(command, input)
    say(`${command === 'undo' ? 'Took back' : 'Brought back'}: ${target.title}`)
  } catch (error) {
    fail(error)
  }
  await refresh()
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

function pathsOf({ data }: LogEvent): ChangedPath[] {
  return Array.isArray(data['changes']) ? (data['changes'] as ChangedPath[]) : []
}

/** What the person did to files, by hand: a run is listed above by what was asked. */
function isOwnChange(event: LogEvent): boolean {
  return event.type === 'file.change' && pathsOf(event).length > 0
}

function changeText(event: LogEvent): string {
  if (event.type === 'run.land') return String(event.data['summary'])
  return changeWords(pathsOf(event))
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

function fill(list: HTMLElement, items: readonly HTMLElement[], empty: string): void {
  list.replaceChildren(...(items.length === 0 ? [textNode('li', empty)] : items))
}

function textNode(tag: string, content: string): HTMLElement {
  const made = document.createElement(tag)
  made.textContent = content
  return made
}

function timeText(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
}

function toggleDrawer(open: boolean): void {
  drawer.hidden = !open
  element('history').setAttribute('aria-expanded', String(open))
  if (open) showHistory().then(() => element('close-drawer').focus(), fail)
  else element('history').focus()
}

/** What the agents are doing, in words; the last of them stays. */
function inWords({ type, run: of, data }: LogEvent): string | null {
  if (of === null) return null
  switch (type) {
    case 'run.start':
      return 'Planning…'
    case 'task.request':
      return `Working: ${String(data.instruction)}`
    case 'question.ask':
      return 'There is a question for you in the desktop'
    case 'receipt.verifier':
      return data.ok === true ? 'Checking that it works…' : 'A check found a mistake; nothing of it is kept'
    case 'run.land':
      return String(data.summary)
    case 'run.answer':
      return 'Answered'
    case 'run.discard':
      return `Nothing was changed: ${String(data.reason)}`
    case 'run.cancel':
      return data.reason === 'stopped by you' ? 'Stopped by you' : `Stopped: ${String(data.reason)}`
    case 'run.revert':
      return `Taken back automatically: ${String(data.reason)}`
    default:
      return null
  }
}

async function showSafeMode(): Promise<void> {
  const { on } = await run<{ on: boolean }>('safe-mode.get', {})
  element('safe').hidden = !on
  element('safe-text').textContent = `Safe mode: this is the desktop as it last worked. Your files stay as they are.`
  element('enter-safe').disabled = on
}

async function setSafeMode(on: boolean): Promise<void> {
  say(on ? 'Going into safe mode…' : 'Leaving safe mode…')
  await run('safe-mode', { on })
  await loadAnew()
}

/** Also where the desktop's page is stuck: then it gets another address, for to leave this page the browser would wait for it. */
async function loadAnew(): Promise<void> {
  await fetch('/desktop/revive', { method: 'POST' })
  document.querySelector('iframe')?.remove()
  location.reload()
}

/** A desktop that came up broken by someone's own hand: it is said, with the two ways out. What a run broke is taken back without asking. */
async function watchState(tries = 0): Promise<void> {
  const state = (await (await fetch('/desktop/state')).json()) as { broken: string | null; known: boolean }
  const { known } = state
  const seen = state.broken ?? (!known && tries >= STATE_TRIES ? 'it does not answer' : null)
  const broken = seen === lastSeen ? seen : null // Twice: a machine that wakes up needs a moment.
  lastSeen = seen
  const culprit = newestOfDesktop()
  element('broken').hidden = broken === null
  const text = `The desktop does not work: ${broken ?? ''}.`
  if (element('broken-text').textContent !== text) element('broken-text').textContent = text // Else it would be read aloud again and again.
  const back = element('broken-back')
  back.hidden = culprit === undefined
  if (culprit !== undefined) back.textContent = `Take back: ${changeText(culprit)}`
  clearTimeout(stateTimer)
  const again = () => void watchState(known ? 0 : tries + 1).catch(watchLater) // Without a connection the line above says so.
  stateTimer = setTimeout(again, STATE_EVERY_MS)
}

function watchLater(): void {
  clearTimeout(stateTimer)
  stateTimer = setTimeout(() => void watchState().catch(watchLater), STATE_EVERY_MS)
}

/** The newest change of the desktop's own files that still stands: to take back an undo would only bring back what it took. */
function newestOfDesktop(): LogEvent | undefined {
  const undoOf = new Map<number, number>()
  const gone = new Set<number>()
  for (const { type, seq, data } of recent) {
    const target = Number(data['target'] ?? data['land'])
    if (type === 'run.revert' || (type === 'undo' && (data['kind'] === 'run' || data['kind'] === 'event'))) {
      gone.add(target)
      undoOf.set(seq, target)
    } else if (type === 'undo' && data['kind'] === 'redo') gone.delete(undoOf.get(target) ?? 0)
  }
  const isChange = ({ type, seq }: LogEvent) => (type === 'file.change' || type === 'run.land') && !gone.has(seq)
  return recent.findLast((event) => isChange(event) && pathsOf(event).some(({ path }) => path.startsWith('app/')))
}

async function takeBack(): Promise<void> {
  const culprit = newestOfDesktop()
  if (culprit === undefined) return
  await run('undo', { target: { kind: 'event', seq: culprit.seq }, tree: null })
  await loadAnew()
}

/** A page that is stuck cannot even be loaded anew: it gets another address, and with it another process of the browser. */
async function reviveIfStuck(): Promise<void> {
  const response = await fetch('/desktop/revive', { method: 'POST' })
  const { revived } = (await response.json()) as { revived?: boolean }
  if (revived === true) await loadAnew()
}

function hear(event: LogEvent): void {
  const words = inWords(event)
  if (words !== null) say(words)
  if (event.type === 'run.revert') setTimeout(() => void reviveIfStuck().catch(fail), STUCK_AFTER_MS)
  const changes = event.data['changes']
  if (Array.isArray(changes) && changes.some((change: { path?: string }) => change.path === 'artifacts/system/theme.json')) void wearTheme()
}

async function wearTheme(): Promise<void> {
  const { theme } = (await (await fetch('/look')).json()) as { theme: string }
  document.body.dataset['theme'] = theme
}

/** Follows the log, so that the buttons are right whoever changed something; resumes by itself. */
function follow(from: number, head: number, attempt = 0): void {
  let timer: number | undefined
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/events?after=${recent.at(-1)?.seq ?? from}`)
  socket.addEventListener('open', () => {
    if (attempt > 0) say('')
    attempt = 0
    refresh().catch(fail)
  })
  socket.addEventListener('message', (message) => {
    const event = JSON.parse(String(message.data)) as LogEvent
    recent.push(event)
    if (recent.length > LOOKED_BACK) recent.shift()
    if (event.seq <= head) return // Told before this page was here.
    hear(event)
    clearTimeout(timer)
    timer = setTimeout(() => void refresh().catch(fail), 100)
  })
  socket.addEventListener('close', () => {
    say('Connection lost; trying again…', true)
    setTimeout(() => follow(from, head, attempt + 1), RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)])
  })
}

element('undo').addEventListener('click', () => void act('undo', { target: UNDO_TARGET, tree: null }))
element('redo').addEventListener('click', () => void act('redo', {}))
element('history').addEventListener('click', () => toggleDrawer(drawer.hidden !== false))
element('close-drawer').addEventListener('click', () => toggleDrawer(false))
element('stop').addEventListener('click', () => void run('stop', { run: null }).catch(fail))
element('enter-safe').addEventListener('click', () => void setSafeMode(true).catch(fail))
element('leave-safe').addEventListener('click', () => void setSafeMode(false).catch(fail))
element('sign-out').addEventListener('click', () => void fetch('/sign-out', { method: 'POST' }).then(() => location.replace('/sign-in')))
drawer.addEventListener('keydown', (event) => event.key === 'Escape' && toggleDrawer(false))
// Also when it is switched elsewhere: then the desktop loads anew.
document.querySelector('iframe')?.addEventListener('load', () => void showSafeMode().catch(fail))
refresh().catch(fail)
element('broken-safe').addEventListener('click', () => void setSafeMode(true).catch(fail))
element('broken-back').addEventListener('click', () => void takeBack().catch(fail))
document.querySelector('iframe')?.addEventListener('load', watchLater)
run<{ seq: number }>('tree', { at: null }).then(({ seq }) => follow(Math.max(0, seq - LOOKED_BACK), seq), fail)
