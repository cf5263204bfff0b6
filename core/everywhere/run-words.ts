import type { EventData, LiveEvent, RunStatus, RunView } from './contract.ts'

const STATE_WORDS: Readonly<Record<RunStatus, string>> = {
  queued: 'waiting',
  running: 'at work',
  landed: 'done',
  answered: 'answered, nothing changed',
  discarded: 'nothing changed',
  cancelled: 'stopped',
  reverted: 'taken back automatically',
}

/** What became of a run, in the same words wherever it is listed. */
export function stateWords({ status, undone }: Pick<RunView, 'status' | 'undone'>): string {
  return undone ? 'undone' : STATE_WORDS[status]
}

const ANSWERED_WORDS: Readonly<Record<EventData['question.answer']['by'], string>> = {
  person: 'Going on with your answer',
  nobody: 'Nobody answered; going ahead without',
  withdrawn: 'Leaving it as it was',
}

/** What a run does from this event on, or how it ended by it; null if the event says nothing about that. */
export function progressWords({ type, data }: LiveEvent): string | null {
  switch (type) {
    case 'run.start':
      return 'Planning'
    case 'question.ask':
      return 'Waiting for your answer'
    case 'question.answer':
      return ANSWERED_WORDS[data.by]
    case 'task.request':
      return withCapital(short(data.instruction))
    case 'tool.call':
      return withCapital(data.summary)
    case 'tool.result':
      return data.ok ? null : `That did not work: ${firstWords(data.summary)}`
    case 'receipt.verifier':
      return data.ok ? 'Checking that it works' : 'A check found a mistake; nothing of it is kept'
    case 'receipt.policy':
      return `Not allowed: ${data.why}`
    case 'approval.ask':
      return 'Waiting for you to allow something: see the card at the top'
    case 'approval.answer':
      return data.answer === 'deny' ? 'You did not allow it' : 'Going on, as you allowed'
    case 'lease.revoke':
      return 'You took back something that it was allowed'
    case 'undo':
      return data.kind === 'redo' ? 'Brought back what was taken back' : 'Took back a change'
    case 'restore':
      return 'Went back to an earlier point'
    case 'checkpoint':
      return data.kind === 'user' ? `Saved this point as “${data.name}”` : null
    case 'run.land':
      return data.summary
    case 'health':
      return data.verdict === 'bad' ? `The desktop did not work with it: ${data.why}` : null
    case 'run.answer':
      return 'Answered'
    case 'run.discard':
      return `Nothing was changed: ${data.reason}`
    case 'run.cancel':
      return data.by === 'person' ? 'Stopped by you' : `Stopped: ${data.reason}`
    case 'run.revert':
      return data.goesOn
        ? `Taken back automatically, and being mended: ${data.reason}`
        : `Taken back automatically: ${data.reason}`
    case 'run.draft':
      return 'What it did so far is kept'
    case 'run.draft.drop':
      return 'What it had left is forgotten'
    default:
      return null
  }
}

const CHECKS: Readonly<Record<string, string>> = {
  transform: 'the code can be read',
  types: 'the code fits together',
  policy: 'the rules are kept',
  render: 'it comes up in a browser',
  test: 'its own tests pass',
}

/** What a check looks at, in words; `means`: how it did. */
export function checkWords(verifier: string, means: EventData['receipt.verifier']['means'] = 'reading'): string {
  if (verifier === 'render' && means === 'server') return 'it can be shown (tried without a browser)'
  return CHECKS[verifier] ?? verifier
}

const SHORT_CHARS_MAX = 120

/** As much as fits a line: what agents tell each other is long, and whole in Runs. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > SHORT_CHARS_MAX ? `${line.slice(0, SHORT_CHARS_MAX).toWellFormed().trimEnd()}…` : line
}

/** Of a long message only what comes before its details: those are for whoever has to mend it. */
function firstWords(text: string): string {
  return text.length > SHORT_CHARS_MAX
    ? short(text.slice(0, text.search(/: |\n/) + 1 || undefined).replace(/:$/, ''))
    : text
}

function withCapital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
