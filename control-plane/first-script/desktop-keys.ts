/**
 * Part of the first script of every desktop page. It tells the frame of keys that are the frame's, and focuses the
 * prompt when the frame asks. A rewritten desktop keeps both. The frame takes the message as a page's word, not as a
 * person's key: any code in the page could send the same.
 */
const PROMPT = '[aria-label="Ask ChoirOS"]'
const FRAME_ORIGIN = `${location.protocol}//localhost:${location.port}`
const KEYS: Readonly<Record<string, string>> = { KeyU: 'undo', KeyR: 'redo', KeyS: 'stop', KeyH: 'history' }
/** How long a page may take to show its prompt. */
const PROMPT_MS = 12_000
const LOOK_EVERY_MS = 50

function keyOf(event: KeyboardEvent): string | null {
  if (event.key === 'Escape') return 'escape'
  return event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey ? (KEYS[event.code] ?? null) : null
}

addEventListener('keydown', (event) => {
  const key = keyOf(event)
  if (key === null || event.isComposing) return
  if (key !== 'escape') event.preventDefault()
  // If the desktop itself closes something by this key, that is on top: only a key that nobody took is passed on.
  setTimeout(() => (key === 'escape' && event.defaultPrevented ? null : parent.postMessage({ key }, FRAME_ORIGIN)))
})

/** `first`: the page has just come up; if the person already has the focus somewhere in it, it stays there. */
function goToPrompt(first: boolean, waitedMs = 0): void {
  const prompt = document.querySelector<HTMLElement>(PROMPT)
  if (first && document.activeElement !== document.body && document.activeElement !== null) return
  if (prompt !== null) prompt.focus()
  else if (waitedMs < PROMPT_MS) setTimeout(() => goToPrompt(first, waitedMs + LOOK_EVERY_MS), LOOK_EVERY_MS)
}

addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== FRAME_ORIGIN) return
  const { go } = (data ?? {}) as { go?: unknown }
  if (go === 'prompt' || go === 'prompt-first') goToPrompt(go === 'prompt-first')
})
