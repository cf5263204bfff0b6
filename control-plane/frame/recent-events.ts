import { progressWords } from '@choiros/core/everywhere/run-words.ts'
import type { LiveEvent } from './contract.ts'

/** The newest events of the log, as far as this page has heard, and what can be told from them alone. */
/** How many events are kept, to find what changed the desktop last. */
export const LOOKED_BACK = 400

/** Oldest first. */
export const recent: LiveEvent[] = []

export function remember(event: LiveEvent): void {
  recent.push(event)
  if (recent.length > LOOKED_BACK) recent.shift()
}

/** What the agents are doing, in words; the last words stay. */
export function inWords(event: LiveEvent): string | null {
  const { type, run: of, data } = event
  if (of === null) return null
  if (type === 'message') return data.role === 'director' && hasMovedHistory(of) ? firstLine(data.text) : null
  return progressWords(event)
}

/** A run's undo and restore events give only a number for what they took back; the Director's words have the name. */
function hasMovedHistory(of: string): boolean {
  return recent.some(({ run, type }) => run === of && (type === 'undo' || type === 'restore'))
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!
}
