import type { LiveEvent } from '@choiros/sdk/live.ts'
import type { TrackedRun } from '@choiros/sdk/track-runs.ts'
import { inWords } from './words.ts'

export interface EventLine {
  readonly event: LiveEvent
  readonly words: string
}

/** A line of the history: one event, or all events of a run under what was asked for. */
export type Row = ({ readonly kind: 'event' } & EventLine) | RunLine

export interface RunLine {
  readonly kind: 'run'
  readonly run: TrackedRun
  /** The newest of its events. */
  readonly event: LiveEvent
  readonly lines: readonly EventLine[]
}

/** Newest first. A run stands where its newest event does, with all that belongs to it, whatever else happened in between. */
export function toRows(events: readonly LiveEvent[], runs: readonly TrackedRun[], withWindows: boolean): Row[] {
  const rows: Row[] = []
  const linesOf = new Map<string, EventLine[]>()
  for (const event of events.toReversed()) {
    if (!withWindows && event.type.startsWith('window.')) continue
    const line = { event, words: inWords(event) }
    const run = event.run === null ? undefined : runs.find((one) => one.run === event.run)
    const known = run === undefined ? undefined : linesOf.get(run.run)
    if (run === undefined) rows.push({ kind: 'event', ...line })
    else if (known === undefined) {
      const lines = [line]
      linesOf.set(run.run, lines)
      rows.push({ kind: 'run', run, event, lines })
    } else known.push(line)
  }
  return rows
}

/** Whether the words looked for are in a row: in what was asked, in a sentence, a number or a path. */
export function matches(row: Row, wanted: string): boolean {
  if (wanted === '') return true
  const lines = row.kind === 'run' ? row.lines : [row]
  const asked = row.kind === 'run' ? [row.run.text, row.run.reply ?? ''] : []
  return [...asked, ...lines.map(({ event, words }) => `${words} ${event.seq} ${pathsOf(event)}`)].some((text) => text.toLowerCase().includes(wanted))
}

function pathsOf({ data }: LiveEvent): string {
  return (data.changes ?? []).map(({ path }) => path).join(' ')
}
