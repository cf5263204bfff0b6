import type { LiveEvent } from '@choiros/sdk/live.ts'
import { checkWords } from '@choiros/sdk/track-runs.ts'

type StepState = 'going' | 'good' | 'bad'

/** One thing that was done for a run: a task, a tool, a check. */
export interface Step {
  readonly key: string
  readonly kind: 'task' | 'tool' | 'check' | 'talk' | 'land'
  readonly title: string
  readonly state: StepState
  /** Null while it goes on. */
  readonly tookMs: number | null
  /** The result, if it is more than good or bad. */
  readonly detail: string | null
}

export interface RunDetails {
  readonly steps: readonly Step[]
  readonly calls: number
  readonly tokens: number
  /** In the person's own currency; null where no price is known. */
  readonly money: number | null
}

type Open = { -readonly [Key in keyof Step]: Step[Key] } & { readonly since: number }

/**
 * What a run did, from its events in order. A step that has begun and not ended is still going on, unless the run
 * itself is over.
 */
export function detailsOf(events: readonly LiveEvent[], isOver: boolean): RunDetails {
  const steps: Open[] = []
  const open = new Map<string, Open>()
  let begun = false
  let calls = 0
  let tokens = 0
  let micros: number | null = null
  const begin = (key: string, kind: Step['kind'], title: string, since: number) => {
    const step: Open = { key, kind, title, state: 'going', tookMs: null, detail: null, since }
    steps.push(step)
    open.set(key, step)
  }
  const put = (step: Pick<Open, 'key' | 'kind' | 'title' | 'since'> & Partial<Open>) =>
    void steps.push({ state: 'good', tookMs: null, detail: null, ...step })
  const end = (key: string, state: StepState, time: number, detail: string | null) => {
    const step = open.get(key)
    if (step === undefined) return
    Object.assign(step, { state, tookMs: time - step.since, detail: detail === step.title ? null : detail })
    open.delete(key)
  }
  for (const { type, data, time, seq } of events) {
    if (type === 'run.start') begun = true
    else if (type === 'task.request') begin(`task ${data.task}`, 'task', data.instruction, time)
    else if (type === 'task.result') end(`task ${data.task}`, data.status === 'ok' ? 'good' : 'bad', time, data.summary)
    else if (type === 'tool.call') begin(`tool ${data.call}`, 'tool', data.summary, time)
    else if (type === 'tool.result')
      end(`tool ${data.call}`, data.ok ? 'good' : 'bad', time, data.ok ? null : data.summary)
    else if (type === 'question.ask') {
      const asked = data.questions.map((one) => one.text).join(' ')
      begin(`question ${data.question}`, 'talk', `It asked: ${asked}`, time)
    } else if (type === 'question.answer') {
      const words = data.answers.join(', ')
      end(
        `question ${data.question}`,
        'good',
        time,
        data.by === 'person' ? `You: ${words}` : data.by === 'withdrawn' ? 'Left open' : 'Nobody answered',
      )
    } else if (type === 'message' && data.role === 'user' && begun)
      put({ key: `said ${seq}`, kind: 'talk', title: `You added: ${data.text}`, since: time })
    else if (type === 'receipt.policy') {
      const title = `Not allowed: ${data.asked}`
      put({ key: `policy ${seq}`, kind: 'check', title, since: time, state: 'bad', detail: data.why })
    } else if (type === 'approval.ask') begin(`approval ${data.approval}`, 'talk', `You were asked: ${data.risk}`, time)
    else if (type === 'approval.answer') {
      const isNo = data.answer === 'deny'
      end(`approval ${data.approval}`, isNo ? 'bad' : 'good', time, isNo ? 'Not allowed' : 'Allowed')
    } else if (type === 'receipt.verifier') {
      const { tookMs, ok, summary } = data
      const step = {
        key: `check ${seq}`,
        kind: 'check',
        title: `Check: ${checkWords(data.verifier, data.means)}`,
        since: time,
      } as const
      put({ ...step, tookMs, ...(ok ? {} : { state: 'bad', detail: summary }) })
    } else if (type === 'budget.settle') {
      calls++
      tokens += data.tokens
      if (data.micros !== null) micros = (micros ?? 0) + data.micros
    } else if (type === 'run.land')
      put({ key: `land ${seq}`, kind: 'land', title: 'Put into place', since: time, tookMs: 0 })
  }
  if (isOver) for (const step of open.values()) step.state = 'bad'
  return { steps, calls, tokens, money: micros === null ? null : micros / 1e6 }
}

export function durationText(ms: number): string {
  return ms < 950
    ? `${Math.round(ms / 10) * 10} ms`
    : ms < 60_000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}
