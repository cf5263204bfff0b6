/** What every part of the frame's page uses: its elements, its one line of news, and lists made of text alone. */
export const element = (id: string) => document.getElementById(id) as HTMLButtonElement

const notice = element('notice')
const WAITING = 'Waiting for ChoirOS. It starts again by itself, and what you type is saved then.'
/**
 * A process that ended is started again within seconds; if ChoirOS is away for longer, it or its machine was stopped,
 * and only the person can start it again.
 */
const AWAY_MS = 15_000
const AWAY = 'ChoirOS is not running. Start it again with npm start; what you typed is kept here.'
let waiting = false
let awayTimer: number | undefined

export const isWaiting = () => waiting
let outages = 0
/** How often ChoirOS has been away since this page was loaded. */
export const outagesSoFar = () => outages

/**
 * Without a connection there is one thing to say. Single failures caused by it are not worth a message, and would be
 * wrong once it is back.
 */
export function waitForChoir(on: boolean): void {
  if (on === waiting) return
  clearTimeout(awayTimer)
  tell(on ? WAITING : '', on)
  waiting = on
  if (on) outages++
  if (on) awayTimer = setTimeout(() => tell(AWAY, true), AWAY_MS)
}

export function say(text: string, isBad = false): void {
  if (!waiting) tell(text, isBad)
}

/**
 * Characters that turn the direction of writing show a sentence in another order than it has: a name or a note could
 * make the frame's own words read otherwise.
 */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

function tell(given: string, isBad: boolean): void {
  const text = given.replaceAll(TURNING, '\ufffd')
  notice.textContent = text
  notice.title = text
  notice.classList.toggle('bad', isBad)
}

export const fail = (error: unknown) => say(error instanceof Error ? error.message : String(error), true)

export function fill(list: HTMLElement, items: readonly HTMLElement[], empty: string): void {
  list.replaceChildren(...(items.length === 0 ? [textNode('li', empty)] : items))
}

export function textNode(tag: string, content: string): HTMLElement {
  const made = document.createElement(tag)
  made.textContent = content.replaceAll(TURNING, '\ufffd')
  return made
}

export function timeText(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
}
