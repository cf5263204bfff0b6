import { useState } from 'react'
import { change, explain } from '@choiros/sdk/choir.ts'
import { hasFile, useLive } from '@choiros/sdk/live.ts'
import { closeWindow, openWindow } from '@choiros/sdk/windows.ts'

const SHOWN_MAX = 30

/** Writer without a document: what there is to write in. */
export function StartPage({ window }: { window: string }) {
  const { files } = useLive()
  const [problem, setProblem] = useState<string | null>(null)
  const documents = [...files.keys()].filter((path) => /^artifacts\/.*\.(md|txt)$/.test(path) && !path.startsWith('artifacts/system/')).sort()
  const show = async (path: string) => {
    try {
      await openWindow('writer', path)
      await closeWindow(window)
    } catch (error) {
      setProblem(explain(error))
    }
  }
  const make = async () => {
    try {
      let path = 'artifacts/Untitled.md'
      for (let number = 2; hasFile(path); number++) path = `artifacts/Untitled ${number}.md`
      await change({ op: 'write', path, content: { text: '' }, from: null })
      await show(path)
    } catch (error) {
      setProblem(explain(error))
    }
  }
  return (
    <div className="writer-start">
      <button type="button" className="primary" data-autofocus onClick={() => void make()}>
        New document
      </button>
      {problem !== null && <p role="alert">{problem}</p>}
      {documents.length === 0 ? (
        <p className="quiet">There are no documents yet. They are saved as you type, in artifacts.</p>
      ) : (
        <ul>
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
