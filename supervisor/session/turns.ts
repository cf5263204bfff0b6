/**
 * Gives turns at work that costs everyone time: one at a time, each caller after the others, with time for other work
 * in between.
 */
export interface Turns {
  take<Result>(who: string, work: () => Promise<Result>): Promise<Result>
}

/**
 * Sixty readers of the whole log delayed every writer by a second: each took its share of every turn of the event loop.
 * Here they take one share together. While another one waits, as much time as the last piece took is left to other work
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
    if (own.length > 0) waiting.set(who, own) // Behind everyone else: many readers of one caller count as one.
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
