/** Stops a loop that gets nowhere: the same call again and again, the same error, or two calls taking turns (L11). */
export interface Breaker {
  /** A new answer of the model: what fails several times in one is an error it has not seen yet, and counts once. */
  answered(): void
  /** Why to stop, in words, or null to go on. */
  called(name: string, input: unknown): string | null
  failed(message: string): string | null
}

const SAME_CALLS_MAX = 3
const SAME_ERRORS_MAX = 4
/** So many answers later, an error is no longer the same obstacle: in a long task much is tried. */
const ERROR_ANSWERS_MAX = 20
const TURNS_MAX = 3

export function createBreaker(): Breaker {
  const calls: string[] = []
  /** In which answers each error was met. */
  const errors = new Map<string, number[]>()
  let answer = 0
  return {
    answered() {
      answer++
    },
    called(name, input) {
      calls.push(`${name} ${JSON.stringify(input)}`)
      const last = calls.at(-1)
      if (calls.length >= SAME_CALLS_MAX && calls.slice(-SAME_CALLS_MAX).every((call) => call === last))
        return `it made the same call ${SAME_CALLS_MAX} times in a row`
      const turns = calls.slice(-2 * TURNS_MAX)
      const pingPong =
        turns.length === 2 * TURNS_MAX &&
        turns.every((call, index) => call === turns[index % 2]) &&
        turns[0] !== turns[1]
      return pingPong ? 'it went back and forth between the same two calls' : null
    },
    failed(message) {
      const met = (errors.get(message) ?? []).filter((before) => answer - before < ERROR_ANSWERS_MAX)
      if (met.at(-1) === answer) return null
      met.push(answer)
      errors.set(message, met)
      return met.length >= SAME_ERRORS_MAX
        ? `it met the same error ${SAME_ERRORS_MAX} times: ${message.slice(0, 200)}`
        : null
    },
  }
}
