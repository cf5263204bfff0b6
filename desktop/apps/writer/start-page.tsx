import { useState } from 'react'
import { explain } from '@choiros/sdk/choir.ts'
import { useLive } from '@choiros/sdk/live.ts'
import { closeWindow, openWindow } from '@choiros/sdk/windows.ts'
import { useFirstWords } from './first-words.ts'

const SHOWN_MAX = 30

/**
 * Writer without a document: an empty page that becomes a document with its first letter, and the other documents there
 * are.
 */
export function StartPage({ window }: { window: string }) {
  const { files } = useLive()
  const [problem, setProblem] = useState<string | null>(null)
  const { paper, begin, compose } = useFirstWords(window, setProblem)
  const documents = [...files.keys()]
    .filter((path) => /^artifacts\/.*\.(md|txt)$/.test(path) && !path.startsWith('artifacts/system/'))
    .sort()
  const show = async (path: string) => {
    try {
      await openWindow('writer', path)
      await closeWindow(window)
    } catch (error) {
      setProblem(explain(error))
    }
  }
  return (
    <div className="writer-start">
      {/* It has the focus from the beginning: what is typed into a window that just opened belongs on the paper, and
          its spaces must press no button. */}
      <textarea
        ref={paper}
        className="writer-first"
        aria-label="Write a new document"
        placeholder="Write here. It is saved as you type."
        data-autofocus
        spellCheck
        onInput={() => void begin()}
        onCompositionStart={() => compose(true)}
        onCompositionEnd={() => compose(false)}
      />
      <button
        type="button"
        className="primary"
        onClick={() => {
          paper.current?.focus()
          void begin()
        }}
      >
        New document
      </button>
      {problem !== null && <p role="alert">{problem}</p>}
      {documents.length === 0 ? (
        <p className="quiet">There are no documents yet. They are kept in artifacts.</p>
      ) : (
        <ul aria-label="Documents">
          {documents.slice(0, SHOWN_MAX).map((path) => (
            <li key={path}>
              <button type="button" className="plain" onClick={() => void show(path)}>
                {path.slice('artifacts/'.length)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {documents.length > SHOWN_MAX && <p className="quiet">{documents.length - SHOWN_MAX} more are in Files.</p>}
    </div>
  )
}
