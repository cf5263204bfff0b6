import { ChoirError } from '@choiros/contract/error.ts'

/**
 * What the person says to a run while it works. The first listener is the Director; any other hears everything once
 * that the Director had not heard when it sent them to work, or the work would begin on an outdated wish.
 */
export interface Hearing {
  /** Called with each call to a model; a recipe does not listen. */
  open(): void
  /** The run is finishing: nobody would hear what is said now. */
  close(): void
  /** Throws, with words for the person, where nobody would hear it. */
  check(): void
  /** Throws in the same way if the run has ended meanwhile. */
  say(text: string): void
  listen(): () => string[]
  /** What the first listener has heard so far: no later one is told it again. */
  heardByFirst(): string[]
}

export function createHearing(): Hearing {
  const said: string[] = []
  let hasListener = false
  let heardByFirst = 0
  let state: 'not yet' | 'open' | 'over' = 'not yet'
  const check = () => {
    if (state === 'not yet')
      throw new ChoirError('run.refused', 'this one is done in a moment and cannot be told more; ask again then')
    if (state === 'over')
      throw new ChoirError('run.refused', 'this one is finishing and cannot be told more; ask for that separately')
  }
  return {
    open() {
      state = 'open'
    },
    close() {
      state = 'over'
    },
    check,
    heardByFirst: () => said.slice(0, heardByFirst),
    say(text) {
      check()
      said.push(text)
    },
    listen() {
      let heard = heardByFirst
      const isFirst = !hasListener
      hasListener = true
      return () => {
        const fresh = said.slice(heard)
        heard = said.length
        if (isFirst) heardByFirst = heard
        return fresh
      }
    },
  }
}
