/**
 * Everything the desktop's page says to the frame comes in here, and only from that page. A page may say a few things a second; the rest is dropped
 * unread: to read them would take the time in which the person presses Undo.
 */
const HEARD_PER_SECOND = 60
const SECOND_MS = 1000
const desktop = document.querySelector('iframe')
const listeners: ((data: unknown, answer: (message: unknown) => void) => void)[] = []
let second = 0
let count = 0

export function onDesktopMessage(listener: (typeof listeners)[number]): void {
  listeners.push(listener)
}

addEventListener('message', (event) => {
  // Nothing of the event is read before it has been counted: reading it is what costs.
  const now = Math.floor(performance.now() / SECOND_MS)
  if (now !== second) {
    count = 0
    second = now
  }
  if (++count > HEARD_PER_SECOND) return
  if (desktop === null || event.source !== desktop.contentWindow) return
  const { origin } = new URL(desktop.src)
  if (event.origin !== origin) return
  for (const listener of listeners) listener(event.data, (message) => desktop.contentWindow?.postMessage(message, origin))
})
