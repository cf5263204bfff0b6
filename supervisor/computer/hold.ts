/** While the files are held still, changes wait their turn. A hold ends by itself, so nobody waits for ever. */
export interface Hold {
  /** Waits until nobody holds the files still. */
  passed(): Promise<void>
  /** Returns the function that lets go. */
  take(longestMs: number): () => void
}

export function createHold(): Hold {
  let held: Promise<void> | null = null
  return {
    async passed() {
      while (held !== null) await held
    },
    take(longestMs) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const letGo = () => {
        clearTimeout(timer)
        if (held === promise) held = null
        resolve()
      }
      const timer = setTimeout(letGo, longestMs)
      held = promise
      return letGo
    },
  }
}
