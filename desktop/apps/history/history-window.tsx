import { useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { useLive } from '@choiros/sdk/live.ts'
import { useRuns } from '@choiros/sdk/runs.ts'
import { EventItem, RunItem } from './items.tsx'
import { matches, toRows } from './rows.ts'

export function HistoryWindow() {
  const { events } = useLive()
  const runs = useRuns()
  const [filter, setFilter] = useState('')
  const [withWindows, setWithWindows] = useState(false)
  const wanted = useDeferredValue(filter.trim().toLowerCase())
  const shown = toRows(events, runs, withWindows).filter((row) => matches(row, wanted))
  const { list, away, jump, note } = useSteadyList(shown[0]?.event.seq ?? 0)
  return (
    <div className="history">
      <div className="history-tools">
        <input
          type="search"
          aria-label="Filter"
          placeholder="Filter by words or path"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <label>
          <input type="checkbox" checked={withWindows} onChange={(event) => setWithWindows(event.currentTarget.checked)} /> Windows too
        </label>
        {away && (
          <button type="button" onClick={jump}>
            Jump to newest
          </button>
        )}
      </div>
      <div className="history-list" ref={list} onScroll={note} tabIndex={0} role="region" aria-label="Events, newest first">
        {shown.length === 0 ? (
          <p className="history-empty">
            {wanted === '' ? 'Nothing has happened here lately.' : `Nothing among the newest events matches “${filter.trim()}”.`}
          </p>
        ) : (
          <ol>
            {shown.map((row) =>
              row.kind === 'run' ? <RunItem key={row.run.run} row={row} /> : <EventItem key={row.event.seq} line={row} canUndo />,
            )}
          </ol>
        )}
        <p className="history-end">
          These are the newest {events.length} events. All of them: <code>choir events</code>
        </p>
      </div>
    </div>
  )
}

const NEAR_TOP_PX = 8

/** New events come in at the top; what is being read further down stays where it is. */
function useSteadyList(newest: number) {
  const list = useRef<HTMLDivElement>(null)
  const height = useRef(0)
  const [away, setAway] = useState(false)
  useLayoutEffect(() => {
    const { current } = list
    if (current === null) return
    if (current.scrollTop > NEAR_TOP_PX) current.scrollTop += current.scrollHeight - height.current
    height.current = current.scrollHeight
  }, [newest])
  return {
    list,
    away,
    note: () => {
      height.current = list.current?.scrollHeight ?? 0
      setAway((list.current?.scrollTop ?? 0) > NEAR_TOP_PX)
    },
    jump: () => list.current?.scrollTo({ top: 0 }),
  }
}
