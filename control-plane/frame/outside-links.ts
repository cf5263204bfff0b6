import { onDesktopMessage } from './desktop-messages.ts'

/**
 * The desktop's page may not leave its site. A link out of it is brought here, and only the person can open it, seeing
 * its whole address: a page that could open it by itself could send any data outside.
 */
const bar = document.getElementById('outside') as HTMLElement
let link = document.getElementById('outside-open') as HTMLAnchorElement
const words = document.getElementById('outside-text') as HTMLElement
const ADDRESS_CHARS_MAX = 2000
/** So long that a click already under way has passed. */
const INERT_MS = 700

function close(): void {
  bar.hidden = true
  link.removeAttribute('href')
}

function outsideOf(data: unknown): URL | null {
  const address = (data as { open?: unknown } | null)?.open
  if (typeof address !== 'string' || address.length > ADDRESS_CHARS_MAX) return null
  const url = URL.parse(address)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
    ? url
    : null
}

/**
 * The newest link is the one that is asked about, but a click that was meant for what stood there before (another link,
 * a bait on the desktop) opens nothing.
 */
function exchange(): void {
  // Another element, so that a press that began on the old one does not end as a click on this.
  const next = link.cloneNode(true) as HTMLAnchorElement
  next.inert = true
  link.replaceWith(next)
  link = next
  // Counted from when it is in sight: a tab in the background shows nothing.
  requestAnimationFrame(() => setTimeout(() => (next.inert = false), INERT_MS))
}

onDesktopMessage((data) => {
  const url = outsideOf(data)
  if (url === null || (!bar.hidden && link.href === url.href)) return
  exchange()
  words.textContent = `A link on your desktop leads outside: ${url.href}`
  link.href = url.href
  bar.hidden = false
})
bar.addEventListener('click', ({ target }) => target === link && setTimeout(close))
document.getElementById('outside-close')?.addEventListener('click', close)
