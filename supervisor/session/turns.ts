/** Turns at work that costs everyone time: one at a time, whoever asks by turns, and others are let in between. */
export interface Turns {
  take<Result>(who: string, work: () => Promise<Result>): Promise<Result>
}

/**
 * Sixty readers of the whole log cost every writer a second: each took its share of every turn of the event loop. Here
 * they take one share together. Where more than one of them waits, as much time as a piece took is left to others
 * before the next.
 */
export function createTurns(clock: () => number = () => performance.now()): Turns {
  const waiting = new Map<string, (() => void)[]>()
  let isTaken = false

  const next = () => {
    const [first] = waiting
    if (first === undefined) {
      isTaken = false
      return
    }
    const [who, own] = first
    const begin = own.shift()
    waiting.delete(who)
    if (own.length > 0) waiting.set(who, own) // Behind everyone else: many readers of one page count as one.
    begin?.()
  }

  const wait = (who: string) =>
    new Promise<void>((resolve) => {
      const own = waiting.get(who) ?? []
      own.push(resolve)
      waiting.set(who, own)
    })

  return {
    async take(who, work) {
      if (isTaken) await wait(who)
      isTaken = true
      const startMs = clock()
      try {
        return await work()
      } finally {
        if (waiting.size === 0) setImmediate(next)
        else setTimeout(next, Math.ceil(clock() - startMs))
      }
    },
  }
}
