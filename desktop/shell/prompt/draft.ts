import { useSyncExternalStore } from 'react'

interface Kept {
  text: string
  readonly listeners: Set<() => void>
}

/** What is typed and not sent. Kept across hot updates: the taskbar around it may be rewritten while someone writes. */
const kept = ((globalThis as { choirDraft?: Kept }).choirDraft ??= createKept())

/** The frame keeps it across a reload and a visit to another page: nothing is stored here. */
function createKept(): Kept {
  const made: Kept = { text: '', listeners: new Set() }
  addEventListener('message', ({ source, data }) => {
    const { draft } = (data ?? {}) as { draft?: unknown }
    if (source === parent && typeof draft === 'string' && made.text === '') setDraft(draft)
  })
  // A person who goes to the frame's buttons may be about to leave: the last keys are sent at once.
  addEventListener('blur', () => parent.postMessage({ draft: made.text }, '*'))
  // The last letters may not have been told yet.
  addEventListener('pagehide', () => parent.postMessage({ draft: made.text }, '*'))
  parent.postMessage({ draft: null }, '*')
  return made
}

/** Typing is not told key by key. */
const TELL_MS = 200
let timer: ReturnType<typeof setTimeout> | undefined

export function useDraft(): string {
  return useSyncExternalStore(
    (listener) => {
      kept.listeners.add(listener)
      return () => void kept.listeners.delete(listener)
    },
    () => kept.text,
  )
}

export function setDraft(text: string): void {
  kept.text = text
  clearTimeout(timer)
  timer = setTimeout(() => parent.postMessage({ draft: text }, '*'), TELL_MS)
  for (const listener of kept.listeners) listener()
}

/** Clears what was sent; what was typed while it was sent stays. */
export function clearSent(sent: string): void {
  if (kept.text === sent) setDraft('')
}
