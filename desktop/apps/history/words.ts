import type { ApprovalWord, Caps, EventData } from '@choiros/sdk/contract.ts'
import { deedWords } from '@choiros/sdk/history.ts'
import { changesOf, type LiveEvent } from '@choiros/sdk/live.ts'
import { checkWords, moodWords, placeWords, progressWords } from '@choiros/sdk/track-runs.ts'
import type { Titles } from './rows.ts'

/** An event as a sentence. An unknown event is shown by its type: a history must have no gaps. */
export function inWords(event: LiveEvent, titles: Titles = new Map()): string {
  const words = WORDS[event.type] as ((event: LiveEvent, titles: Titles) => string) | undefined
  return words?.(event, titles) ?? `Something that this version of ChoirOS does not know (${event.type})`
}

type Words = {
  readonly [Type in LiveEvent['type']]: (
    event: Extract<LiveEvent, { readonly type: Type }>,
    titles: Titles,
  ) => string | null
}

const WORDS: Words = {
  'base.install': ({ data }) => `This computer was made, with ChoirOS ${data.release}`,
  // By the name that Undo has for it, where it is known.
  'file.change': (event, titles) =>
    `${titles.get(event.seq) ?? (event.data.manifest === null ? deedWords(event.data.changes) : 'Changed many files')}${from(event)}`,
  'undo': (event, titles) => undoWords(event, event.data, titles),
  'restore': (event, titles) =>
    `${who(event)} went back to ${pointWords(titles, event.data.to)}, files and windows${from(event)}`,
  'erase': (event) =>
    `${who(event)} ${event.data.why === 'room' ? 'removed old versions for good, to make room' : `erased versions for good: ${event.data.reason}`}`,
  'checkpoint': ({ data }) =>
    data.kind === 'automatic' ? 'A checkpoint was saved automatically' : `Checkpoint saved: ${data.name}`,
  'fork': ({ data }) =>
    `This computer became ${data.name}, ${data.how === 'import' ? 'imported' : 'forked'} from another`,
  'log.recover': () => 'What was lost from this computer’s history was recovered, as far as it could be found',

  'conversation.start': ({ data }) => `A conversation began: ${data.title}`,
  'message': ({ data }) =>
    `${data.role === 'user' ? 'You asked' : data.role === 'director' ? 'The Director said' : 'ChoirOS said'}: ${data.text}`,
  'question.ask': ({ data }) => `The Director asked you: ${data.questions.map((one) => one.text).join(' ')}`,
  'question.answer': ({ data }) => answerWords(data),

  'run.start': () => 'Work on it began',
  'run.land': ({ data }) => data.summary,
  'run.answer': () => 'It was answered; nothing had to be changed',
  'run.discard': progressWords,
  'run.cancel': progressWords,
  'run.revert': progressWords,
  'run.draft': progressWords,
  'run.draft.drop': progressWords,
  'task.request': ({ data }) => `The Director asked for: ${data.instruction}`,
  'task.result': ({ data }) => `The Associate answered: ${data.summary}`,
  'task.plan': ({ data }) =>
    `The Associate planned: ${data.items.map(({ text, state }) => (state === 'done' ? `${text} (done)` : text)).join('; ')}`,
  'tool.call': ({ data }) => `The Associate: ${data.summary}`,
  'tool.result': ({ data }) => `${data.ok ? 'It worked' : 'It did not work'}: ${data.summary}`,
  'receipt.read': ({ data }) =>
    `The Director read ${data.files === 1 ? (data.paths[0] ?? 'a file') : `${data.files} files`}`,
  'receipt.verifier': ({ data }) =>
    `${data.ok ? 'Checked' : 'A check failed'}: ${checkWords(data.verifier, data.means)}`,
  'run.picture': ({ data }) =>
    `A picture was taken of ${data.app === null ? 'the desktop' : data.app}, as it ${data.moment === 'before' ? 'was before' : 'is with the change'}`,
  'health': ({ data }) => healthWords(data),
  'render.error': ({ data }) => `The app ${data.app} stopped working: ${data.message}`,
  'render.well': ({ data }) => `The app ${data.app} works again`,

  'budget.reserve': () => 'A model was asked',
  'budget.settle': ({ data }) => `The model answered, with ${data.tokens.toLocaleString()} tokens in all`,
  'budget.cap': (event) => `${who(event)} set what a model may use${from(event)}: ${capWords(event.data)}`,

  'note.observation': (event) =>
    event.data.of === 'computer'
      ? `${agent(event.data)} noted, as seen: ${event.data.text}`
      : `${agent(event.data)} keeps what you said: ${event.data.text}`,
  'note.hypothesis': ({ data }) => `${agent(data)} supposes: ${data.text}`,
  'note.hyperthesis': ({ data }) => `${agent(data)} knows that it does not know: ${data.text}`,
  'note.conjecture': ({ data }) => `${agent(data)} guesses: ${data.text}`,
  'note.status': ({ data }) => `${agent(data)} says how far it is: ${data.text}`,
  'note.request.help': ({ data }) => `${agent(data)} would need help: ${data.text}`,
  'note.request.verify': ({ data }) => `${agent(data)} asks that this be checked: ${data.text}`,
  'memory.add': (event) => `${who(event)} told what to remember${from(event)}: ${event.data.text}`,
  'memory.correct': (event) => `${who(event)} corrected what is remembered${from(event)}: ${event.data.text}`,
  'memory.forget': (event) => forgetWords(event),
  'memory.back': (event) => `${who(event)} took back a change of what is remembered${from(event)}`,
  'run.mood': ({ data }) => `Its mood: ${moodWords(data)}`,
  'mood.pin': (event) =>
    `${who(event)} chose the mood of what is asked for from now on: ${moodWords({ ...event.data, why: '', by: 'rules' })}`,
  'mood.unpin': (event) => `${who(event)} left the mood to the rules again`,
  'lease.grant': ({ data }) => `For this task it may ${data.kind}: ${placeWords(data.scope)}`,
  'lease.revoke': (event) => `${who(event)} took back something that a run was allowed${from(event)}`,
  'receipt.policy': ({ data }) => `Refused: ${data.asked}, because ${data.why}`,
  'approval.ask': ({ data }) => `You were asked to allow something: ${data.risk}`,
  'approval.answer': (event) =>
    event.data.by === 'nobody'
      ? 'Nobody allowed it in time'
      : `${who(event)} said: ${APPROVED[event.data.answer]}${from(event)}`,
  'approval.revoke': (event) => `${who(event)} took back what was always allowed here${from(event)}`,

  'window.open': (event) => `${who(event)} opened ${event.data.title}`,
  'window.close': (event) => `${who(event)} closed a window`,
  'window.settle': (event) => `${who(event)} moved a window`,

  // What only logs of earlier releases hold.
  'work.create': ({ data }) => `Work to do: ${data.title}`,
  'work.close': ({ data }) => (data.outcome === 'done' ? 'The work is done' : 'The work was dropped'),
}

function agent({ by }: { readonly by: 'director' | 'associate' }): string {
  return by === 'director' ? 'The Director' : 'The Associate'
}

function forgetWords(event: Extract<LiveEvent, { readonly type: 'memory.forget' }>): string {
  const count = event.data.notes.length
  const what = count === 1 ? 'something that was remembered' : `${count} things that were remembered`
  return event.via === 'agent' ? `Forgotten, because you asked for it: ${what}` : `You removed ${what}${from(event)}`
}

const APPROVED: Readonly<Record<ApprovalWord, string>> = {
  once: 'allowed this once',
  run: 'allowed in this run',
  computer: 'always allowed on this computer',
  deny: 'not allowed',
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
