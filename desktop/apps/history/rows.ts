import { changesOf, type LiveEvent } from '@choiros/sdk/live.ts'
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

export type Titles = ReadonlyMap<number, string>
const NO_TITLES: Titles = new Map()

/**
 * What each event did, by its number, if that has a name. An undo or a redo is named by what it took or brought back.
 */
export function titlesOf(
  events: readonly LiveEvent[],
  units: readonly { readonly seq: number; readonly title: string }[],
): Titles {
  const titles = new Map(units.map(({ seq, title }) => [seq, title]))
  for (const { type, seq, data } of events) {
    const of = type === 'undo' ? titles.get(data.target) : undefined
    if (of !== undefined) titles.set(seq, of)
    if (type === 'checkpoint') titles.set(seq, data.name)
  }
  return titles
}

/**
 * Newest first. A run stands at the place of its newest event, with all its events, whatever else happened in between.
 */
export function toRows(
  events: readonly LiveEvent[],
  runs: readonly TrackedRun[],
  withWindows: boolean,
  titles: Titles = NO_TITLES,
): Row[] {
  const rows: Row[] = []
  const linesOf = new Map<string, EventLine[]>()
  for (const event of events.toReversed()) {
    if (!withWindows && event.type.startsWith('window.')) continue
    const line = { event, words: inWords(event, titles) }
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

/** Whether the words looked for are in a row: in what was asked, in a sentence or a path. */
export function matches(row: Row, wanted: string): boolean {
  if (wanted === '') return true
  const lines = row.kind === 'run' ? row.lines : [row]
  const asked = row.kind === 'run' ? [row.run.text, row.run.reply ?? ''] : []
  return [...asked, ...lines.map(({ event, words }) => `${words} ${pathsOf(event)}`)].some((text) =>
    text.toLowerCase().includes(wanted),
  )
}

function pathsOf(event: LiveEvent): string {
  return changesOf(event)
    .map(({ path }) => path)
    .join(' ')
}
