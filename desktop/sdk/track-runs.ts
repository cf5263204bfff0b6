import type { LiveEvent } from './live.ts'

export type RunStatus = 'queued' | 'running' | 'landed' | 'discarded' | 'cancelled' | 'reverted'

/** What a run waits for an answer to; one answer for each question, in their order. */
export interface Asking {
  readonly question: string
  readonly questions: readonly { readonly text: string; readonly choices: readonly string[]; readonly fallback: string }[]
}

/** A run as the computer lists it. */
export interface RunView {
  readonly run: string
  readonly text: string
  readonly status: RunStatus
  readonly reason: string | null
  readonly reply: string | null
  readonly asked: number
  readonly landed: number | null
  readonly undone: boolean
  readonly health: 'ok' | 'bad' | 'unknown' | null
  readonly askedMs: number
  readonly endedMs: number | null
  readonly asking: Asking | null
}

/** A run as a page shows it: what the list knew, and what the events have told since. */
export interface TrackedRun extends RunView {
  /** What it is doing now, in words. */
  readonly doing: string
  /** A model is at work on it, and can be talked to. */
  readonly thinks: boolean
}

type Tracked = { -readonly [Key in keyof TrackedRun]: TrackedRun[Key] }

const FIRST_WORDS: Readonly<Record<RunStatus, string>> = {
  queued: 'Waiting for its turn',
  running: 'At work',
  landed: 'Landed',
  discarded: 'Nothing was changed',
  cancelled: 'Stopped',
  reverted: 'Taken back',
}

export function isOver({ status }: { status: RunStatus }): boolean {
  return status !== 'queued' && status !== 'running'
}

/** Every run that the list or an event names, in the order they were asked for. Events may be older than the list; what has ended stays ended. */
export function trackRuns(views: readonly RunView[], events: readonly LiveEvent[]): TrackedRun[] {
  const runs = new Map<string, Tracked>(views.map((view) => [view.run, { ...view, doing: FIRST_WORDS[view.status], thinks: view.asking !== null }]))
  const undoOf = new Map<number, Tracked>()
  const listedUpTo = Math.max(0, ...views.map(({ asked }) => asked))
  for (const event of events) {
    if (event.type === 'undo') trackUndo(runs, undoOf, event)
    if (event.run === null) continue
    // One that is older than the list is over, or it would be in it; of its events perhaps only the last are known.
    if (!runs.has(event.run) && event.seq < listedUpTo) continue
    const known = runs.get(event.run) ?? fromNothing(event.run, event)
    runs.set(event.run, known)
    apply(known, event)
  }
  return [...runs.values()].sort((a, b) => a.asked - b.asked)
}

function fromNothing(run: string, { seq, time }: LiveEvent): Tracked {
  return {
    run,
    text: '',
    status: 'queued',
    reason: null,
    reply: null,
    asked: seq,
    landed: null,
    undone: false,
    health: null,
    askedMs: time,
    endedMs: null,
    asking: null,
    doing: FIRST_WORDS.queued,
    thinks: false,
  }
}

function apply(run: Tracked, event: LiveEvent): void {
  const { type, data, time } = event
  const text = (key: string) => String((data[key] as string | number | undefined) ?? '')
  const go = (doing: string) => {
    run.doing = `${doing.charAt(0).toUpperCase()}${doing.slice(1)}`
    if (run.status === 'queued') run.status = 'running'
  }
  const end = (status: RunStatus, doing: string, reason: string | null) => Object.assign(run, { status, doing, reason, endedMs: time, asking: null })
  switch (type) {
    case 'message':
      if (data['role'] === 'user') {
        if (run.text === '') run.text = text('text')
      } else run.reply = text('text')
      break
    case 'run.start':
      return go('Planning')
    case 'budget.reserve':
      run.thinks = true
      break
    case 'question.ask':
      if (isOver(run)) break
      run.asking = { question: text('question'), questions: data['questions'] as Asking['questions'] }
      return go('Waiting for your answer')
    case 'question.answer':
      run.asking = null
      return isOver(run) ? undefined : go(data['by'] === 'person' ? 'Thinking about your answer' : 'Nobody answered; going on')
    case 'task.request':
      return go(text('instruction'))
    case 'tool.call':
      return go(text('summary'))
    case 'tool.result':
      if (data['ok'] !== true) go(`That did not work: ${text('summary')}`)
      break
    case 'receipt.verifier':
      return go(`Checked ${text('verifier')}: ${data['ok'] === true ? 'good' : 'not good'}`)
    case 'run.land':
      run.landed = event.seq
      return void end('landed', `Landed: ${text('summary')}`, null)
    // A run that only moves history is done by that.
    case 'undo':
    case 'restore':
      return isOver(run) ? undefined : void end('landed', 'Done', null)
    case 'checkpoint':
      return isOver(run) ? undefined : void end('landed', 'Saved this point', null)
    case 'health':
      run.health = data['verdict'] as TrackedRun['health']
      if (run.health === 'bad') run.doing = `The desktop is not well: ${text('why')}`
      break
    case 'run.discard':
      return void end('discarded', `Nothing was changed: ${text('reason')}`, text('reason'))
    case 'run.cancel':
      return void end('cancelled', stoppedWords(text('reason')), text('reason'))
    case 'run.revert':
      return void end('reverted', `Taken back: ${text('reason')}`, text('reason'))
    default:
  }
}

/** "Stopped: stopped by you" would say it twice. */
function stoppedWords(reason: string): string {
  return reason.startsWith('stopped') ? `S${reason.slice(1)}` : `Stopped: ${reason}`
}

/** An undo names the event that it takes back; a redo names the undo. */
function trackUndo(runs: ReadonlyMap<string, Tracked>, undoOf: Map<number, Tracked>, { seq, data }: LiveEvent): void {
  if (data['kind'] === 'redo') {
    const brought = undoOf.get(Number(data['target']))
    if (brought !== undefined) brought.undone = false
    return
  }
  const taken = data['kind'] === 'point' ? undefined : [...runs.values()].find(({ landed }) => landed === data['target'])
  if (taken === undefined) return
  taken.undone = true
  undoOf.set(seq, taken)
}
