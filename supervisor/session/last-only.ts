/** Where input comes too fast to keep all of it, only the last is written. */
export interface LastOnly {
  /**
   * Waits a moment, then writes the newest input that came for this key. Everyone who waited is answered with what was
   * written.
   */
  write<Input, Written>(key: string, input: Input, work: (latest: Input) => Promise<Written>): Promise<Written>
}

interface Waiting {
  latest: unknown
  readonly written: Promise<unknown>
}

export function createLastOnly(withinMs: number): LastOnly {
  const waiting = new Map<string, Waiting>()
  return {
    write<Input, Written>(key: string, input: Input, work: (latest: Input) => Promise<Written>): Promise<Written> {
      const known = waiting.get(key)
      if (known !== undefined) {
        known.latest = input
        return known.written as Promise<Written>
      }
      const written = new Promise((resolve) => setTimeout(resolve, withinMs)).then(() => {
        waiting.delete(key)
        return work(entry.latest as Input)
      })
      const entry: Waiting = { latest: input, written }
      waiting.set(key, entry)
      return written
    },
  }
}
