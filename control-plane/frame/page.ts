/** What every part of the frame's page uses: its elements, its one line of news, and lists made of text alone. */
export const element = (id: string) => document.getElementById(id) as HTMLButtonElement

const notice = element('notice')

export function say(text: string, isBad = false): void {
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
