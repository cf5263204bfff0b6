import { useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { useLive, type LiveEvent } from '@choiros/sdk/live.ts'
import { UndoPreview } from './undo-preview.tsx'
import { changesFiles, inWords, timeText } from './words.ts'

export function HistoryWindow() {
  const { events } = useLive()
  const [filter, setFilter] = useState('')
  const [withWindows, setWithWindows] = useState(false)
  const wanted = useDeferredValue(filter.trim().toLowerCase())
  const shown = events
    .filter(({ type }) => withWindows || !type.startsWith('window.'))
    .map((event) => ({ event, words: inWords(event) }))
    .filter(({ event, words }) => wanted === '' || `${words} ${event.seq} ${paths(event)}`.toLowerCase().includes(wanted))
    .reverse()
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
            {shown.map(({ event, words }) => (
              <EventRow key={event.seq} event={event} words={words} />
            ))}
          </ol>
        )}
        <p className="history-end">
          These are the newest {events.length} events. All of them: <code>choir events</code>
        </p>
      </div>
    </div>
  )
}

function paths({ data }: LiveEvent): string {
  return (data.changes ?? []).map(({ path }) => path).join(' ')
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

function EventRow({ event, words }: { event: LiveEvent; words: string }) {
  const [open, setOpen] = useState(false)
  return (
    <li className={event.type.split('.')[0]}>
      <span className="number">{event.seq}</span>
      <span className="words">{words}</span>
      <time dateTime={new Date(event.time).toISOString()}>{timeText(event.time, Date.now())}</time>
      {changesFiles(event) && (
        <button
          type="button"
          className="plain"
          aria-expanded={open}
          aria-label={`${open ? 'Hide' : 'Preview'} undo of event ${event.seq}`}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide' : 'Preview undo'}
        </button>
      )}
      {open && <UndoPreview seq={event.seq} />}
    </li>
  )
}
