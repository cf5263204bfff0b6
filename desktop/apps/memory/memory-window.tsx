import { useDeferredValue, useEffect, useState } from 'react'
import { explain } from '@choiros/sdk/choir.ts'
import { askToEditMemory, useMemory, type MemoryEntry } from '@choiros/sdk/memory.ts'
import { Entry, Waits } from './entry.tsx'
import { matches, PARTS } from './parts.ts'

const TEXT_CHARS_MAX = 500

/** What is remembered, where it came from, and what the person thinks of it. */
export function MemoryWindow() {
  const { entries, failure } = useMemory()
  const [filter, setFilter] = useState('')
  const wanted = useDeferredValue(filter.trim().toLowerCase())
  const found = (entries ?? []).filter((entry) => matches(entry, wanted))
  const standing = found.filter(({ state }) => state === 'stands')
  const others = found.filter(({ state }) => state !== 'stands')
  return (
    <div className="memory">
      <div className="memory-tools">
        <Telling entries={entries ?? []} />
        {(entries ?? []).length > FEW && (
          <input
            type="search"
            aria-label="Filter"
            placeholder="Filter"
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        )}
      </div>
      <div className="memory-list" tabIndex={0} role="region" aria-label="What is remembered">
        {failure !== null && <p className="memory-empty bad">{explain(failure)}</p>}
        {entries !== null && found.length === 0 && <Empty wanted={filter.trim()} />}
        {PARTS.map(({ part, title, hint }) => (
          <Section key={part} title={title} hint={hint} entries={standing.filter((entry) => entry.part === part)} />
        ))}
        {others.length > 0 && (
          <details className="memory-others">
            <summary>
              Not used any more <span className="quiet">({others.length})</span>
            </summary>
            <ul>
              {others.map((entry) => (
                <Entry key={entry.note} entry={entry} />
              ))}
            </ul>
          </details>
        )}
      </div>
    </div>
  )
}

/** With so few, a filter would only be in the way. */
const FEW = 8

function Section({ title, hint, entries }: { title: string; hint: string; entries: readonly MemoryEntry[] }) {
  if (entries.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>
        {title} <small>{hint}</small>
      </h2>
      <ul>
        {entries.map((entry) => (
          <Entry key={entry.note} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function Empty({ wanted }: { wanted: string }) {
  if (wanted !== '') return <p className="memory-empty">Nothing here matches “{wanted}”.</p>
  return (
    <div className="memory-empty">
      <p>Nothing is remembered yet.</p>
      <p>
        Say “I prefer short answers” or “remember that I work at night” in the box on the taskbar, or write it above.
        What the agents learn while they work is listed here, too, and where it came from. Nothing else is remembered.
      </p>
    </div>
  )
}

function Telling({ entries }: { entries: readonly MemoryEntry[] }) {
  const [text, setText] = useState('')
  const [isAsked, setAsked] = useState(false)
  const said = text.trim()
  // No form: a page of the desktop cannot send one.
  const tell = () => {
    if (said === '') return
    askToEditMemory({ does: 'add', text: said })
    setAsked(true)
  }
  // What was typed stays until it is granted.
  useEffect(() => {
    if (!isAsked || !entries.some((entry) => entry.text === said)) return
    setAsked(false)
    setText('')
    // Only what is remembered by now decides.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [entries])
  return (
    <div className="memory-tell">
      <input
        aria-label="Tell something about yourself"
        placeholder="Tell something about yourself"
        maxLength={TEXT_CHARS_MAX}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAsked(false)
        }}
        onKeyDown={(event) => event.key === 'Enter' && tell()}
      />
      <button type="button" disabled={said === ''} onClick={tell}>
        Remember
      </button>
      {isAsked && <Waits />}
    </div>
  )
}
