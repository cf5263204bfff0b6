import { useSyncExternalStore } from 'react'

interface Kept {
  text: string
  readonly listeners: Set<() => void>
}

/** What is typed and not sent. Kept across hot updates: the taskbar around it may be rewritten while someone writes. */
const kept = ((globalThis as { choirDraft?: Kept }).choirDraft ??= { text: '', listeners: new Set() })

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
  for (const listener of kept.listeners) listener()
}

/** Clears what was sent; what was typed while it was sent stays. */
export function clearSent(sent: string): void {
  if (kept.text === sent) setDraft('')
}
