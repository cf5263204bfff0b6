interface Wait {
  /** Resolves when the log grew, the signal aborted, or the wait was cancelled. */
  readonly grown: Promise<void>
  cancel(): void
}

/** Wakes followers when the log grew. */
export interface Waiters {
  wake(): void
  wait(signal: AbortSignal): Wait
}

export function createWaiters(): Waiters {
  const waiting = new Set<() => void>()
  return {
    wake() {
      const woken = Array.from(waiting)
      for (const resume of woken) resume()
    },
    wait(signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const resume = () => {
        signal.removeEventListener('abort', resume)
        waiting.delete(resume)
        resolve()
      }
      if (signal.aborted) {
        resolve()
      } else {
        waiting.add(resume)
        signal.addEventListener('abort', resume)
      }
      return { grown: promise, cancel: resume }
    },
  }
}
