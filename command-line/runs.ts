import { setTimeout as delay } from 'node:timers/promises'
import type { DataOf, QuestionAsk } from '@choiros/contract/catalog.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Event } from '@choiros/contract/event.ts'
import { RunId } from '@choiros/contract/ids.ts'
import { take } from './arguments.ts'
import { given, toPath } from './given.ts'
import type { Client } from './client.ts'
import type { Command } from './command.ts'
import { diffText, wholeDiff } from './diff.ts'
import { inLines, inOneLine } from './text.ts'

export const prompt: Command = async ({ client, positionals, values, show, stdout, json }) => {
  const [text = ''] = take(positionals, ['"WHAT YOU WANT"'])
  if (!values.wait && !(await client.run('status', {})).running)
    throw new ChoirError('supervisor.unreachable', 'ChoirOS is not running, so nobody would do it: say --wait, or start it with "npm start"')
  const asked = await client.run('prompt', { text, wishes: [] })
  if (!values.wait) {
    const open = (await client.run('run.list', { limit: 200 })).filter(
      ({ status, asked: at }) => (status === 'queued' || status === 'running') && at < asked.asked,
    )
    const place = open.length === 0 ? '' : `, ${open.length} before it`
    return show(asked, `asked${place}; "choir runs" shows what becomes of it (its id is ${asked.run})`)
  }
  const tell = (line: string) => void (json || stdout.write(`${inLines(line, '  ')}\n`))
  await untilEnded(client, asked, tell)
  const run = await client.run('run.get', { run: asked.run })
  show(run, `${run.reply === null ? '' : `${inLines(run.reply)}\n`}${runText(run)}`)
  return run.status === 'landed' || run.status === 'answered'
}

export const runs: Command = async ({ client, positionals, values, show }) => {
  if (values.diff !== undefined) {
    const [path] = take(positionals, ['PATH'], 1)
    const diff = await wholeDiff(client, given(RunId, values.diff), path === undefined ? null : toPath(path))
    return show(diff, diffText(diff))
  }
  take(positionals, [])
  const list = await client.run('run.list', { limit: 200 })
  show(list, list.length === 0 ? 'nothing has been asked for yet: "choir prompt" asks' : list.map(runText).join('\n'))
}

/** Tells the run at work more. */
export const steer: Command = async ({ client, positionals, show }) => {
  const [text = ''] = take(positionals, ['"WHAT TO MIND"'])
  const [open] = (await client.run('run.list', { limit: 200 })).filter(({ status }) => status === 'running')
  if (open === undefined) throw new ChoirError('run.unknown', 'nothing is at work that could be told more')
  show(await client.run('steer', { run: open.run, text }), 'it will hear that before its next step')
}

/** Answers what the run at work asks. */
export const answer: Command = async ({ client, positionals, show }) => {
  const open = (await client.run('run.list', { limit: 200 })).find(({ asking }) => asking !== null)
  if (open?.asking === undefined || open.asking === null) throw new ChoirError('run.unknown', 'nothing is being asked')
  const answers = open.asking.questions.map((_, index) => positionals[index] ?? '')
  if (positionals.length > answers.length)
    throw new ChoirError('request.invalid', `there ${answers.length === 1 ? 'is only one question' : `are only ${answers.length} questions`}`)
  show(await client.run('answer', { run: open.run, question: open.asking.question, answers }), 'answered')
}

const STATUS_WORDS: Readonly<Record<RunView['status'], string>> = {
  queued: 'waiting',
  running: 'at work',
  landed: 'done',
  answered: 'answered',
  discarded: 'nothing changed',
  cancelled: 'stopped',
  reverted: 'taken back',
}

function runText({ run, text, status, reason, undone, health }: RunView): string {
  const more = undone
    ? ', undone since'
    : status === 'landed' && health === 'unknown'
      ? ', not tried out in an open desktop yet'
      : reason === null
        ? ''
        : `: ${reason}`
  return `${run}  ${STATUS_WORDS[status].padEnd(15)}  ${inOneLine(`${text}${more}`)}`
}

const LOOK_EVERY_MS = 100

/**
 * Watches the run to its very end: until it was discarded, stopped or taken back, or the pages have said that it is well. It asks again and again instead of
 * following: where nothing runs, the supervisor that was started for this lives only as long as the connection that asks.
 */
async function untilEnded(client: Client, { run, asked }: RunView, tell: (line: string) => void): Promise<void> {
  let ended = false
  let landed = false
  let done = false
  for (let after: number = asked; !done; await delay(LOOK_EVERY_MS)) {
    // Read to the end, also when it is over: to leave in the middle would hang up.
    for await (const event of client.events({ after, follow: false })) {
      after = event.seq
      if (event.run !== run || done) continue
      const words = inWords(event)
      if (words !== null) tell(words)
      if (event.type === 'run.land') landed = true
      else if (['run.discard', 'run.answer'].includes(event.type) || (!landed && ['undo', 'restore', 'checkpoint'].includes(event.type))) ended = true
      done =
        event.type === 'run.cancel' ||
        event.type === 'run.revert' ||
        (event.type === 'health' && event.data.verdict !== 'bad') ||
        (event.type === 'message' && (ended || (landed && event.data.role === 'system')))
    }
  }
}

function inWords({ type, data }: Event): string | null {
  switch (type) {
    case 'run.start':
      return 'planning'
    case 'task.request':
      return String(data.instruction)
    case 'question.ask': {
      const { questions } = data as DataOf<typeof QuestionAsk>
      const lines = questions.map(
        ({ text, choices, fallback }) => `? ${text}${choices.length > 0 ? ` (${choices.join(', ')})` : ''}${fallback === '' ? '' : ` [${fallback}]`}`,
      )
      return [...lines, 'answer in another window: choir prompt "…", or choir answer "…" with one for each question'].join('\n')
    }
    case 'receipt.verifier':
      return `checked (${String(data.verifier)}): ${String(data.summary)}`
    case 'run.land':
      return `done: ${String(data.summary)}`
    case 'run.revert':
      return `taken back automatically: ${String(data.reason)}`
    default:
      return null
  }
}
