/** What every part of the frame's page uses: its elements, its one line of news, and lists made of text alone. */
export const element = (id: string) => document.getElementById(id) as HTMLButtonElement

const notice = element('notice')
const WAITING = 'Waiting for ChoirOS. It starts again by itself, and what you type is saved then.'
let waiting = false

export const isWaiting = () => waiting

/** While there is no connection there is one thing to say; that this or that has failed for want of it is not worth a word, and not true any more afterwards. */
export function waitForChoir(on: boolean): void {
  if (on === waiting) return
  waiting = false
  say(on ? WAITING : '', on)
  waiting = on
}

export function say(text: string, isBad = false): void {
  if (waiting) return
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
  made.textContent = content
  return made
}

export function timeText(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
}
