import type { PlanItem } from './track-runs.ts'

const MARKS: Readonly<Record<PlanItem['state'], readonly [mark: string, words: string]>> = {
  open: ['○', 'to do'],
  doing: ['◐', 'at work on it'],
  done: ['✓', 'done'],
}

/** What a run means to do, and how far it is. */
export function Plan({ items }: { items: readonly PlanItem[] }) {
  if (items.length === 0) return null
  return (
    <ol className="plan" aria-label="Plan">
      {items.map(({ text, state }, index) => (
        <li key={index} className={state}>
          <span className="mark" role="img" aria-label={MARKS[state][1]}>
            {MARKS[state][0]}
          </span>
          {text}
        </li>
      ))}
    </ol>
  )
}
