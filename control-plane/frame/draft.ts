import { onDesktopMessage } from './desktop-messages.ts'

/**
 * What is typed into the desktop's prompt box and not sent, so that neither a reload nor a look at another page of the
 * frame's site loses it. It is put aside when this page is left: it goes with the tab, and with the sign-in. The text
 * is the desktop's and is given back to nobody else.
 */
const CHARS_MAX = 10_000
let kept = sessionStorage.getItem('draft') ?? ''

onDesktopMessage((data, answer) => {
  const { draft } = (data ?? {}) as { draft?: unknown }
  if (draft === null) answer({ draft: kept })
  else if (typeof draft === 'string' && draft.length <= CHARS_MAX) kept = draft
})
addEventListener('pagehide', () => sessionStorage.setItem('draft', kept))
