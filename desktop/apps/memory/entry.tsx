import { useState } from 'react'
import { askToEditMemory, type MemoryEntry } from '@choiros/sdk/memory.ts'
import { openWindow } from '@choiros/sdk/windows.ts'
import { dayText, sourceWords, stateWords } from './parts.ts'

const TEXT_CHARS_MAX = 500

/** One thing that is remembered, why, and what can be done about it. */
export function Entry({ entry }: { entry: MemoryEntry }) {
  const [draft, setDraft] = useState<string | null>(null)
  const { note, text, state, edit, run, asked } = entry
  const isThere = state !== 'forgotten'
  return (
    <li className={`memory-entry ${state}`}>
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
              onClick={() => void openWindow('runs', 'Runs')}
            >
              “{asked}”
            </button>
          </>
        )}
        {' · '}
        <time dateTime={new Date(entry.time).toISOString()} title={new Date(entry.time).toLocaleString()}>
          {dayText(entry.time, Date.now())}
        </time>
      </p>
      {draft === null && (
        <p className="memory-deeds">
          {isThere && (
            <button type="button" className="plain" aria-label={`Correct: ${text}`} onClick={() => setDraft(text)}>
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
      )}
    </li>
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
  return (
    <form
      className="memory-correct"
      onSubmit={(event) => {
        event.preventDefault()
        if (said !== '' && said !== was) save(said)
        set(null)
      }}
    >
      <input
        autoFocus
        aria-label="What it should say"
        maxLength={TEXT_CHARS_MAX}
        value={text}
        onChange={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          set(null)
        }}
      />
      <button type="submit" disabled={said === ''}>
        Save
      </button>
      <button type="button" className="plain" onClick={() => set(null)}>
        Cancel
      </button>
    </form>
  )
}
