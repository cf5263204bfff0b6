import { ChoirError } from '@choiros/contract/error.ts'

/** What the person says to a run while it works. Each who listens hears everything once, from when they began. */
export interface Hearing {
  /** From its first thought on; a recipe does not listen. */
  open(): void
  /** The last word is spoken: what is said now would be heard by nobody. */
  close(): void
  /** Refuses in words where nobody would hear it. */
  check(): void
  /** The same, if it has ended meanwhile. */
  say(text: string): void
  listen(): () => string[]
}

export function createHearing(): Hearing {
  const said: string[] = []
  let state: 'not yet' | 'open' | 'over' = 'not yet'
  const check = () => {
    if (state === 'not yet')
      throw new ChoirError('run.refused', 'this one is done in a moment and cannot be told more; ask again then')
    if (state === 'over')
      throw new ChoirError('run.refused', 'this one is finishing and cannot be told more; ask for that separately')
  }
  return {
    open() {
      if (state === 'not yet') state = 'open'
    },
    close() {
      state = 'over'
    },
    check,
    say(text) {
      check()
      said.push(text)
    },
    listen() {
      let heard = said.length
      return () => {
        const fresh = said.slice(heard)
        heard = said.length
        return fresh
      }
    },
  }
}
