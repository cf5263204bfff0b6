import type { LiveEvent } from '@choiros/sdk/live.ts'

/** Everything that was asked here lately, newest first, each once. */
export function askedBefore(events: readonly LiveEvent[], runs: readonly { readonly text: string }[]): string[] {
  const asked = events.flatMap(({ type, data }) => (type === 'message' && data.role === 'user' ? [data.text] : []))
  return [...new Set([...runs.map(({ text }) => text), ...asked].filter((text) => text !== '').reverse())]
}

/** One step back or forth among the earlier prompts; -1 is the one that is being written. */
export function step(position: number, by: 1 | -1, count: number): number {
  return Math.max(-1, Math.min(count - 1, position + by))
}

/** Whether an arrow key leaves the text: up from its first line, or down from its last. */
export function leavesText(text: string, caret: number, key: 'ArrowUp' | 'ArrowDown'): boolean {
  return key === 'ArrowUp' ? !text.slice(0, caret).includes('\n') : !text.slice(caret).includes('\n')
}
