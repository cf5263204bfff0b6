import type { Change, LiveEvent } from './contract.ts'

/** The newest events of the log, as far as this page has heard, and what can be told from them alone. */
/** Events that are looked back at, for what changed the desktop last. */
export const LOOKED_BACK = 400

/** Oldest first. */
export const recent: LiveEvent[] = []

export function remember(event: LiveEvent): void {
  recent.push(event)
  if (recent.length > LOOKED_BACK) recent.shift()
}

export function changesOf({ data }: LiveEvent): readonly Change[] {
  return 'changes' in data ? data.changes : []
}

/** What the agents are doing, in words; the last of them stays. */
export function inWords({ type, run: of, data }: LiveEvent): string | null {
  if (of === null) return null
  switch (type) {
    case 'run.start':
      return 'Planning…'
    case 'task.request':
      return `Working: ${data.instruction}`
    case 'question.ask':
      return 'There is a question for you in the desktop'
    case 'receipt.verifier':
      return data.ok ? 'Checking that it works…' : 'A check found a mistake; nothing of it is kept'
    case 'run.land':
      return data.summary
    case 'run.answer':
      return 'Answered'
    case 'run.discard':
      return `Nothing was changed: ${data.reason}`
    case 'run.cancel':
      return data.reason === 'stopped by you' ? 'Stopped by you' : `Stopped: ${data.reason}`
    case 'run.revert':
      return `Taken back automatically: ${data.reason}`
    // What only moves history ends with that, and nothing else would end the "Working…" that stands there.
    case 'undo':
      return data.kind === 'redo' ? 'Brought back what was taken back' : 'Took back a change'
    case 'restore':
      return 'Went back to an earlier point'
    case 'checkpoint':
      return data.kind === 'user' ? `Saved this point as “${data.name}”` : null
    case 'message':
      return data.role === 'director' && hasMovedHistory(of) ? firstLine(data.text) : null
    default:
      return null
  }
}

/** Its events name by number what they took back; the Director's words have the name. */
function hasMovedHistory(of: string): boolean {
  return recent.some(({ run, type }) => run === of && (type === 'undo' || type === 'restore'))
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!
}
