/**
 * Everything the desktop's page says to the frame comes in here, and only from that page. A page may say a few things a second; the rest is dropped
 * unread: to read them would take the time in which the person presses Undo.
 */
const HEARD_PER_SECOND = 60
/** Dropping them is not enough where they come by the thousand: Firefox delivers each before it lets a click through. No honest page comes near this. */
const FLOOD_PER_SECOND = 2000
const SECOND_MS = 1000
const desktop = document.querySelector('iframe')
const listeners: ((data: unknown, answer: (message: unknown) => void) => void)[] = []
let second = 0
let count = 0
let isOver = false
let endPage = () => {}

export function onDesktopMessage(listener: (typeof listeners)[number]): void {
  listeners.push(listener)
}

/** Called once: nothing is heard of the page any more. */
export function onDesktopFlood(listener: () => void): void {
  endPage = listener
}

addEventListener('message', (event) => {
  if (isOver) return
  // Nothing of the event is read before it has been counted: reading it is what costs.
  const now = Math.floor(performance.now() / SECOND_MS)
  if (now !== second) {
    count = 0
    second = now
  }
  if (++count > FLOOD_PER_SECOND) {
    isOver = true
    return endPage()
  }
  if (count > HEARD_PER_SECOND) return
  if (desktop === null || event.source !== desktop.contentWindow) return
  const { origin } = new URL(desktop.src)
  if (event.origin !== origin) return
  for (const listener of listeners) listener(event.data, (message) => desktop.contentWindow?.postMessage(message, origin))
})
