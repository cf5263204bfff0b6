import { setTimeout as delay } from 'node:timers/promises'
import type { RunView } from '@choiros/contract/run-view.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Event } from '@choiros/contract/event.ts'
import { RunId } from '@choiros/contract/ids.ts'
import type { LiveEvent } from '@choiros/core/everywhere/contract.ts'
import { notableMood } from '@choiros/core/everywhere/mood-words.ts'
import { isOver } from '@choiros/core/everywhere/run-projection.ts'
import { progressWords, stateWords } from '@choiros/core/everywhere/run-words.ts'
import { take } from './arguments.ts'
import { given, toPath } from './given.ts'
import type { Client } from './client.ts'
import type { Command } from './command.ts'
import { diffText, wholeDiff } from './diff.ts'
import { savePictures } from './pictures.ts'
import { inLines, inOneLine } from './text.ts'

export const prompt: Command = async ({ client, positionals, values, show, stdout, json }) => {
  const [text = ''] = take(positionals, ['"WHAT YOU WANT"'])
  if (!values.wait && !(await client.run('status', {})).running)
    throw new ChoirError(
      'supervisor.unreachable',
      'ChoirOS is not running, so nobody would do it: say --wait, or start it with "npm start"',
    )
  const asked = await client.run('prompt', { text, wishes: [] })
  if (!values.wait) {
    const open = (await client.run('run.list', { limit: 200 })).filter((run) => !isOver(run) && run.asked < asked.asked)
    const place = open.length === 0 ? '' : `, ${open.length} before it`
    return show(asked, `asked${place}; "choir runs" shows what becomes of it (its id is ${asked.run})`)
  }
  return toItsEnd({ client, show, stdout, json }, asked)
}

/** Tells what becomes of a run, and whether it ended well. */
async function toItsEnd(
  { client, show, stdout, json }: Pick<Parameters<Command>[0], 'client' | 'show' | 'stdout' | 'json'>,
  asked: RunView,
): Promise<boolean> {
  const tell = (line: string) => void (json || stdout.write(`${inLines(line, '  ')}\n`))
  await untilEnded(client, asked, tell)
  const run = await client.run('run.get', { run: asked.run })
  show(run, `${run.reply === null ? '' : `${inLines(run.reply)}\n`}${runText(run)}`)
  return run.status === 'landed' || run.status === 'answered'
}

export const runs: Command = async ({ client, positionals, values, show, stdout, json }) => {
  if (values.continue !== undefined) {
    take(positionals, [])
    const asked = await client.run('run.continue', { run: given(RunId, values.continue) })
    if (values.wait) return toItsEnd({ client, show, stdout, json }, asked)
    return show(asked, `asked again, beginning with what it left (its id is ${asked.run})`)
  }
  if (values.drop !== undefined) {
    take(positionals, [])
    return show(await client.run('run.drop', { run: given(RunId, values.drop) }), 'what it left is forgotten')
  }
  if (values.diff !== undefined) {
    const [path] = take(positionals, ['PATH'], 1)
    const diff = await wholeDiff(client, given(RunId, values.diff), path === undefined ? null : toPath(path))
    return show(diff, diffText(diff))
  }
  if (values.pictures !== undefined) {
    const [folder = ''] = take(positionals, ['FOLDER'])
    const saved = await savePictures(client, given(RunId, values.pictures), folder)
    return show(saved, saved.length === 0 ? 'there are no pictures of this run' : saved.join('\n'))
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
    throw new ChoirError(
      'request.invalid',
      `there ${answers.length === 1 ? 'is only one question' : `are only ${answers.length} questions`}`,
    )
  show(await client.run('answer', { run: open.run, question: open.asking.question, answers }), 'answered')
}

function runText(view: RunView): string {
  const { run, text, status, reason, undone, health, draft, mood } = view
  const felt = notableMood(mood)
  const more =
    status === 'landed' && health === 'unknown' && !undone
      ? ', not tried out in an open desktop yet'
      : reason === null
        ? ''
        : `: ${reason}${draft === null ? '' : ` (its work is kept: choir runs --continue ${run})`}`
  return `${run}  ${stateWords(view).padEnd(15)}  ${inOneLine(`${text}${more}${felt === null ? '' : ` (${felt})`}`)}`
}

const LOOK_EVERY_MS = 100

/**
 * Watches the run to its very end: until it was discarded, stopped or taken back, or the pages have said that it works.
 * It asks again and again instead of following: a supervisor that was started for this command lives only as long as
 * the connection that asks.
 */
async function untilEnded(client: Client, { run, asked }: RunView, tell: (line: string) => void): Promise<void> {
  let ended = false
  let landed = false
  let done = false
  for (let after: number = asked; !done; await delay(LOOK_EVERY_MS)) {
    // Read to the end, even when the run is over: leaving in the middle would close the connection.
    for await (const event of client.events({ after, follow: false })) {
      after = event.seq
      if (event.run !== run || done) continue
      const words = inWords(event)
      if (words !== null) tell(words)
      if (event.type === 'run.land') landed = true
      else if (event.type === 'run.revert' && event.data.goesOn === true) landed = false
      else if (
        ['run.discard', 'run.answer'].includes(event.type) ||
        (!landed && ['undo', 'restore', 'checkpoint'].includes(event.type))
      )
        ended = true
      // The last word comes when the pages have been asked, too.
      done =
        event.type === 'run.cancel' ||
        (event.type === 'run.revert' && event.data.goesOn !== true) ||
        (event.type === 'message' && (ended || landed))
    }
  }
}

function inWords(event: Event): string | null {
  // Every event is read in its newest version, for which these words are made.
  const live = event as unknown as LiveEvent
  if (live.type === 'receipt.verifier') return `Checked (${live.data.verifier}): ${live.data.summary}`
  if (live.type === 'approval.ask')
    return `! ${live.data.risk}\nanswer in another window: choir approve once, run, computer or deny`
  if (live.type !== 'question.ask') return TOLD.has(live.type) ? progressWords(live) : null
  const lines = live.data.questions.map(
    ({ text, choices, fallback }) =>
      `? ${text}${choices.length > 0 ? ` (${choices.join(', ')})` : ''}${fallback === '' ? '' : ` [${fallback}]`}`,
  )
  return [...lines, 'answer in another window: choir prompt "…", or choir answer "…" with one for each question'].join(
    '\n',
  )
}

/** Events that get a line of their own; how the run ends is said with the answer. */
const TOLD: ReadonlySet<string> = new Set(['run.start', 'task.request', 'run.land', 'run.revert'])
