import { useNow } from '@choiros/sdk/now.ts'
import { useStored } from '@choiros/sdk/stored.ts'
import { clockText, FIRST, leftAt, pause, setLength, start, toTimer } from './countdown.ts'

const PATH = 'artifacts/part-id.json'
const PRESETS = [1, 3, 5, 10, 25, 45]
const TICK_MS = 250

export function TimerWindow() {
  const { value, phase, failure, update } = useStored(PATH, FIRST)
  const timer = toTimer(value)
  const now = useNow(TICK_MS)
  const left = leftAt(timer, now)
  const ended = timer.endsMs !== null && left === 0
  const running = timer.endsMs !== null && !ended
  const share = timer.lengthMs > 0 ? left / timer.lengthMs : 0
  return (
    <div className={`part-id-app${ended ? ' ended' : ''}`}>
      <div className="part-id-face">
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <circle cx="50" cy="50" r="45" />
          <circle cx="50" cy="50" r="45" pathLength="1" strokeDasharray={`${ended ? 1 : share} 2`} />
        </svg>
        <span role="timer" aria-label="Time left">
          {clockText(left)}
        </span>
      </div>
      <p role="status">
        {failure ?? (ended ? 'Time is up.' : running ? 'Running' : left < timer.lengthMs ? 'Paused' : 'Ready')}
      </p>
      <div className="part-id-buttons">
        <button
          type="button"
          className="primary"
          data-autofocus
          disabled={phase !== 'ready'}
          onClick={() => update((before) => (running ? pause : start)(toTimer(before), Date.now()))}
        >
          {running ? 'Pause' : ended ? 'Start again' : 'Start'}
        </button>
        <button
          type="button"
          disabled={phase !== 'ready'}
          onClick={() => update((before) => setLength(toTimer(before).lengthMs / 60_000))}
        >
          Reset
        </button>
      </div>
      <div role="group" aria-label="Minutes" className="part-id-presets">
        {PRESETS.map((minutes) => (
          <button
            key={minutes}
            type="button"
            aria-pressed={timer.lengthMs === minutes * 60_000}
            disabled={phase !== 'ready'}
            onClick={() => update(() => setLength(minutes))}
          >
            {minutes} min
          </button>
        ))}
      </div>
    </div>
  )
}
