import type { EventData, RunStatus, RunView } from './contract.ts'
import type { LiveEvent } from './live.ts'

/** A run as a page shows it: what the list knew, and what the events have told since. */
export interface TrackedRun extends RunView {
  /** What it is doing now, in words. */
  readonly doing: string
  /** How many wishes are before it; 0 once it is at work or over. */
  readonly before: number
  /** A model is at work on it, and can be talked to. */
  readonly thinks: boolean
}

type Tracked = { -readonly [Key in keyof TrackedRun]: TrackedRun[Key] }

const FIRST_WORDS: Readonly<Record<RunStatus, string>> = {
  queued: 'Waiting for its turn',
  running: 'At work',
  landed: 'Done',
  answered: 'Answered',
  discarded: 'Nothing was changed',
  cancelled: 'Stopped',
  reverted: 'Taken back',
}

export function isOver({ status }: { status: RunStatus }): boolean {
  return status !== 'queued' && status !== 'running'
}

/** Every run that the list or an event names, in the order they were asked for. Events may be older than the list; what has ended stays ended. */
export function trackRuns(views: readonly RunView[], events: readonly LiveEvent[]): TrackedRun[] {
  const runs = new Map<string, Tracked>(
    views.map((view) => [
      view.run,
      {
        ...view,
        doing: FIRST_WORDS[view.status],
        before: 0,
        thinks: view.asking !== null && view.asking.questions.every(({ slot }) => slot === null),
      },
    ]),
  )
  const undoOf = new Map<number, Tracked>()
  const listedUpTo = Math.max(0, ...views.map(({ asked }) => asked))
  for (const event of events) {
    if (event.type === 'undo') trackUndo(runs, undoOf, event.seq, event.data)
    if (event.run === null) continue
    // One that is older than the list is over, or it would be in it; of its events perhaps only the last are known.
    if (!runs.has(event.run) && event.seq < listedUpTo) continue
    const known = runs.get(event.run) ?? fromNothing(event.run, event)
    runs.set(event.run, known)
    apply(known, event)
  }
  const ordered = [...runs.values()].sort((a, b) => a.asked - b.asked)
  let before = 0
  for (const run of ordered) {
    if (isOver(run)) continue
    run.before = before++
    if (run.status === 'queued' && run.before > 0) run.doing = `Waiting: ${ordinal(run.before)} in line`
  }
  return ordered
}

const CHECKS: Readonly<Record<string, string>> = {
  transform: 'the code can be read',
  types: 'the code fits together',
  policy: 'the rules are kept',
}

/** What a check looks at, in words. */
export function checkWords(verifier: string): string {
  return CHECKS[verifier] ?? verifier
}

/** 1st, 2nd, 3rd, 11th. */
export function ordinal(number: number): string {
  const teen = number % 100 > 10 && number % 100 < 14
  return `${number}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}

function fromNothing(run: string, { seq, time }: LiveEvent): Tracked {
  return {
    run,
    text: '',
    status: 'queued',
    reason: null,
    reply: null,
    offers: [],
    asked: seq,
    landed: null,
    undone: false,
    health: null,
    askedMs: time,
    endedMs: null,
    asking: null,
    doing: FIRST_WORDS.queued,
    before: 0,
    thinks: false,
  }
}

function apply(run: Tracked, event: LiveEvent): void {
  const { type, data, time } = event
  const go = (doing: string) => {
    run.doing = `${doing.charAt(0).toUpperCase()}${doing.slice(1)}`
    if (run.status === 'queued') run.status = 'running'
  }
  const end = (status: RunStatus, doing: string, reason: string | null) => Object.assign(run, { status, doing, reason, endedMs: time, asking: null })
  switch (type) {
    case 'message':
      if (data.role === 'user') {
        if (run.text === '') run.text = data.text
      } else {
        run.reply = data.text
        run.offers = data.offers
      }
      break
    case 'run.start':
      return go('Planning')
    case 'budget.reserve':
      run.thinks = true
      break
    case 'question.ask':
      if (isOver(run)) break
      run.asking = { question: data.question, questions: data.questions }
      return go('Waiting for your answer')
    case 'question.answer':
      run.asking = null
      return isOver(run) ? undefined : go(ANSWERED_WORDS[data.by])
    case 'task.request':
      return go(data.instruction)
    case 'tool.call':
      return go(data.summary)
    case 'tool.result':
      if (!data.ok) go(`That did not work: ${data.summary}`)
      break
    case 'receipt.verifier':
      return go(data.ok ? 'Checking that it works' : 'A check found a mistake')
    case 'run.land':
      run.landed = event.seq
      return void end('landed', data.summary, null)
    // A run that only moves history is done by that.
    case 'undo':
    case 'restore':
      return isOver(run) ? undefined : void end('landed', 'Done', null)
    case 'checkpoint':
      return isOver(run) ? undefined : void end('landed', 'Saved this point', null)
    case 'health':
      run.health = data.verdict
      if (run.health === 'bad') run.doing = `The desktop did not work with it: ${data.why}`
      break
    case 'run.answer':
      return void end('answered', 'Answered', null)
    case 'run.discard':
      return void end('discarded', `Nothing was changed: ${data.reason}`, data.reason)
    case 'run.cancel':
      return void end('cancelled', stoppedWords(data.reason), data.reason)
    case 'run.revert':
      return void end('reverted', `Taken back: ${data.reason}`, data.reason)
    default:
  }
}

const ANSWERED_WORDS: Readonly<Record<EventData['question.answer']['by'], string>> = {
  person: 'Going on with your answer',
  nobody: 'Nobody answered; going ahead without',
  withdrawn: 'Leaving it as it was',
}

/** "Stopped: stopped by you" would say it twice. */
function stoppedWords(reason: string): string {
  return reason.startsWith('stopped') ? `S${reason.slice(1)}` : `Stopped: ${reason}`
}

/** An undo names the event that it takes back; a redo names the undo. */
function trackUndo(runs: ReadonlyMap<string, Tracked>, undoOf: Map<number, Tracked>, seq: number, data: EventData['undo']): void {
  if (data.kind === 'redo') {
    const brought = undoOf.get(data.target)
    if (brought !== undefined) brought.undone = false
    return
  }
  const taken = data.kind === 'point' ? undefined : [...runs.values()].find(({ landed }) => landed === data.target)
  if (taken === undefined) return
  taken.undone = true
  undoOf.set(seq, taken)
}
