import { useEffect, useRef, useState } from 'react'
import { explain, run } from '@choiros/sdk/choir.ts'
import { useLive, type LiveEvent } from '@choiros/sdk/live.ts'
import { Markdown } from '@choiros/sdk/markdown.tsx'
import { Plan } from '@choiros/sdk/plan.tsx'
import { dropDraft, goOn, useRuns, useShownRun } from '@choiros/sdk/runs.ts'
import { isOver, notableMood, ordinal, stateWords, type TrackedRun } from '@choiros/sdk/track-runs.ts'
import { Changes } from './changes.tsx'
import { Pictures } from './pictures.tsx'
import { detailsOf, durationText, type RunDetails, type Step } from './steps.ts'

export function RunsWindow() {
  const { events } = useLive()
  const runs = useRuns().toReversed()
  const [chosen, setChosen] = useState<string | null>(null)
  const open = chosen ?? runs[0]?.run ?? null
  const shown = useShownRun()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (shown === null) return
    setChosen(shown.run)
    const card = [...(list.current?.querySelectorAll('li') ?? [])].find(({ dataset }) => dataset['run'] === shown.run)
    card?.scrollIntoView({ block: 'start' })
  }, [shown])
  return (
    <div ref={list} className="runs" tabIndex={0} role="region" aria-label="Runs, newest first">
      {runs.length === 0 ? (
        <p className="runs-empty">
          Nothing has been asked for yet. Say what you would like in the box on the taskbar, or look in the ? menu.
        </p>
      ) : (
        <ol>
          {runs.map((one) => (
            <RunCard
              key={one.run}
              of={one}
              events={events.filter((event) => event.run === one.run)}
              open={open === one.run}
              toggle={() => setChosen(open === one.run ? '' : one.run)}
            />
          ))}
        </ol>
      )}
    </div>
  )
}

function RunCard({
  of,
  events,
  open,
  toggle,
}: {
  of: TrackedRun
  events: readonly LiveEvent[]
  open: boolean
  toggle: () => void
}) {
  const details = detailsOf(events, isOver(of))
  const [failure, setFailure] = useState<string | null>(null)
  const attempt = (work: Promise<unknown>) => void work.catch((error: unknown) => setFailure(explain(error)))
  const stop = () => attempt(run('stop', { run: of.run }))
  return (
    <li className="run-card" data-run={of.run}>
      <div className="run-head">
        <button type="button" className="plain run-title" aria-expanded={open} onClick={toggle}>
          {of.text === '' ? 'A wish' : of.text}
        </button>
        <span className={`run-status ${of.undone ? 'undone' : of.status}`}>
          {of.before > 0 ? `${ordinal(of.before)} in line` : stateWords(of)}
        </span>
        {!isOver(of) && (
          <button type="button" aria-label={`Stop ${of.text}`} onClick={stop}>
            Stop
          </button>
        )}
        {of.draft !== null && (
          <>
            <button type="button" aria-label={`Go on with ${of.text}`} onClick={() => attempt(goOn(of.run))}>
              Go on
            </button>
            <button
              type="button"
              aria-label={`Forget what is left of ${of.text}`}
              onClick={() => attempt(dropDraft(of.run))}
            >
              Forget
            </button>
          </>
        )}
      </div>
      {failure !== null && <p role="alert">{failure}</p>}
      {open && (
        <>
          <Plan items={of.plan} over={isOver(of)} />
          <Steps steps={details.steps} />
          {(of.reply ?? of.reason) !== null && (
            <div className="run-reply">
              <Markdown text={of.reply ?? of.reason ?? ''} />
            </div>
          )}
          <Pictures run={of.run} taken={events.filter(({ type }) => type === 'run.picture').length} />
          {isOver(of) && <Changes run={of.run} />}
          <p className="run-facts">{factsText(of, details)}</p>
        </>
      )}
    </li>
  )
}

const MARKS: Readonly<Record<Step['state'], string>> = { going: '…', good: '✓', bad: '✗' }
const MARK_WORDS: Readonly<Record<Step['state'], string>> = { going: 'in progress', good: 'done', bad: 'failed' }

function Steps({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null
  return (
    <ol className="run-steps">
      {steps.map(({ key, kind, title, state, tookMs, detail }) => (
        <li key={key} className={`${kind} ${state}`}>
          <span className="mark" role="img" aria-label={MARK_WORDS[state]}>
            {MARKS[state]}
          </span>
          <span className="step-words">
            {title}
            {detail !== null && <small>{detail}</small>}
          </span>
          <span className="step-time">{tookMs === null || kind === 'land' ? '' : durationText(tookMs)}</span>
        </li>
      ))}
    </ol>
  )
}

function factsText({ askedMs, endedMs, health, mood }: TrackedRun, { calls, tokens, money }: RunDetails): string {
  const facts = [
    notableMood(mood),
    endedMs === null ? null : `took ${durationText(endedMs - askedMs)}`,
    calls === 0
      ? endedMs === null
        ? null
        : 'no model was needed'
      : `${calls} model ${calls === 1 ? 'call' : 'calls'}, ${tokens.toLocaleString()} tokens${money === null ? '' : `, ${money.toFixed(2)} at your prices`}`,
    health === null
      ? null
      : health === 'ok'
        ? 'the desktop works with it'
        : health === 'bad'
          ? 'the desktop did not work with it'
          : 'not tried out in an open desktop yet',
  ]
  return facts.filter((fact) => fact !== null).join(' · ')
}
