import { useEffect, useRef, useState } from 'react'
import { explain } from '@choiros/sdk/choir.ts'
import { useLive } from '@choiros/sdk/live.ts'
import type { Wish } from '@choiros/sdk/contract.ts'
import { ask, dismiss, isNews, stopRuns, useRuns } from '@choiros/sdk/runs.ts'
import { isOver } from '@choiros/sdk/track-runs.ts'
import { ProgressLine } from './progress-line.tsx'
import { PromptField } from './prompt-field.tsx'
import { askedBefore } from './recall.ts'
import { RecipeMenu } from './recipe-menu.tsx'
import './prompt.css'

/** Where a person asks for anything, in words or from the menu, and is told what becomes of it. */
export function PromptBar() {
  const { events } = useLive()
  const runs = useRuns()
  const [menu, setMenu] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const attempt = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work
      setProblem(null)
      return true
    } catch (error) {
      setProblem(explain(error))
      return false
    }
  }
  const send = (text: string, wishes: readonly Wish[]) => attempt(ask(text, wishes))
  const stop = () => void attempt(stopRuns())
  const close = () => {
    setMenu(false)
    opener.current?.focus()
  }
  const closeTop = (): boolean => {
    const last = runs.findLast(isOver)
    if (menu) close()
    else if (problem !== null) setProblem(null)
    else if (last !== undefined && isNews(last)) dismiss(last)
    else return false
    return true
  }
  /** In the prompt, Escape also stops the run at work. */
  const escape = (): boolean => {
    if (menu || runs.every(isOver)) return closeTop()
    stop()
    return true
  }
  useEscape(closeTop)
  return (
    <div className="prompt-bar" role="form" aria-label="Ask">
      <div className="prompt-floats">
        {menu && <RecipeMenu opener={opener} send={send} close={close} />}
        <ProgressLine
          runs={runs}
          problem={problem}
          ask={(text) => void send(text, [])}
          stop={stop}
          forget={() => setProblem(null)}
          hidden={menu}
        />
      </div>
      <PromptField earlier={askedBefore(events, runs)} send={(text) => send(text, [])} escape={escape} />
      <button
        ref={opener}
        type="button"
        className="prompt-help"
        aria-label="What can I ask for?"
        title="What can I ask for?"
        aria-expanded={menu}
        aria-haspopup="dialog"
        onClick={() => setMenu(!menu)}
      >
        ?
      </button>
    </div>
  )
}

/**
 * Works wherever the focus is. `closed` tells whether there was something to close; stopping a run is left to the
 * prompt itself.
 */
function useEscape(closed: () => boolean): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing && closed()) event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}
