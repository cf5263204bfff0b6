import { useDeferredValue, useState } from 'react'
import { explain } from '@choiros/sdk/choir.ts'
import { askToTakeBack, askUnits, useListed } from '@choiros/sdk/history.ts'
import { Time } from './items.tsx'
import { byWhom } from './words.ts'

const PAGE = 50

/**
 * Everything that was done and can be taken back, by anyone, in one list: what Undo steps through. Questions are not in
 * it.
 */
export function Deeds() {
  const [shown, setShown] = useState(PAGE)
  const [filter, setFilter] = useState('')
  const wanted = useDeferredValue(filter.trim().toLowerCase())
  const { items, more, failure } = useListed(shown, askUnits, ({ seq }) => seq)
  const found = items.filter(({ title, asked }) => `${title} ${asked ?? ''}`.toLowerCase().includes(wanted))
  return (
    <>
      <div className="history-tools">
        <input
          type="search"
          aria-label="Filter"
          placeholder="Filter by words or names"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <div className="history-list" tabIndex={0} role="region" aria-label="What was done, newest first">
        {failure !== null && <p className="history-empty bad">{explain(failure)}</p>}
        {found.length === 0 && failure === null && (
          <p className="history-empty">
            {wanted === '' ? 'Nothing has been done here yet.' : `Nothing here matches “${filter.trim()}”.`}
          </p>
        )}
        <ol className="deeds">
          {found.map((unit) => (
            <li key={unit.seq} className={unit.undone ? 'undone' : unit.type.split('.')[0]}>
              <span className="words">
                {unit.title}
                <span className="reply">{unit.asked === null ? byWhom(unit) : `You asked: ${unit.asked}`}</span>
              </span>
              <Time time={unit.time} />
              {unit.undone ? (
                <span className="quiet">taken back</span>
              ) : (
                <button
                  type="button"
                  className="plain"
                  aria-label={`Take back: ${unit.title}`}
                  onClick={() => askToTakeBack({ kind: 'unit', seq: unit.seq })}
                >
                  Take back
                </button>
              )}
            </li>
          ))}
        </ol>
        {more && (
          <p className="history-end">
            <button type="button" onClick={() => setShown(shown + 2 * PAGE)}>
              Older
            </button>
          </p>
        )}
      </div>
    </>
  )
}
