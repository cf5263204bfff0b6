import { onDesktopFlood } from './desktop-messages.ts'
import { loadAnew, setSafeMode } from './health-banner.ts'
import { element, fail } from './page.ts'

/**
 * A page that says so much that the browser comes to nothing else is ended: without its iframe it has nobody to say it
 * to, and the buttons work again (L8).
 */
onDesktopFlood(() => {
  document.querySelector('iframe')?.remove()
  element('starting').hidden = true
  element('ended').hidden = false
})

element('ended-load').addEventListener('click', () => void loadAnew().catch(fail))
element('ended-safe').addEventListener('click', () => void setSafeMode(true).catch(fail))
