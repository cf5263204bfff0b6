/**
 * The desktop's page may not leave its site. A link out of it is brought here and opened only by the person's own hand, with its whole address in sight: a
 * page that could open it by itself could carry anything outside.
 */
const bar = document.getElementById('outside') as HTMLElement
const link = document.getElementById('outside-open') as HTMLAnchorElement
const words = document.getElementById('outside-text') as HTMLElement
const desktop = document.querySelector('iframe')
const ADDRESS_CHARS_MAX = 2000

function close(): void {
  bar.hidden = true
  link.removeAttribute('href')
}

function outsideOf(data: unknown): URL | null {
  const address = (data as { open?: unknown } | null)?.open
  if (typeof address !== 'string' || address.length > ADDRESS_CHARS_MAX) return null
  const url = URL.parse(address)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '' ? url : null
}

addEventListener('message', ({ source, origin, data }) => {
  if (desktop === null || source !== desktop.contentWindow || origin !== new URL(desktop.src).origin) return
  const url = outsideOf(data)
  // One at a time, and what is asked about is not exchanged under the person's finger.
  if (url === null || !bar.hidden) return
  words.textContent = `A link on your desktop leads outside: ${url.href}`
  link.href = url.href
  bar.hidden = false
})
link.addEventListener('click', () => setTimeout(close))
document.getElementById('outside-close')?.addEventListener('click', close)
bar.addEventListener('keydown', (event) => event.key === 'Escape' && close())
