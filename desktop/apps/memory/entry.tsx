import { useEffect, useState } from 'react'
import { askToEditMemory, type MemoryEntry } from '@choiros/sdk/memory.ts'
import { showRun } from '@choiros/sdk/runs.ts'
import { dayText, sourceWords, stateWords } from './parts.ts'

const TEXT_CHARS_MAX = 500

/** One thing that is remembered, why, and what can be done about it. */
export function Entry({ entry }: { entry: MemoryEntry }) {
  const [draft, setDraft] = useState<string | null>(null)
  const { note, part, text, state, run, asked } = entry
  return (
    <li className={`memory-entry ${state} ${part === 'believe' ? 'person' : entry.by}`}>
      {draft === null ? (
        <p className="memory-text">{text}</p>
      ) : (
        <Correction
          text={draft}
          was={text}
          set={setDraft}
          save={(said) => askToEditMemory({ does: 'correct', note, text: said })}
        />
      )}
      <p className="memory-source">
        {state !== 'stands' && <strong>{stateWords(entry)}. </strong>}
        {sourceWords(entry)}
        {asked !== null && asked !== '' && run !== null && (
          <>
            {' · '}
            <button
              type="button"
              className="plain"
              aria-label={`Show in Runs: ${asked}`}
              onClick={() => void showRun(run)}
            >
              {asked === text ? 'in Runs' : `“${asked}”`}
            </button>
          </>
        )}
        {' · '}
        <time dateTime={new Date(entry.time).toISOString()} title={new Date(entry.time).toLocaleString()}>
          {dayText(entry.time, Date.now())}
        </time>
      </p>
      {draft === null && <Deeds entry={entry} correct={() => setDraft(text)} />}
    </li>
  )
}

/** What can be done about it. */
function Deeds({ entry, correct }: { entry: MemoryEntry; correct: () => void }) {
  const { note, text, state, edit, imported } = entry
  const isThere = state !== 'forgotten'
  return (
    <p className="memory-deeds">
      {imported && state === 'stands' && (
        <button
          type="button"
          className="plain"
          aria-label={`It is so: ${text}`}
          onClick={() => askToEditMemory({ does: 'correct', note, text })}
        >
          It is so
        </button>
      )}
      {isThere && (
        <button type="button" className="plain" aria-label={`Correct: ${text}`} onClick={correct}>
          Correct
        </button>
      )}
      {isThere && (
        <button
          type="button"
          className="plain"
          aria-label={`Forget: ${text}`}
          onClick={() => askToEditMemory({ does: 'forget', note })}
        >
          Forget
        </button>
      )}
      {edit !== null && (
        <button
          type="button"
          className="plain"
          aria-label={`${isThere ? 'Take the correction back' : 'Bring back'}: ${text}`}
          onClick={() => askToEditMemory({ does: 'back', note })}
        >
          {isThere ? 'Take back' : 'Bring back'}
        </button>
      )}
    </p>
  )
}

function Correction({
  text,
  was,
  set,
  save,
}: {
  text: string
  was: string
  set: (text: string | null) => void
  save: (text: string) => void
}) {
  const said = text.trim()
  const [isAsked, setAsked] = useState(false)
  // What was typed stays until it is granted: whoever says “Not now” may want to change it, not to type it again.
  useEffect(() => {
    if (isAsked && said === was) set(null)
    // Only what is remembered by now decides.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [was])
  const finish = () => {
    if (said === '' || said === was) return set(null)
    save(said)
    setAsked(true)
  }
  return (
    <div className="memory-correct">
      <input
        autoFocus
        aria-label="What it should say"
        maxLength={TEXT_CHARS_MAX}
        value={text}
        onChange={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish()
          if (event.key !== 'Escape') return
          event.stopPropagation()
          set(null)
        }}
      />
      <button type="button" disabled={said === ''} onClick={finish}>
        Save
      </button>
      <button type="button" className="plain" onClick={() => set(null)}>
        Cancel
      </button>
      {isAsked && <Waits />}
    </div>
  )
}

/** Where the person has to say yes: the frame is another page, and easily overlooked. */
export function Waits() {
  return (
    <p className="memory-waits" role="status">
      Say yes at the top of the page.
    </p>
  )
}
