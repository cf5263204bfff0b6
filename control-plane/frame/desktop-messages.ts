import { createScales, STRANGE, weigh } from './weight.ts'

/**
 * Everything that the desktop's page says to the frame comes in here, and only from that page. The frame reads a few
 * messages a second and drops the rest unread: reading them would take the time in which the person presses Undo.
 */
const HEARD_PER_SECOND = 60
/**
 * Dropping them is not enough where they come by the thousand: Firefox delivers each before it lets a click through. No
 * honest page comes near this.
 */
const FLOOD_PER_SECOND = 2000
const WEIGHED_PART = 0.1
const SECOND_MS = 1000
const desktop = document.querySelector('iframe')
const listeners: ((data: unknown, answer: (message: unknown) => void) => void)[] = []
const scales = createScales()
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

function end(): void {
  isOver = true
  endPage()
}

addEventListener('message', (event) => {
  if (isOver) return
  // No part of a message is read before it has been counted: reading is what costs, in Firefox its source as well as
  // its data.
  const nowMs = performance.now()
  const now = Math.floor(nowMs / SECOND_MS)
  if (now !== second) {
    count = 0
    second = now
  }
  const isFlood = ++count > FLOOD_PER_SECOND
  const isHeard = count <= HEARD_PER_SECOND
  // Some of the messages that are not heard are weighed, too: otherwise a large one could hide behind sixty small ones.
  if (!isFlood && !isHeard && Math.random() > WEIGHED_PART) return
  if (!isFromDesktop(event.source)) return
  if (isFlood || scales.add(weigh(event.data) + event.ports.length * STRANGE, nowMs)) return end()
  if (!isHeard || desktop === null || event.source !== desktop.contentWindow) return
  const { origin } = new URL(desktop.src)
  if (event.origin !== origin) return
  for (const listener of listeners)
    listener(event.data, (message) => desktop.contentWindow?.postMessage(message, origin))
})
// A message that the browser could not unpack has cost just as much.
addEventListener('messageerror', ({ source }) => {
  if (!isOver && isFromDesktop(source) && scales.add(STRANGE, performance.now())) end()
})

/**
 * Counts what the desktop sends, also from a page inside of its page; a page that is gone has no source any more.
 * Messages of other tabs end nothing.
 */
function isFromDesktop(source: MessageEventSource | null): boolean {
  return source === null || (source !== window && 'top' in source && source.top === window)
}
