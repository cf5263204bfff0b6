import { useEffect, useState } from 'react'
import { explain, run as send } from '@choiros/sdk/choir.ts'
import type { FileDiff, RunDiff } from '@choiros/sdk/contract.ts'
import { DiffLines } from './diff-lines.tsx'

/**
 * What a run changed, file by file. Asked of the computer and not taken from events: a page knows only the newest of
 * those.
 */
export function Changes({ run }: { run: string }) {
  const [diff, problem] = useDiff(run, null)
  if (problem !== null) return <p className="quiet">{problem}</p>
  if (diff === null || diff.files.length === 0) return null
  const sum = (number: (file: FileDiff) => number | null) =>
    diff.files.reduce((all, file) => all + (number(file) ?? 0), 0)
  const count = diff.files.length + diff.left
  return (
    <section className="changes" aria-label="What it changed">
      <p className="changes-head">
        <span>
          {count} {count === 1 ? 'file' : 'files'}
          {diff.from === 'stage' && ` ${count === 1 ? 'was' : 'were'} tried out; nothing of it was kept`}
        </span>
        {diff.files.some(({ added }) => added !== null) && (
          <Counts added={sum((file) => file.added)} removed={sum((file) => file.removed)} />
        )}
      </p>
      <ul>
        {diff.files.map((file) => (
          <FileChange key={file.path} run={run} file={file} />
        ))}
      </ul>
      {diff.left > 0 && <p className="quiet">and {diff.left} more, which are not listed</p>}
    </section>
  )
}

const DEEDS = { create: 'added', change: 'changed', delete: 'deleted', move: 'moved' } as const

function FileChange({ run, file }: { run: string; file: FileDiff }) {
  const [open, setOpen] = useState(false)
  const slash = file.path.lastIndexOf('/') + 1
  const said = [file.movedFrom === null ? null : `from ${file.movedFrom}`, file.note]
    .filter((words) => words !== null)
    .join('; ')
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className={`deed ${file.does}`}>{DEEDS[file.does]}</span>
          <span className="changed-path">
            <span className="quiet">{file.path.slice(0, slash)}</span>
            {file.path.slice(slash)}
            {said !== '' && <small>{said}</small>}
          </span>
          {file.added !== null && file.removed !== null && <Counts added={file.added} removed={file.removed} />}
        </summary>
        {open && <FileLines run={run} path={file.path} />}
      </details>
    </li>
  )
}

function FileLines({ run, path }: { run: string; path: string }) {
  const [diff, problem] = useDiff(run, path)
  const file = diff?.files[0]
  if (problem !== null) return <p className="quiet">{problem}</p>
  if (file === undefined) return <p className="quiet">Looking…</p>
  if (file.hunks.length === 0)
    return <p className="quiet">{file.added === null ? 'It has no lines to show.' : 'None of its lines changed.'}</p>
  return (
    <>
      <DiffLines hunks={file.hunks} label={`Changes of ${path}`} />
      {file.left > 0 && <p className="quiet">and {file.left.toLocaleString()} more lines, which are not shown</p>}
    </>
  )
}

function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="counts">
      <span className="added" role="img" aria-label={`${added} added`}>
        +{added.toLocaleString()}
      </span>
      <span className="removed" role="img" aria-label={`${removed} removed`}>
        −{removed.toLocaleString()}
      </span>
    </span>
  )
}

/** The computer's answer, which never changes once a run is over; or why there is none. */
function useDiff(run: string, path: string | null): readonly [RunDiff | null, string | null] {
  const [diff, setDiff] = useState<RunDiff | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    send('run.diff', { run, path }).then(
      (found) => current && setDiff(found),
      (error: unknown) => current && setProblem(explain(error)),
    )
    return () => void (current = false)
  }, [run, path])
  return [diff, problem]
}
