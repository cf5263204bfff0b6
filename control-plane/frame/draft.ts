/**
 * What is typed into the desktop's prompt box and not sent, so that a reload does not lose it. When this page is left it is put into the page's own entry of the
 * tab's history: it goes with the tab. The text is the desktop's and is given back to nobody else.
 */
const desktop = document.querySelector('iframe')
const CHARS_MAX = 10_000
let kept = (history.state as { draft?: string } | null)?.draft ?? ''

addEventListener('message', ({ source, origin, data }) => {
  if (desktop === null || source !== desktop.contentWindow || origin !== new URL(desktop.src).origin) return
  const { draft } = (data ?? {}) as { draft?: unknown }
  if (draft === null) desktop.contentWindow?.postMessage({ draft: kept }, origin)
  else if (typeof draft === 'string' && draft.length <= CHARS_MAX) kept = draft
})
addEventListener('beforeunload', () => history.replaceState({ draft: kept }, ''))
