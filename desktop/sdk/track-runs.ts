import { afterEvent, isOver, runFrom } from '@choiros/core/everywhere/run-projection.ts'
import { progressWords, stateWords } from '@choiros/core/everywhere/run-words.ts'
import type { EventData, RunView } from './contract.ts'
import type { LiveEvent } from './live.ts'

export { isOver } from '@choiros/core/everywhere/run-projection.ts'
export { moodWords, notableMood, placeWords } from '@choiros/core/everywhere/mood-words.ts'
export { checkWords, progressWords, stateWords } from '@choiros/core/everywhere/run-words.ts'

export type PlanItem = EventData['task.plan']['items'][number]

/** A run as a page shows it: what the list knew, and what the events have told since. */
export interface TrackedRun extends RunView {
  /** What it is doing now, in words. */
  readonly doing: string
  /** How many runs are before it; 0 once it is at work or over. */
  readonly before: number
  /** A model is at work on it, and can be talked to. */
  readonly thinks: boolean
  /** What it means to do, as it said last. */
  readonly plan: readonly PlanItem[]
}

/** The events that still change what is said of a run that is over. */
const LAST_WORDS: ReadonlySet<string> = new Set([
  'run.land',
  'run.answer',
  'run.discard',
  'run.cancel',
  'run.revert',
  'health',
])

/**
 * Every run that the list or an event names, in the order they were asked for. Events may be older than the list; what
 * has ended stays ended.
 */
export function trackRuns(views: readonly RunView[], events: readonly LiveEvent[]): TrackedRun[] {
  const runs = new Map<string, TrackedRun>(views.map((view) => [view.run, tracked(view)]))
  const listedUpTo = Math.max(0, ...views.map(({ asked }) => asked))
  for (const event of events) {
    if (event.run === null) continue
    // A run older than the list that is not in it is over; perhaps only its last events are known.
    if (!runs.has(event.run) && event.seq < listedUpTo) continue
    const known = runs.get(event.run) ?? tracked(runFrom(event.run, event))
    const words = isOver(known) && !LAST_WORDS.has(event.type) ? null : progressWords(event)
    runs.set(event.run, {
      ...known,
      ...afterEvent(known, event),
      doing: words ?? known.doing,
      thinks: known.thinks || event.type === 'budget.reserve',
      plan: event.type === 'task.plan' ? event.data.items : known.plan,
    })
  }
  let before = 0
  return [...runs.values()]
    .toSorted((a, b) => a.asked - b.asked)
    .map((run) => (isOver(run) ? run : inLine(run, before++)))
}

function tracked(view: RunView): TrackedRun {
  const words = view.status === 'queued' ? 'waiting for its turn' : stateWords({ ...view, undone: false })
  return {
    ...view,
    doing: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    before: 0,
    plan: [],
    thinks: view.asking !== null && view.asking.questions.every(({ slot }) => slot === null),
  }
}

function inLine(run: TrackedRun, before: number): TrackedRun {
  const isWaiting = run.status === 'queued' && before > 0
  return { ...run, before, doing: isWaiting ? `Waiting: ${ordinal(before)} in line` : run.doing }
}

/** 1st, 2nd, 3rd, 11th. */
export function ordinal(number: number): string {
  const teen = number % 100 > 10 && number % 100 < 14
  return `${number}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}
