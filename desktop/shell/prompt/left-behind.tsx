import { useState } from 'react'
import { explain } from '@choiros/sdk/choir.ts'
import { dropDraft, goOn } from '@choiros/sdk/runs.ts'
import type { TrackedRun } from '@choiros/sdk/track-runs.ts'

/** What a run did before it ended without landing: the person may have it gone on with, or forget it. */
export function LeftBehind({ run, draft }: Pick<TrackedRun, 'run' | 'draft'>) {
  const [problem, setProblem] = useState<string | null>(null)
  if (draft === null) return null
  const attempt = (work: Promise<unknown>) => void work.catch((error: unknown) => setProblem(explain(error)))
  return (
    <div className="progress-row">
      <span className="progress-words quiet">
        {problem ?? `What it did so far is kept: ${draft.files} ${draft.files === 1 ? 'file' : 'files'}.`}
      </span>
      <button type="button" onClick={() => attempt(goOn(run))}>
        Go on
      </button>
      <button type="button" onClick={() => attempt(dropDraft(run))}>
        Forget it
      </button>
    </div>
  )
}
