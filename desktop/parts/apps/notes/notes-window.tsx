import { useState } from 'react'
import type { AppProps } from '@choiros/sdk/app.ts'
import { change, explain } from '@choiros/sdk/choir.ts'
import { hasFile, useLive } from '@choiros/sdk/live.ts'
import { Note } from './note.tsx'

const FOLDER = 'artifacts/part-id'

/** One note is one file, so that Files and Writer can open it too. */
export function NotesWindow({ window }: AppProps) {
  const { files } = useLive()
  const [chosen, setChosen] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const notes = [...files.keys()]
    .filter((path) => path.startsWith(`${FOLDER}/`) && path.endsWith('.md'))
    .sort((a, b) => a.localeCompare(b))
  const shown = notes.find((path) => path === chosen) ?? notes[0] ?? null
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
      setProblem(null)
    } catch (error) {
      setProblem(explain(error))
    }
  }
  const add = () =>
    attempt(async () => {
      let path = `${FOLDER}/New note.md`
      for (let number = 2; hasFile(path); number++) path = `${FOLDER}/New note ${number}.md`
      await change({ op: 'write', path, content: { text: '' }, from: null })
      setChosen(path)
    })
  const rename = (path: string, name: string) =>
    attempt(async () => {
      const to = `${FOLDER}/${name.replaceAll(/[/\\]/g, ' ').trim()}.md`
      if (to === path || to === `${FOLDER}/.md`) return
      if (hasFile(to)) throw new Error(`there is already a note called ${name}`)
      await change({ op: 'move', path, to })
      setChosen(to)
    })
  const remove = (path: string) => attempt(() => change({ op: 'remove', path }))
  return (
    <div className="part-id-app">
      <nav aria-label="Part title">
        <button type="button" className="primary" onClick={() => void add()}>
          New note
        </button>
        <ul>
          {notes.map((path) => (
            <li key={path}>
              <button
                type="button"
                className="plain"
                aria-current={path === shown ? 'true' : undefined}
                onClick={() => setChosen(path)}
              >
                {nameOf(path)}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="part-id-side">
        {problem !== null && <p role="alert">{problem}</p>}
        {shown === null ? (
          <p className="part-id-empty">No notes yet. They are saved as you type.</p>
        ) : (
          <Note
            window={window}
            path={shown}
            name={nameOf(shown)}
            onMove={setChosen}
            rename={(name) => void rename(shown, name)}
            remove={() => void remove(shown)}
          />
        )}
      </div>
    </div>
  )
}

function nameOf(path: string): string {
  return path.slice(FOLDER.length + 1, -'.md'.length)
}
