import type { LiveEvent, RunStatus, RunView } from './contract.ts'

/**
 * What an event says of the run it belongs to. An end counts only if the run is in one of the states `after`: a run
 * ends once, except that a landing may still be reverted.
 */
export type RunStep =
  | { readonly does: 'ask'; readonly text: string }
  | { readonly does: 'start' }
  /** What it landed was taken back, and it goes on. */
  | { readonly does: 'resume' }
  | { readonly does: 'reply'; readonly text: string; readonly offers: readonly string[] }
  | { readonly does: 'keep'; readonly draft: RunView['draft'] }
  | { readonly does: 'feel'; readonly mood: NonNullable<RunView['mood']> }
  | { readonly does: 'wait'; readonly asking: RunView['asking'] }
  | { readonly does: 'judge'; readonly land: number; readonly verdict: NonNullable<RunView['health']> }
  | {
      readonly does: 'end'
      readonly status: RunStatus
      readonly reason: string | null
      readonly lands: boolean
      readonly after: readonly RunStatus[]
    }

const OPEN: readonly RunStatus[] = ['queued', 'running']

export function isOver({ status }: Pick<RunView, 'status'>): boolean {
  return !OPEN.includes(status)
}

const end = (status: RunStatus, reason: string | null = null, after = OPEN): RunStep => ({
  does: 'end',
  status,
  reason,
  lands: false,
  after,
})

/** The only rule for this: the tables follow it in SQL, pages by `afterEvent`. */
export function stepOf({ type, data }: LiveEvent): RunStep | null {
  switch (type) {
    case 'message':
      if (data.role === 'user') return { does: 'ask', text: data.text }
      return data.role === 'director' ? { does: 'reply', text: data.text, offers: data.offers } : null
    case 'run.start':
      return { does: 'start' }
    case 'run.mood':
      return { does: 'feel', mood: { mood: data.mood, why: data.why, by: data.by } }
    case 'question.ask':
      return { does: 'wait', asking: { question: data.question, questions: data.questions } }
    case 'question.answer':
      return { does: 'wait', asking: null }
    case 'health':
      return { does: 'judge', land: data.land, verdict: data.verdict }
    case 'run.draft':
      return { does: 'keep', draft: { draft: data.draft, files: data.files } }
    case 'run.draft.drop':
      return { does: 'keep', draft: null }
    case 'run.land':
      return { does: 'end', status: 'landed', reason: null, lands: true, after: ['running'] }
    // A run that undoes, redoes, restores or saves a checkpoint does nothing else, so it has landed with that.
    case 'undo':
    case 'restore':
    case 'checkpoint':
      return end('landed')
    case 'run.answer':
      return end('answered')
    case 'run.discard':
      return end('discarded', data.reason)
    case 'run.cancel':
      return end('cancelled', data.reason)
    case 'run.revert':
      return data.goesOn ? { does: 'resume' } : end('reverted', data.reason, ['running', 'landed'])
    default:
      return null
  }
}

/** A run of which only this event is known: any event other than its message or its start means that it has begun. */
export function runFrom(run: string, event: LiveEvent): RunView {
  const step = stepOf(event)
  return {
    run,
    text: step?.does === 'ask' ? step.text : '',
    status: step?.does === 'ask' || step?.does === 'start' ? 'queued' : 'running',
    reason: null,
    reply: null,
    offers: [],
    asked: event.seq,
    landed: null,
    undone: false,
    health: null,
    askedMs: event.time,
    endedMs: null,
    asking: null,
    draft: null,
    mood: null,
  }
}

/** The run as it is after one of its events. Its own events do not tell whether it was undone since. */
export function afterEvent(run: RunView, event: LiveEvent): RunView {
  const step = stepOf(event)
  switch (step?.does) {
    case 'start':
      return run.status === 'queued' ? { ...run, status: 'running' } : run
    case 'resume':
      return run.status === 'landed' ? { ...run, status: 'running', landed: null, health: null, endedMs: null } : run
    case 'reply':
      return { ...run, reply: step.text, offers: step.offers }
    case 'wait':
      return step.asking !== null && isOver(run) ? run : { ...run, asking: step.asking }
    case 'feel':
      return isOver(run) ? run : { ...run, mood: step.mood }
    case 'keep':
      return { ...run, draft: step.draft }
    case 'judge': {
      const isOpen = run.landed === step.land && (run.health === null || run.health === 'unknown')
      return isOpen ? { ...run, health: step.verdict } : run
    }
    case 'end':
      if (!step.after.includes(run.status)) return run
      return {
        ...run,
        status: step.status,
        reason: step.reason,
        asking: null,
        endedMs: event.time,
        landed: step.lands ? event.seq : run.landed,
      }
    default:
      return run
  }
}
