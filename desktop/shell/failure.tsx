import { useEffect, useState } from 'react'
import { explain, run } from '@choiros/sdk/choir.ts'
import type { Commands } from '@choiros/sdk/contract.ts'
import { askToTakeBack } from '@choiros/sdk/history.ts'
import { ask } from '@choiros/sdk/runs.ts'

interface Props {
  readonly app: string
  readonly title: string
  readonly thrown: unknown
  /** How often that was done here already: whoever is quick must not wait for the next rung. */
  readonly tries: number
  retry(): void
}

type Known = Commands['render.report']['output']

const MESSAGE_CHARS_MAX = 1000

/**
 * In place of an app that stopped working. The more often the same is seen, the more is offered: to try again, to have
 * it mended, to take back the change that broke it.
 */
export function Failure({ app, title, thrown, tries, retry }: Props) {
  const message = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, MESSAGE_CHARS_MAX).toWellFormed()
  const [known, setKnown] = useState<Known | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    let isShown = true
    report(app, message, thrown).then(
      (answer) => isShown && setKnown(answer),
      () => {}, // Without its computer the page can still try again.
    )
    return () => void (isShown = false)
  }, [app, message, thrown])
  const { count = 1, canMend = false, change = null } = known ?? {}
  const seen = Math.max(count, tries + 1)
  const mend = () =>
    void ask(`The app “${title}” stopped working: mend it.`, []).then(
      () => setSaid('It is being mended. You can see how it goes where you ask for things.'),
      (error: unknown) => setSaid(explain(error)),
    )
  return (
    <div className="failure" role="alert">
      <p>{title} stopped working.</p>
      <details>
        <summary>What went wrong</summary>
        <pre>{message}</pre>
      </details>
      {said !== null && <p className="quiet">{said}</p>}
      <button type="button" onClick={retry}>
        Try again
      </button>
      {canMend && seen > 1 && (
        <button type="button" onClick={mend}>
          Mend it
        </button>
      )}
      {change !== null && seen > (canMend ? 2 : 1) && (
        <button type="button" title={change.title} onClick={() => askToTakeBack({ kind: 'unit', seq: change.unit })}>
          Undo the change that broke this
        </button>
      )}
    </div>
  )
}

/** Said by the gateway's first script, which knows which line of the source was which. */
type Where = (thrown: unknown) => Promise<string>

async function report(app: string, message: string, thrown: unknown): Promise<Known> {
  const where = (globalThis as { choirWhere?: Where }).choirWhere
  const stack = (await where?.(thrown).catch(() => '')) ?? ''
  return run('render.report', { app, message, stack })
}

/** What was wrong with an app is forgotten when it comes up again. */
export function reportWell(app: string): void {
  run('render.well', { app }).catch(() => {}) // It is said again the next time.
}
