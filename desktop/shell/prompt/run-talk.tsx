import { useState, type KeyboardEvent } from 'react'
import { explain } from '@choiros/sdk/choir.ts'
import { useSpoken } from '@choiros/sdk/live.ts'
import { Plan } from '@choiros/sdk/plan.tsx'
import { answer, steer } from '@choiros/sdk/runs.ts'
import type { TrackedRun } from '@choiros/sdk/track-runs.ts'
import './run-talk.css'

/**
 * The talk with a run at work: what it asks, what it is saying, and a field to tell it more. A run by recipes says
 * nothing and is done in a moment.
 */
export function RunTalk({ of }: { of: TrackedRun }) {
  if (of.asking !== null) return <QuestionForm key={of.asking.question} run={of.run} asking={of.asking} />
  if (of.status !== 'running' || !of.thinks) return null
  return (
    <>
      <Plan items={of.plan} />
      <Spoken run={of.run} />
      <Steer key={of.run} run={of.run} />
    </>
  )
}

/** Not read aloud while it grows: only the finished words are. */
function Spoken({ run }: { run: string }) {
  const spoken = useSpoken()
  if (spoken === null || spoken.run !== run || spoken.text === '') return null
  return (
    <p className="progress-spoken" aria-hidden="true">
      <span>{spoken.text}</span>
    </p>
  )
}

/** No form element: the frame does not allow this page to submit forms. */
function onEnter(act: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    act()
  }
}

function QuestionForm({
  run,
  asking: { question, questions },
}: {
  run: string
  asking: NonNullable<TrackedRun['asking']>
}) {
  const [answers, setAnswers] = useState(() => questions.map(({ fallback }) => fallback))
  const [problem, setProblem] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const set = (index: number, value: string) =>
    setAnswers((before) => before.map((old, at) => (at === index ? value : old)))
  const isOpen = questions.some(({ fallback }, index) => fallback === '' && answers[index]?.trim() === '')
  const send = () => {
    if (sending || isOpen) return
    setSending(true)
    answer(run, question, answers).catch((error: unknown) => {
      setProblem(explain(error))
      setSending(false)
    })
  }
  return (
    <div className="questions" role="group" aria-label="Questions to you" onKeyDown={onEnter(send)}>
      {questions.map(({ text, choices }, index) => (
        <div key={`${index} ${text}`} className="question">
          <label htmlFor={`${question}-${index}`}>{text}</label>
          {choices.length > 0 && (
            <span className="question-choices">
              {choices.map((choice) => (
                <button
                  key={choice}
                  type="button"
                  aria-pressed={answers[index] === choice}
                  onClick={() => set(index, choice)}
                >
                  {choice}
                </button>
              ))}
            </span>
          )}
          <input
            id={`${question}-${index}`}
            type="text"
            value={answers[index]}
            onChange={(event) => set(index, event.currentTarget.value)}
          />
        </div>
      ))}
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      <div className="question-send">
        <span className="quiet">
          {questions.some(({ fallback }) => fallback === '')
            ? 'You can also type your answer where you asked. Without one, nothing is changed.'
            : 'If you don’t answer within ten minutes, these are used.'}
        </span>
        <button type="button" className="primary" disabled={sending || isOpen} onClick={send}>
          Answer
        </button>
      </div>
    </div>
  )
}

function Steer({ run }: { run: string }) {
  const [text, setText] = useState('')
  const [said, setSaid] = useState<{ readonly words: string; readonly bad: boolean } | null>(null)
  const send = () => {
    const words = text.trim()
    if (words === '') return
    setText('')
    steer(run, words).then(
      () => setSaid({ words: `It will hear: ${words}`, bad: false }),
      (error: unknown) => {
        setSaid({ words: explain(error), bad: true })
        setText((since) => (since === '' ? words : since))
      },
    )
  }
  return (
    <div className="steer">
      <input
        type="text"
        aria-label="Add to this"
        placeholder="Add to this while it works"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onEnter(send)}
      />
      {text.trim() !== '' && (
        <button type="button" onClick={send}>
          Tell it
        </button>
      )}
      {said !== null && (
        <p className={said.bad ? 'bad' : 'quiet'} role="status">
          {said.words}
        </p>
      )}
    </div>
  )
}
