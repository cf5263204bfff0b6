import { useState } from 'react'
import { Checkpoints } from './checkpoints.tsx'
import { Deeds } from './deeds.tsx'
import { Everything } from './everything.tsx'

const VIEWS = { deeds: 'What was done', points: 'Checkpoints', all: 'Everything' } as const

export function HistoryWindow() {
  const [view, setView] = useState<keyof typeof VIEWS>('deeds')
  return (
    <div className="history">
      <div className="history-views" role="group" aria-label="What to show">
        {(Object.keys(VIEWS) as (keyof typeof VIEWS)[]).map((name) => (
          <button key={name} type="button" className="plain" aria-pressed={view === name} onClick={() => setView(name)}>
            {VIEWS[name]}
          </button>
        ))}
      </div>
      {view === 'deeds' ? <Deeds /> : view === 'points' ? <Checkpoints /> : <Everything />}
    </div>
  )
}
