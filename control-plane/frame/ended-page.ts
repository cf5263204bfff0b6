import { onDesktopFlood } from './desktop-messages.ts'
import { loadAnew, setSafeMode } from './health-banner.ts'
import { element, fail } from './page.ts'

/**
 * A page that sends so much that the browser has no time left is ended: without its iframe it can send no more, and the
 * buttons work again (L8).
 */
onDesktopFlood(() => {
  document.querySelector('iframe')?.remove()
  element('starting').hidden = true
  element('ended').hidden = false
})

element('ended-load').addEventListener('click', () => void loadAnew().catch(fail))
element('ended-safe').addEventListener('click', () => void setSafeMode(true).catch(fail))
