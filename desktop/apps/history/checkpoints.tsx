import { useState } from 'react'
import { askPoints, askToGoBack, useListed, type Point } from '@choiros/sdk/history.ts'
import { Time } from './items.tsx'

const PAGE = 30
const askNamed = askPoints('user')
const askAutomatic = askPoints('automatic')
const placeOf = ({ seq }: Point) => seq

/** Named checkpoints come first: they must not disappear among the automatic ones. */
export function Checkpoints() {
  const [shownNamed, setShownNamed] = useState(PAGE)
  const [shownAutomatic, setShownAutomatic] = useState(PAGE)
  const named = useListed(shownNamed, askNamed, placeOf)
  const automatic = useListed(shownAutomatic, askAutomatic, placeOf)
  return (
    <div className="history-list" tabIndex={0} role="region" aria-label="Checkpoints, newest first">
      {named.items.length === 0 && (
        <p className="history-empty">You have not named any yet. Say “save this as friday” to name one.</p>
      )}
      <Points points={named.items} />
      {named.more && <Older name="Older checkpoints" more={() => setShownNamed(shownNamed + 2 * PAGE)} />}
      <details className="history-automatic">
        <summary>Saved automatically, after every change that works</summary>
        <Points points={automatic.items} />
        {automatic.more && (
          <Older name="Older automatic checkpoints" more={() => setShownAutomatic(shownAutomatic + 2 * PAGE)} />
        )}
      </details>
    </div>
  )
}

function Points({ points }: { points: readonly Point[] }) {
  return (
    <ol className="deeds">
      {points.map(({ seq, name, time }) => (
        <li key={seq} className="checkpoint">
          <span className="words">{name}</span>
          <Time time={time} />
          <button type="button" className="plain" aria-label={`Restore: ${name}`} onClick={() => askToGoBack(seq)}>
            Restore
          </button>
        </li>
      ))}
    </ol>
  )
}

function Older({ name, more }: { name: string; more: () => void }) {
  return (
    <p className="history-end">
      <button type="button" aria-label={name} onClick={more}>
        Older
      </button>
    </p>
  )
}
