import { useState } from 'react'
import { stateWords } from '@choiros/sdk/track-runs.ts'
import type { EventLine, RunLine } from './rows.ts'
import { UndoPreview } from './undo-preview.tsx'
import { changesFiles, timeText } from './words.ts'

/** `canUndo` is false inside a run: that is taken back as a whole. */
export function EventItem({ line: { event, words }, canUndo }: { line: EventLine; canUndo: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <li className={event.type.split('.')[0]}>
      <span className="words">{words}</span>
      <Time time={event.time} />
      {canUndo && changesFiles(event) && <PreviewButton open={open} of={words} toggle={() => setOpen(!open)} />}
      {open && <UndoPreview target={{ kind: 'event', seq: event.seq }} />}
    </li>
  )
}

export function RunItem({ row: { run, event, lines } }: { row: RunLine }) {
  const [open, setOpen] = useState(false)
  const [steps, setSteps] = useState(false)
  const asked = run.text === '' ? 'a wish' : `“${run.text}”`
  const stepsText = steps ? 'Hide steps' : `${lines.length} ${lines.length === 1 ? 'step' : 'steps'}`
  return (
    <li className="run">
      <span className="words">
        <strong>{run.text === '' ? 'A wish' : run.text}</strong>{' '}
        <span className={`outcome ${run.status}`}>{stateWords(run)}</span>
        {run.reply !== null && <span className="reply">{run.reply}</span>}
        {run.reply === null && run.reason !== null && <span className="reply">{run.reason}</span>}
      </span>
      <Time time={event.time} />
      {run.landed !== null && run.status === 'landed' && !run.undone && (
        <PreviewButton open={open} of={asked} toggle={() => setOpen(!open)} />
      )}
      {open && <UndoPreview target={{ kind: 'run', run: run.run }} />}
      <button
        type="button"
        className="plain steps"
        aria-expanded={steps}
        aria-label={`${stepsText} of ${asked}`}
        onClick={() => setSteps(!steps)}
      >
        {stepsText}
      </button>
      {steps && (
        <ol>
          {lines.map((line) => (
            <EventItem key={line.event.seq} line={line} canUndo={false} />
          ))}
        </ol>
      )}
    </li>
  )
}

function PreviewButton({ open, of, toggle }: { open: boolean; of: string; toggle: () => void }) {
  return (
    <button
      type="button"
      className="plain"
      aria-expanded={open}
      aria-label={`${open ? 'Hide' : 'Preview'} undo of ${of}`}
      onClick={toggle}
    >
      {open ? 'Hide' : 'Preview undo'}
    </button>
  )
}

export function Time({ time }: { time: number }) {
  return <time dateTime={new Date(time).toISOString()}>{timeText(time, Date.now())}</time>
}
