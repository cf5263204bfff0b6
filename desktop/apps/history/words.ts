import type { Caps, EventData } from '@choiros/sdk/contract.ts'
import { deedWords } from '@choiros/sdk/history.ts'
import { changesOf, type LiveEvent } from '@choiros/sdk/live.ts'
import { checkWords, progressWords } from '@choiros/sdk/track-runs.ts'
import type { Titles } from './rows.ts'

/** An event as a sentence. An unknown event is shown by its type: a history must have no gaps. */
export function inWords(event: LiveEvent, titles: Titles = new Map()): string {
  const { type, data } = event
  switch (type) {
    case 'base.install':
      return `This computer was made, with ChoirOS ${data.release}`
    case 'file.change':
      // By the name that Undo has for it, where it is known.
      return `${titles.get(event.seq) ?? (data.manifest === null ? deedWords(data.changes) : 'Changed many files')}${from(event)}`
    case 'run.land':
      return data.summary
    case 'undo':
      return undoWords(event, data, titles)
    case 'restore':
      return `${who(event)} went back to ${pointWords(titles, data.to)}, files and windows${from(event)}`
    case 'erase':
      return `${who(event)} ${data.why === 'room' ? 'removed old versions for good, to make room' : `erased versions for good: ${data.reason}`}`
    case 'conversation.start':
      return `A conversation began: ${data.title}`
    case 'message':
      return `${data.role === 'user' ? 'You asked' : data.role === 'director' ? 'The Director said' : 'ChoirOS said'}: ${data.text}`
    case 'question.ask':
      return `The Director asked you: ${data.questions.map((one) => one.text).join(' ')}`
    case 'question.answer':
      return answerWords(data)
    case 'run.start':
      return 'Work on it began'
    case 'task.request':
      return `The Director asked for: ${data.instruction}`
    case 'tool.call':
      return `The Associate: ${data.summary}`
    case 'tool.result':
      return `${data.ok ? 'It worked' : 'It did not work'}: ${data.summary}`
    case 'task.result':
      return `The Associate answered: ${data.summary}`
    case 'run.answer':
      return 'It was answered; nothing had to be changed'
    case 'receipt.verifier':
      return `${data.ok ? 'Checked' : 'A check failed'}: ${checkWords(data.verifier)}`
    case 'health':
      return healthWords(data)
    case 'checkpoint':
      return data.kind === 'automatic' ? 'A checkpoint was saved automatically' : `Checkpoint saved: ${data.name}`
    case 'fork':
      return `This computer became ${data.name}, ${data.how === 'import' ? 'imported' : 'forked'} from another`
    case 'log.recover':
      return 'What was lost from this computer’s history was recovered, as far as it could be found'
    case 'budget.reserve':
      return 'A model was asked'
    case 'budget.settle':
      return `The model answered, with ${data.tokens.toLocaleString()} tokens in all`
    case 'budget.cap':
      return `${who(event)} set what a model may use${from(event)}: ${capWords(data)}`
    case 'render.error':
      return `The app ${data.app} stopped working: ${data.message}`
    case 'render.well':
      return `The app ${data.app} works again`
    case 'window.open':
      return `${who(event)} opened ${data.title}`
    case 'window.close':
      return `${who(event)} closed a window`
    case 'window.settle':
      return `${who(event)} moved a window`
    case 'run.discard':
    case 'run.cancel':
    case 'run.revert':
    case 'run.draft':
    case 'run.draft.drop':
      return progressWords(event) ?? type
    default:
      return oldWords(event)
  }
}

/** What only logs of earlier releases hold. */
function oldWords({ type, data }: LiveEvent): string {
  if (type === 'work.create') return `Work to do: ${data.title}`
  if (type === 'work.close') return data.outcome === 'done' ? 'The work is done' : 'The work was dropped'
  return `Something that this version of ChoirOS does not know (${type})`
}

function answerWords({ answers, by }: EventData['question.answer']): string {
  const said = [...new Set(answers)].join(', ')
  if (by === 'person') return `You answered: ${said}`
  if (by === 'withdrawn') return `You said something else instead: ${said}`
  return said === '' ? 'Nobody answered, so nothing was chosen' : `Nobody answered, so this was taken: ${said}`
}

function healthWords({ verdict, why }: EventData['health']): string {
  switch (verdict) {
    case 'ok':
      return 'The desktop works with it'
    case 'bad':
      return `The desktop did not work with it${why === '' ? '' : `: ${why}`}`
    case 'unknown':
      return 'The desktop was not open, so it could not be tried out yet'
  }
}

function capWords({ run, day, computer, micros }: Caps): string {
  const tokens = (count: number | null, when: string) =>
    count === null ? [] : [`${count.toLocaleString()} tokens ${when}`]
  const money = micros === null ? [] : [`${(micros / 1e6).toFixed(2)} a day at your prices`]
  return [...tokens(run, 'a run'), ...tokens(day, 'a day'), ...tokens(computer, 'in all'), ...money].join(', ')
}

function undoWords(event: LiveEvent, { kind, target }: EventData['undo'], titles: Titles): string {
  const title = titles.get(target)
  if (kind === 'point') return `${who(event)} went back to ${pointWords(titles, target)}${from(event)}`
  const verb = kind === 'redo' ? 'Redo' : 'Undo'
  const did = kind === 'redo' ? 'brought back' : 'took back'
  return title === undefined
    ? `${verb}: ${who(event).toLowerCase()} ${did} an earlier change${from(event)}`
    : `${verb}: ${title}${from(event)}`
}

function pointWords(titles: Titles, seq: number): string {
  const name = titles.get(seq)
  return name === undefined ? 'an earlier point' : `“${name}”`
}

/** Who did it and where, for a list of deeds. */
export function byWhom({ via }: { readonly via: string }): string {
  const place = PLACES[via]
  return via === 'agent' ? 'The agents, for you' : place === undefined ? 'You' : `You,${place}`
}

function who({ via }: LiveEvent): string {
  return via === 'agent' ? 'The agents' : via === 'system' ? 'ChoirOS' : 'You'
}

const PLACES: Readonly<Record<string, string>> = {
  cli: ' from the command line',
  terminal: ' in a terminal',
  frame: ' from the frame',
}

function from({ via }: LiveEvent): string {
  return PLACES[via] ?? ''
}

export function changesFiles(event: LiveEvent): boolean {
  return (
    event.type !== 'base.install' &&
    (changesOf(event).length > 0 || ('manifest' in event.data && event.data.manifest !== null))
  )
}

export function timeText(time: number, now: number): string {
  const date = new Date(time)
  const clock = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const sameDay = date.toDateString() === new Date(now).toDateString()
  return sameDay ? clock : `${date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })} ${clock}`
}
