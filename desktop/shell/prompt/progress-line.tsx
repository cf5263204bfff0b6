import { useNow } from '@choiros/sdk/now.ts'
import { dismiss, isNews } from '@choiros/sdk/runs.ts'
import { isOver, notableMood, type TrackedRun } from '@choiros/sdk/track-runs.ts'
import { LeftBehind } from './left-behind.tsx'
import { Reply } from './reply.tsx'
import { RunTalk } from './run-talk.tsx'

interface Props {
  readonly runs: readonly TrackedRun[]
  /** Why the last prompt was not taken. */
  readonly problem: string | null
  /** True while the menu is open in its place. */
  readonly hidden: boolean
  ask(text: string): void
  stop(): void
  forget(): void
}

/** What the run is doing, in words; then what came of it, until that is dismissed or something else is asked. */
export function ProgressLine({ runs, problem, hidden, ask, stop, forget }: Props) {
  const busy = runs.filter((run) => !isOver(run))
  const current = busy.find(({ status }) => status === 'running') ?? busy[0] ?? null
  const last = runs.findLast(isOver)
  const news = last !== undefined && isNews(last) ? last : null
  const answered = current === null ? news : null
  const earlier = current !== null && news !== null && (news.endedMs ?? 0) >= current.askedMs ? news : null
  const words = current === null ? (answered === null ? '' : answerOf(answered)) : current.doing
  return (
    <div
      className={`progress${(hidden || words === '') && problem === null ? ' nothing' : ''}${current === null ? '' : ' busy'}`}
    >
      {problem !== null && (
        <div className="progress-row" role="alert">
          <span className="bad">{problem}</span>
          <Close name="Dismiss problem" close={forget} />
        </div>
      )}
      {/* The next run in the queue begins at once: without this, nobody could read the result of the one before. */}
      <div className="progress-earlier" role="status" aria-live="polite">
        {earlier !== null && <Earlier run={earlier} ask={ask} />}
      </div>
      {(current ?? answered) !== null && <p className="progress-asked">{(current ?? answered)?.text}</p>}
      <div className="progress-row">
        {current !== null && <span className="progress-pulse" aria-hidden="true" />}
        {/* Always there: a screen reader tells of changes only in a region that it knew before. */}
        <span className="progress-words" role="status" aria-live="polite">
          {answered === null ? words : <Reply text={words} offers={answered.offers} ask={ask} />}
        </span>
        {current !== null && (
          <>
            <Elapsed since={current.askedMs} />
            {busy.length > 1 && <span className="quiet">{busy.length - 1} more waiting</span>}
            <button type="button" onClick={stop}>
              Stop run
            </button>
          </>
        )}
        {answered !== null && <Close name="Dismiss answer" close={() => dismiss(answered)} />}
      </div>
      {current !== null && notableMood(current.mood) !== null && (
        <p className="progress-outcome">It is {notableMood(current.mood)}</p>
      )}
      {current !== null && !hidden && <RunTalk of={current} />}
      {answered !== null && <p className="progress-outcome">{outcomeOf(answered)}</p>}
      {answered !== null && !hidden && <LeftBehind key={answered.run} run={answered.run} draft={answered.draft} />}
    </div>
  )
}

/** The whole answer of a run, above what the next one is doing. */
function Earlier({ run, ask }: { run: TrackedRun; ask: (text: string) => void }) {
  return (
    <>
      <p className="progress-asked">{run.text}</p>
      <div className="progress-row">
        <span className="progress-words">
          <Reply text={answerOf(run)} offers={run.offers} ask={ask} />
        </span>
        <Close name="Dismiss answer" close={() => dismiss(run)} />
      </div>
      <p className="progress-outcome">{outcomeOf(run)}</p>
    </>
  )
}

function answerOf({ reply, doing }: TrackedRun): string {
  return reply ?? doing
}

function outcomeOf({ status, reason, reply, landed, undone, health, askedMs, endedMs }: TrackedRun): string {
  const took = endedMs === null ? '' : ` in ${durationText(endedMs - askedMs)}`
  switch (status) {
    case 'landed':
      if (undone) return 'Done, and undone since'
      // A run that only moved through history or saved a checkpoint has no landing to judge, so no verdict follows.
      return `Done${took}${landed !== null && health === null ? '. Checking that the desktop still works…' : ''}`
    case 'discarded':
      return reply === null ? '' : 'Nothing was changed' // Without an answer the line above says so.
    case 'answered':
      return reply === null ? '' : `Answered${took}. Nothing was changed`
    case 'cancelled':
      return 'Stopped. Nothing was changed'
    case 'reverted':
      return `Taken back automatically: ${reason ?? 'the desktop did not work with it'}`
    default:
      return ''
  }
}

function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Outside the region that is read aloud: nobody wants to hear the seconds. */
function Elapsed({ since }: { since: number }) {
  return <span className="quiet">{durationText(useNow(1000) - since)}</span>
}

function Close({ name, close }: { name: string; close: () => void }) {
  return (
    <button type="button" className="plain progress-close" aria-label={name} title={name} onClick={close}>
      ×
    </button>
  )
}
