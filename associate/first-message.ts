import type { Remembered } from '@choiros/contract/memory-view.ts'
import type { TaskContext, VerifierReport } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import { dayWords } from '@choiros/core/day-words.ts'
import { memoryText } from '@choiros/core/memory/words.ts'
import { isDocument } from '@choiros/core/moods/signs.ts'
import { quoted } from '@choiros/core/quote.ts'
import { numbered } from '@choiros/guest/numbered-lines.ts'
import { outline } from './outline.ts'
import type { Stage } from './stage-folder.ts'
import { isForDocuments } from './system-text.ts'

export interface FirstMessageOptions {
  readonly task: DirectorTask
  readonly context: TaskContext
  readonly memory: readonly Remembered[]
  /** What the checks said of an attempt before this one. */
  readonly reports: readonly VerifierReport[]
  /** What that attempt has left on the stage. */
  readonly draft: readonly string[]
  readonly stage: Stage
}

const PATHS_SHOWN_MAX = 40
/** Files that are named are shown at once: nearly every task begins by reading them. */
const NAMED_MAX = 8
const NAMED_CHARS_MAX = 16_000
const NAMED_CHARS_IN_ALL = 48_000
const TALK_MAX = 8

/** What a good colleague would be told: everything once. What comes from others is quoted, each in one line. */
export function firstMessage({ task, context, memory, reports, draft, stage }: FirstMessageOptions): string {
  const bad = reports.filter((report) => !report.ok)
  const { instruction, acceptance_criteria: criteria, write_scope: scope } = task
  const { today, words, talk, lately, faults } = context
  return sections([
    ['What app/ consists of', isForDocuments(task) ? '' : outline(stage)],
    ['Documents', documents(stage)],
    ['What was changed last, newest first', lately.map(latelyLine).join('\n')],
    [
      'What was said before',
      talk
        .slice(-TALK_MAX)
        .map(({ role, text }) => `${role}: ${quoted(text)}`)
        .join('\n'),
    ],
    ['Errors lately', faults.map(faultLine).join('\n')],
    ['What is remembered', memory.length === 0 ? '' : memoryText(memory)],
    ['Today', dayWords(today)],
    ['The person said', words === instruction ? '' : quoted(words)],
    ['Your task', instruction],
    ['It is done when', criteria.map((one) => `- ${one}`).join('\n')],
    ['You may write', scope.join(', ')],
    [
      'What an earlier attempt left in your folder; go on from there, the tool diff shows it',
      draft.length === 0 ? '' : paths(draft),
    ],
    ['What the checks said of that attempt', bad.map(reportText).join('\n')],
    ['The files that are named', named(stage, `${instruction}\n${criteria.join('\n')}\n${words}`)],
  ])
}

/** Their names alone: without them, every task that is about one would begin with a search for it. */
function documents(stage: Stage): string {
  return paths(stage.list('artifacts/').filter(isDocument))
}

function sections(all: readonly (readonly [title: string, text: string])[]): string {
  return all
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `## ${title}\n${text}`)
    .join('\n\n')
}

function latelyLine({ title, by, undone }: TaskContext['lately'][number]): string {
  return `- ${by}: ${quoted(title)}${undone ? ' (taken back since)' : ''}`
}

function faultLine({ app, message, stack, count }: TaskContext['faults'][number]): string {
  return `- the app ${quoted(app)} stopped working (seen ${count} times): ${quoted(message)}${stack === '' ? '' : `, ${quoted(stack)}`}`
}

/**
 * Files whose paths, or whole names, stand in the words. Never a document: what anyone may have written comes before a
 * model as the result of a tool alone, where the supervisor sees it and the mood moves.
 */
export function namedFiles(stage: Stage, words: string): string[] {
  const said = new Set(words.match(/[\w@./-]*\w/g)?.map((word) => word.replace(/^\.?\//, '')) ?? [])
  return stage
    .list('')
    .filter((path) => !isDocument(path))
    .filter((path) => said.has(path) || (path.startsWith('app/') && said.has(path.slice(path.lastIndexOf('/') + 1))))
    .slice(0, NAMED_MAX)
}

function named(stage: Stage, words: string): string {
  let left = NAMED_CHARS_IN_ALL
  return namedFiles(stage, words)
    .flatMap((path) => {
      const text = stage.read(path)
      if (text === null || text.includes('\0') || text.length > Math.min(NAMED_CHARS_MAX, left)) return []
      left -= text.length
      return [`${path}:\n${numbered(text.split('\n'), 1)}`]
    })
    .join('\n\n')
}

function paths(draft: readonly string[]): string {
  const more = draft.length > PATHS_SHOWN_MAX ? ` and ${draft.length - PATHS_SHOWN_MAX} more` : ''
  return `${draft.slice(0, PATHS_SHOWN_MAX).map(quoted).join(', ')}${more}`
}

export function reportText({ verifier, problems, summary }: VerifierReport): string {
  return problems.length === 0
    ? `- ${verifier}: ${quoted(summary)}`
    : problems
        .map(
          ({ path, line, message }) =>
            `- ${verifier}: ${quoted(path)}${line === null ? '' : `, line ${line}`}: ${quoted(message)}`,
        )
        .join('\n')
}
