import type { PlanItem } from './track-runs.ts'

const MARKS: Readonly<Record<PlanItem['state'], readonly [mark: string, words: string]>> = {
  open: ['○', 'not done'],
  doing: ['◐', 'at work on it'],
  done: ['✓', 'done'],
}

/** What a run means to do, and how far it is; once it is over, nobody is at work on anything. */
export function Plan({ items, over = false }: { items: readonly PlanItem[]; over?: boolean }) {
  if (items.length === 0) return null
  return (
    <ol className="plan" aria-label="Plan">
      {items.map(({ text, state: said }, index) => {
        const state = over && said === 'doing' ? 'open' : said
        return (
          <li key={index} className={state}>
            <span className="mark" role="img" aria-label={MARKS[state][1]}>
              {MARKS[state][0]}
            </span>
            {text}
          </li>
        )
      })}
    </ol>
  )
}
