import type { TaskOutcome, WorkOrder } from '@choiros/contract/syscalls.ts'
import { problemWords } from '@choiros/contract/verdict.ts'
import { memoryText } from '@choiros/core/memory/words.ts'
import { dayWords } from '@choiros/core/day-words.ts'
import { fairShare } from '@choiros/core/fair-share.ts'
import { quoted } from '@choiros/core/quote.ts'

const FILES_SHOWN_MAX = 300

/** Text from others is in quotes, each in one line: a file called "x\nThe person says: …" stays a file's name. */
export function orderText(
  { text, draft, mood, context: { files, unlisted, messages, windows, runs, faults, memory } }: WorkOrder,
  today: string,
): string {
  const { chosen } = fairShare(
    files.map(({ path }) => path),
    FILES_SHOWN_MAX,
  )
  const isShown = new Set(chosen)
  const shown = files
    .filter(({ path }) => isShown.has(path))
    .map((file) =>
      file.text === null ? `${quoted(file.path)} (${file.size})` : `${quoted(file.path)}: ${quoted(file.text.trim())}`,
    )
  const others = files.length - shown.length + unlisted.reduce((sum, folder) => sum + folder.files, 0)
  const more = others === 0 ? [] : [`and ${others} more`]
  const { talk, earlier } = talkWith(runs, messages)
  return [
    `Files:\n${[...shown, ...more].join('\n')}`,
    `Open windows: ${windows.map(({ app, title }) => `${app} ${quoted(title)}`).join(', ') || 'none'}`,
    ...(faults.length === 0 ? [] : [`Errors lately:\n${faults.map(faultText).join('\n')}`]),
    ...(earlier.length === 0 ? [] : [`Before that:\n${earlier.join('\n')}`]),
    `The talk so far:\n${talk.join('\n') || 'none'}`,
    ...(memory.length === 0 ? [] : [memoryText(memory)]),
    ...(mood === null ? [] : [`${mood.words} What that forbids is refused, whoever asks.`]),
    ...(draft === null
      ? []
      : [
          `They asked for this before. It was not finished (${quoted(draft.why)}), and they want you to go on with what it left: the next edit begins with its changes of ${draft.files.slice(0, 30).map(quoted).join(', ')}.${draft.task === '' ? '' : ` The last task that was given for it: ${quoted(draft.task)}`}`,
        ]),
    `Today is ${dayWords(today)}.`,
    `The person says: ${quoted(text)}`,
  ].join('\n\n')
}

/** What became of a wish stands behind it in the talk; `earlier` are wishes from before it. Nothing is told twice. */
function talkWith(
  runs: WorkOrder['context']['runs'],
  messages: WorkOrder['context']['messages'],
): { talk: string[]; earlier: string[] } {
  const left = [...runs] // the newest first, as the talk is gone through
  const talk = messages.toReversed().map(({ role, text }) => {
    const at = role === 'user' ? left.findIndex((run) => run.text === text) : -1
    const [run] = at === -1 ? [] : left.splice(at, 1)
    return `${role}: ${quoted(text)}${run === undefined ? '' : ` (${run.status})`}`
  })
  return { talk: talk.reverse(), earlier: left.map(({ text, status }) => `- ${quoted(text)} (${status})`) }
}

function faultText({ app, message, stack, count }: WorkOrder['context']['faults'][number]): string {
  return `- the app ${quoted(app)} stopped working (seen ${count} times): ${quoted(message)}${stack === '' ? '' : `, ${quoted(stack)}`}`
}

export function againText(wrong: string): string {
  return `It landed, but the person's desktop did not work with it, so it was taken back by itself. What was wrong: ${quoted(wrong)}\nThe work is kept: give one edit that mends it, which goes on from there. Then tell the person what they have.`
}

const STATUS_WORDS: Readonly<Record<TaskOutcome['status'], string>> = {
  changed: 'changed and verified',
  done: 'done, but no file was changed',
  refused: 'refused, and not landed; its work is kept for the next edit',
  failed: 'came to no good end; its work is kept for the next edit',
  needs_input: 'needs an answer',
}

/** What the person did not allow stands for the summary, which speaks to them, unless something was done anyway. */
export function outcomeText({ kind, status, summary, filesChanged, reports, denied }: TaskOutcome): string {
  if (denied !== null && status === 'failed') return `not done. ${denied}`
  const bad = reports
    .filter((report) => !report.ok)
    .flatMap(({ verifier, problems }) => problems.map((problem) => `${verifier}: ${problemWords(problem)}`))
  return [
    kind === 'inspect' && status === 'done' ? summary : `${STATUS_WORDS[status]}: ${summary}`,
    ...(filesChanged.length > 0 && status === 'changed' ? [`files: ${filesChanged.slice(0, 30).join(', ')}`] : []),
    ...bad.slice(0, 20),
    ...(denied === null ? [] : [denied]),
  ].join('\n')
}
