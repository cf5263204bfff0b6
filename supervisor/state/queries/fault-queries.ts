import type { Ask } from './ask.ts'

interface Fault {
  readonly app: string
  readonly message: string
  /** Where in the source, a line each. */
  readonly stack: string
  readonly time: number
  /** How often it was seen since the app last worked. */
  readonly count: number
}

/** What does not work in open apps. */
export function createFaultQueries(ask: Ask) {
  const newest = ask('SELECT app, message, stack, time, count FROM fault ORDER BY seq DESC LIMIT ?')
  const one = ask('SELECT app, message, stack, time, count FROM fault WHERE app = ? AND message = ?')
  const anyOf = ask('SELECT 1 FROM fault WHERE app = ? LIMIT 1')
  return {
    faults: (limit: number) => newest().all(limit) as Fault[],
    fault: (app: string, message: string) => (one().get(app, message) as Fault | undefined) ?? null,
    hasFault: (app: string) => anyOf().get(app) !== undefined,
  }
}
