import type { SyntheticEvent } from 'react'

interface Props {
  readonly title: string
  readonly maximised: boolean
  onMinimise(): void
  /** Null: this screen has room for one size only. */
  readonly onToggle: (() => void) | null
  onClose(): void
}

/** A press on a button must not begin to drag the window it is on. */
const stop = (event: SyntheticEvent) => event.stopPropagation()

export function WindowControls({ title, maximised, onMinimise, onToggle, onClose }: Props) {
  return (
    <span className="controls" onPointerDown={stop} onDoubleClick={stop}>
      <button type="button" aria-label={`Minimise ${title}`} title="Minimise" onClick={onMinimise}>
        <Shape lines="M1 8.5h9" />
      </button>
      {onToggle !== null && (
        <button
          type="button"
          aria-label={`${maximised ? 'Make smaller' : 'Maximise'} ${title}`}
          title={maximised ? 'Make smaller' : 'Maximise'}
          onClick={onToggle}
        >
          <Shape lines={maximised ? 'M1.5 3.5h6v6h-6zM3.5 3.5v-2h6v6h-2' : 'M1.5 1.5h8v8h-8z'} />
        </button>
      )}
      <button type="button" className="close" aria-label={`Close ${title}`} title="Close" onClick={onClose}>
        <Shape lines="M1.5 1.5l8 8M9.5 1.5l-8 8" />
      </button>
    </span>
  )
}

function Shape({ lines }: { lines: string }) {
  return (
    <svg viewBox="0 0 11 11" aria-hidden="true">
      <path d={lines} />
    </svg>
  )
}
