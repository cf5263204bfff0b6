import { useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { explain } from '@choiros/sdk/choir.ts'
import { askUnits, olderEvents, useListed } from '@choiros/sdk/history.ts'
import { useLive, type LiveEvent } from '@choiros/sdk/live.ts'
import { useRuns } from '@choiros/sdk/runs.ts'
import { EventItem, RunItem } from './items.tsx'
import { matches, titlesOf, toRows } from './rows.ts'

/** How many events from before this page was opened one click loads. */
const OLDER = 200

/** The log itself, newest first: also events that cannot be taken back. */
export function Everything() {
  const { events: live } = useLive()
  const runs = useRuns()
  const [filter, setFilter] = useState('')
  const [withWindows, setWithWindows] = useState(false)
  const [before, setBefore] = useState<readonly LiveEvent[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const units = useListed(NAMED, askUnits, ({ seq }) => seq)
  const wanted = useDeferredValue(filter.trim().toLowerCase())
  const first = live[0]?.seq ?? 0
  const events = [...before.filter(({ seq }) => seq < first), ...live]
  const shown = toRows(events, runs, withWindows, titlesOf(events, units.items)).filter((row) => matches(row, wanted))
  const { list, away, jump, note } = useSteadyList(shown[0]?.event.seq ?? 0)
  const oldest = events[0]?.seq ?? 1
  const loadOlder = () =>
    olderEvents(oldest, OLDER).then(
      (older) => {
        setBefore([...older, ...before])
        setProblem(null)
      },
      (error: unknown) => setProblem(explain(error)),
    )
  return (
    <>
      <div className="history-tools">
        <input
          type="search"
          aria-label="Filter"
          placeholder="Filter by words or path"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <label>
          <input
            type="checkbox"
            checked={withWindows}
            onChange={(event) => setWithWindows(event.currentTarget.checked)}
          />{' '}
          Windows too
        </label>
        {away && (
          <button type="button" onClick={jump}>
            Jump to newest
          </button>
        )}
      </div>
      <div
        className="history-list"
        ref={list}
        onScroll={note}
        tabIndex={0}
        role="region"
        aria-label="Events, newest first"
      >
        {shown.length === 0 ? (
          <p className="history-empty">
            {wanted === '' ? 'Nothing has happened here lately.' : `Nothing listed here matches “${filter.trim()}”.`}
          </p>
        ) : (
          <ol>
            {shown.map((row) =>
              row.kind === 'run' ? (
                <RunItem key={row.run.run} row={row} />
              ) : (
                <EventItem key={row.event.seq} line={row} canUndo />
              ),
            )}
          </ol>
        )}
        <p className="history-end">
          {problem !== null && <span className="bad">{problem} </span>}
          {oldest > 1 ? (
            <button type="button" onClick={() => void loadOlder()}>
              Older
            </button>
          ) : (
            'This is where it began.'
          )}
        </p>
      </div>
    </>
  )
}

/** How many units have their names looked up, newest first. */
const NAMED = 200

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
