import type { DataOf } from '@choiros/contract/catalog.ts'
import type { Entry } from '@choiros/contract/change.ts'
import { readEvent } from '@choiros/contract/event.ts'
import { TaskRequest } from '@choiros/contract/events/runs.ts'
import type { RunId, Seq } from '@choiros/contract/ids.ts'
import type { ContextPack, TaskContext } from '@choiros/contract/syscalls.ts'
import { fairShare } from '@choiros/core/fair-share.ts'
import { projectMemory } from '@choiros/core/memory/memory.ts'
import type { Computer } from '../computer/computer.ts'
import { remembered } from './notes.ts'

const FILES_MAX = 2000
const MESSAGES_MAX = 20
const RUNS_MAX = 10
const FAULTS_MAX = 5
const SETTING_BYTES_MAX = 4096
/** Which apps there are: a Director that does not know of one cannot open it. */
const APP = /^app\/apps\/[^/]+\/app\.tsx$/
const isSetting = (path: string) => path.startsWith('artifacts/system/') && path.endsWith('.json')

/** All that a Director is told about its computer: outlines, and the text of small settings only. */
export async function packContext(computer: Computer, run: RunId, model: boolean): Promise<ContextPack> {
  const { queries } = computer
  const entries = new Map<string, Entry>(queries.allEntries().filter(([, { kind }]) => kind === 'file'))
  const { chosen, unlisted } = fairShare([...entries.keys()], FILES_MAX, (path) => isSetting(path) || APP.test(path))
  const files: ContextPack['files'] = []
  for (const path of chosen) {
    const entry = entries.get(path)
    if (entry?.kind !== 'file') continue
    const isShown = isSetting(path) && entry.size <= SETTING_BYTES_MAX
    files.push({
      path,
      size: entry.size,
      text: isShown ? ((await computer.objects.find(entry.object))?.toString('utf8') ?? null) : null,
    })
  }
  const shown = withoutForgotten(computer)
  const runs = queries.runs(RUNS_MAX + 1).filter((other) => other.run !== run && other.status !== 'queued')
  return {
    files,
    unlisted: [...unlisted],
    messages: talkOf(computer, run),
    faults: faultsOf(queries),
    windows: queries.windows().map(({ app, title }) => ({ app, title })),
    runs: runs.map((other) => ({
      run: other.run,
      text: shown(other.text),
      status: other.undone ? 'undone' : other.status,
      seq: other.landed,
    })),
    memory: remembered(computer),
    model,
  }
}

function talkOf(computer: Computer, run: RunId): ContextPack['messages'] {
  const shown = withoutForgotten(computer)
  return computer.queries.talkBefore(run, MESSAGES_MAX).map(({ role, text }) => ({ role, text: shown(text) }))
}

const FORGOTTEN = '(something that the person asked to forget)'

/** What was to be forgotten is in the talk in which it was said, too: agents would go on by it. */
function withoutForgotten({ queries }: Computer): (text: string) => string {
  const gone = projectMemory(queries.notes()).filter(({ state }) => state === 'forgotten')
  return (text) => (gone.some((entry) => text.includes(entry.text)) ? FORGOTTEN : text)
}

const EVENTS_AT_ONCE = 500
const PAGES_MAX = 10

/** The last task that a run was given, as its Director said it; empty: none. */
export async function lastTaskOf({ log, queries }: Computer, run: RunId): Promise<string> {
  let after = ((queries.run(run)?.asked ?? 1) - 1) as Seq
  let task = ''
  for (let page = 0; page < PAGES_MAX; page++) {
    const events = (await log.read({ after, limit: EVENTS_AT_ONCE })).map(readEvent)
    for (const event of events)
      if (event.run === run && event.type === TaskRequest.type)
        task = (event.data as DataOf<typeof TaskRequest>).instruction
    after = events.at(-1)?.seq ?? after
    if (events.length < EVENTS_AT_ONCE) break
  }
  return task
}

const LATELY_MAX = 10
const BY: Readonly<Record<string, string>> = { agent: 'you or another agent', system: 'ChoirOS' }

/** What an Associate is told besides its task. `added`: what the person said since, and its Director knows already. */
export function packTaskContext(computer: Computer, run: RunId, today: string, added: readonly string[]): TaskContext {
  const { queries } = computer
  return {
    today,
    words: queries.run(run)?.text ?? '',
    talk: [...talkOf(computer, run), ...added.map((text) => ({ role: 'user', text }))],
    lately: queries
      .units(null, LATELY_MAX)
      .map(({ title, via, undone_by: by }) => ({ title, by: BY[via] ?? 'the person', undone: by !== null })),
    faults: faultsOf(queries),
  }
}

function faultsOf(queries: Computer['queries']): ContextPack['faults'] {
  return queries.faults(FAULTS_MAX).map(({ app, message, stack, count }) => ({ app, message, stack, count }))
}
