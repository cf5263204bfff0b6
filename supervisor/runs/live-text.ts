import type { RunId } from '@choiros/contract/ids.ts'
import type { Said } from '@choiros/contract/wire.ts'

/** What a model says while it says it: shown to pages that look, never kept. The finished message is the event. */
export interface LiveText {
  /** A new answer begins. */
  begin(run: RunId): void
  add(run: RunId, piece: string): void
  /** Calls the listener with all that was said so far, each time that it grows. Returns the function to leave. */
  follow(listener: (said: Said) => void): () => void
}

/** Faster than anyone can read; a model may send hundreds of pieces a second. */
const EVERY_MS = 80
const CHARS_MAX = 4000

export function createLiveText(): LiveText {
  const listeners = new Set<(said: Said) => void>()
  let said: Said | null = null
  let timer: NodeJS.Timeout | null = null
  const tell = () => {
    timer ??= setTimeout(() => {
      timer = null
      if (said !== null) for (const listener of listeners) listener(said)
    }, EVERY_MS)
  }
  return {
    begin(run) {
      said = { run, text: '' }
      tell()
    },
    add(run, piece) {
      if (said?.run !== run || said.text.length > CHARS_MAX) return
      said = { run, text: said.text + piece }
      tell()
    },
    follow(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
