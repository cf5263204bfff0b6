/**
 * What is typed into the desktop's prompt box and not sent, so that a reload does not lose it. It is kept in this page's own entry of the tab's history: it goes
 * with the tab. The text is the desktop's and is given back to nobody else.
 */
const desktop = document.querySelector('iframe')
const CHARS_MAX = 10_000
/** However often the desktop's page says something. */
const KEEP_EVERY_MS = 500
let kept = (history.state as { draft?: string } | null)?.draft ?? ''
let timer: number | undefined

function keep(draft: string): void {
  kept = draft
  timer ??= setTimeout(() => {
    timer = undefined
    history.replaceState({ draft: kept }, '')
  }, KEEP_EVERY_MS)
}

addEventListener('message', ({ source, origin, data }) => {
  if (desktop === null || source !== desktop.contentWindow || origin !== new URL(desktop.src).origin) return
  const { draft } = (data ?? {}) as { draft?: unknown }
  if (draft === null) desktop.contentWindow?.postMessage({ draft: kept }, origin)
  else if (typeof draft === 'string' && draft.length <= CHARS_MAX) keep(draft)
})
