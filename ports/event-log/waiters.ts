/** Wakes followers when the log grew. */
export interface Waiters {
  wake(): void
  wait(signal: AbortSignal): Promise<void>
}

export function createWaiters(): Waiters {
  const waiting = new Set<() => void>()
  return {
    wake() {
      for (const resume of waiting) resume()
      waiting.clear()
    },
    wait(signal) {
      return new Promise((resolve) => {
        const resume = () => {
          signal.removeEventListener('abort', resume)
          waiting.delete(resume)
          resolve()
        }
        if (signal.aborted) return resolve()
        waiting.add(resume)
        signal.addEventListener('abort', resume)
      })
    },
  }
}
