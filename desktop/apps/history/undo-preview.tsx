import { useEffect, useState } from 'react'
import { explain, run } from '@choiros/sdk/choir.ts'
import type { UndoPlan, UndoTarget } from '@choiros/sdk/contract.ts'
import { askToTakeBack } from '@choiros/sdk/history.ts'
import { useLive } from '@choiros/sdk/live.ts'

const SHOWN_MAX = 12
const WORDS = { create: 'bring back', change: 'put back', delete: 'delete', move: 'move back' } as const

/** What an undo would do now; asked again whenever a file changes, because the answer may then be another. */
export function UndoPreview({ target }: { target: UndoTarget }) {
  const { files } = useLive()
  const [plan, setPlan] = useState<UndoPlan | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    run('undo.preview', { target }).then(
      (found) => {
        if (!current) return
        setPlan(found)
        setProblem(null)
      },
      (error: unknown) => current && setProblem(explain(error)),
    )
    return () => void (current = false)
    // A target is a new object at every render; its content is the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [JSON.stringify(target), files])
  if (problem !== null) return <div className="preview">{problem}</div>
  if (plan === null) return <div className="preview quiet">Looking…</div>
  return (
    <div className="preview">
      {plan.conflicts.length > 0 ? (
        <>
          <p className="bad">It cannot be taken back without losing later work:</p>
          <Lines lines={plan.conflicts.map(({ path, why }) => `${path}: ${why}`)} />
        </>
      ) : plan.changes.length === 0 ? (
        <p>Nothing of it is left to take back.</p>
      ) : (
        <>
          <p>An undo would</p>
          <Lines lines={plan.changes.map(lineOf)} />
          <button type="button" onClick={() => askToTakeBack(target)}>
            Take it back…
          </button>
        </>
      )}
    </div>
  )
}

function lineOf({ path, does, movedFrom, merged }: UndoPlan['changes'][number]): string {
  return `${WORDS[does]} ${movedFrom === null ? path : `${movedFrom} to ${path}`}${merged ? ', keeping what was changed since' : ''}`
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.slice(0, SHOWN_MAX).map((line) => (
        <li key={line}>{line}</li>
      ))}
      {lines.length > SHOWN_MAX && <li>and {lines.length - SHOWN_MAX} more</li>}
    </ul>
  )
}
