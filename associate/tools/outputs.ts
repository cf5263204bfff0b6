/** What commands have put out, whole: a model reads the rest of a long output when it needs it. */
export interface Outputs {
  /** Under the name that it can be read by. */
  keep(log: string): string
  read(name: string): string | null
  names(): string[]
}

const KEPT_MAX = 20

export function createOutputs(): Outputs {
  const kept = new Map<string, string>()
  let count = 0
  return {
    keep(log) {
      const name = `output/${++count}`
      kept.set(name, log)
      for (const oldest of kept.keys()) if (kept.size > KEPT_MAX) kept.delete(oldest)
      return name
    },
    read: (name) => kept.get(name) ?? null,
    names: () => [...kept.keys()],
  }
}
