import { onDesktopMessage } from './desktop-messages.ts'

/**
 * Keeps what is typed into the desktop's prompt box and not sent, so that neither a reload nor a visit to another page
 * of the frame's site loses it. It is stored when this page is left, and ends with the tab and with the sign-in. The
 * text is the desktop's, and only the desktop gets it back.
 */
const CHARS_MAX = 10_000
let kept = sessionStorage.getItem('draft') ?? ''

onDesktopMessage((data, answer) => {
  const { draft } = (data ?? {}) as { draft?: unknown }
  if (draft === null) answer({ draft: kept })
  else if (typeof draft === 'string' && draft.length <= CHARS_MAX) kept = draft
})
addEventListener('pagehide', () => sessionStorage.setItem('draft', kept))
