import { LIMITS } from '@choiros/contract/limits.ts'
import type { SentBack, TaskContext, VerifierReport } from '@choiros/contract/syscalls.ts'
import type { Remembered } from '@choiros/contract/memory-view.ts'
import type { AssociateResult, DirectorTask, Tool } from '@choiros/contract/tasks.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { firstMessage } from './first-message.ts'
import { followRecipe } from './tools/follow-recipe.ts'
import { inspectStage } from './inspect.ts'
import { runCommand } from './tools/run-command.ts'
import type { Stage } from './stage-folder.ts'
import { createThinker } from './think.ts'
import { createNotes } from './tools/note.ts'
import { createOutputs } from './tools/outputs.ts'
import type { Workbench } from './tools/tool.ts'

export interface WorkOptions {
  readonly calls: Syscalls
  readonly stage: Stage
  /** The SDK's sources. */
  readonly sdk: Stage
  /** The tree that the task started from. */
  readonly base: Stage
  /** What the verifiers said about an attempt before this one. */
  readonly reports: readonly VerifierReport[]
  /** What it has left on this stage: the paths that differ from the tree. */
  readonly draft: readonly string[]
  readonly context: TaskContext
  readonly memory: readonly Remembered[]
  /** Where commands run: the stage's own folder. */
  readonly folder: string
  verifier: Workbench['verifier']
  readonly eyes: Workbench['eyes']
  newId(): string
}

type Result = Pick<AssociateResult, 'status' | 'summary'> & Partial<AssociateResult>

/**
 * Does one task and says how it ended; what is sent back is gone on with where that can be. Never rejects because of
 * the work: if an Associate ended without a word, the Director would have to guess.
 */
export async function doTask(task: DirectorTask, options: WorkOptions): Promise<void> {
  const work = kinds[task.kind](task, options)
  for (let sentBack: SentBack | null = null; ;) {
    const result: Result = await work(sentBack).catch((error: unknown) => failed(error))
    const { again }: { again: SentBack | null } = await options.calls.call('task.finish', whole(task, result))
    if (again === null) return
    sentBack = again
  }
}

function failed(error: unknown): Result {
  return { status: 'failed', summary: error instanceof Error ? error.message : String(error) }
}

function whole(task: DirectorTask, result: Result): AssociateResult {
  const words = (text = '') => text.toWellFormed().slice(0, SUMMARY_CHARS_MAX)
  return {
    files_changed: [],
    commands_run: [],
    missing: null,
    questions: [],
    ...result,
    task_id: task.task_id,
    summary: words(result.summary),
    reply: words(result.reply),
  }
}

const SUMMARY_CHARS_MAX = Math.floor(LIMITS.messageBytesMax / 3)

type Work = (again: SentBack | null) => Promise<Result>

function think(task: DirectorTask, options: WorkOptions): Work {
  const { calls, newId } = options
  const tell: Workbench['tell'] = (items) => calls.call('task.plan', { items })
  return createThinker(task, {
    calls,
    newId,
    guide: options.sdk.read('GUIDE.md') ?? '',
    first: firstMessage({ ...options, task }),
    bench: {
      ...options,
      scope: task.write_scope,
      commandMsMax: task.time_budget_s * 900, // A tenth is left to say how it ended.
      outputs: createOutputs(),
      notes: createNotes(calls),
      tell,
    },
  }).work
}

const kinds: Record<DirectorTask['kind'], (task: DirectorTask, options: WorkOptions) => Work> = {
  edit_repo(task, options) {
    if (task.recipes.length > 0) return () => followRecipes(task, options)
    return think(task, options)
  },
  run: (task, options) => () => runCommands(task, options),
  inspect(task, options) {
    // A question in words needs somebody who can read; what a recipe wants to know is in the files.
    if (task.recipes.length === 0 && task.allowed_tools.includes('search')) return think(task, options)
    return () =>
      useTool(options, 'read', 'looks around', async () =>
        inspectStage(options.stage, task.recipes[0]?.parameters ?? {}),
      )
  },
  git: () => async () => ({ status: 'failed', summary: 'history is not the Associate’s to move' }),
}

async function followRecipes(task: DirectorTask, options: WorkOptions): Promise<Result> {
  const summaries: string[] = []
  const told: string[] = []
  const changed = new Set<string>()
  for (const { name, parameters } of task.recipes) {
    const { summary, note, missing, writes, removes } = await useTool(
      options,
      'recipe',
      `follows the recipe ${name}`,
      async () => followRecipe(options.stage, task.write_scope, name, parameters),
    )
    if (missing !== null)
      return { status: 'failed', summary, missing: missing as NonNullable<AssociateResult['missing']> }
    summaries.push(summary)
    told.push(note === '' ? summary : `${summary} ${note}`)
    for (const path of [...writes.map((write) => write.path), ...removes]) changed.add(path)
  }
  return {
    status: 'ok',
    summary: summaries.join(' '),
    reply: told.join(' '),
    files_changed: [...changed].slice(0, LIMITS.inlineChangesMax) as AssociateResult['files_changed'],
  }
}

/** Where our own programs lie means nothing to the person who reads it. */
function shortName(word: string): string {
  return word.startsWith('/opt/choir/') ? word.slice(word.lastIndexOf('/') + 1) : word
}

const LOG_CHARS_MAX = 12_000

async function runCommands(task: DirectorTask, options: WorkOptions): Promise<Result> {
  const endMs = performance.now() + task.time_budget_s * 900 // A tenth is left for the report.
  const runs: AssociateResult['commands_run'] = []
  for (const command of task.commands) {
    const limits = { wallClockMs: Math.max(1, endMs - performance.now()), outputBytesMax: 64 * 1024 }
    const run = await useTool(options, 'shell', `runs ${command.map(shortName).join(' ').slice(0, 200)}`, () =>
      runCommand(command, options.folder, limits),
    )
    runs.push({ ...run, log: run.log.slice(-LOG_CHARS_MAX).toWellFormed() })
  }
  const bad = runs.filter(({ exit_code }) => exit_code !== 0)
  const summary =
    bad.length === 0
      ? `All ${runs.length} commands ended well.`
      : `${bad.length} of ${runs.length} commands did not end well.`
  return { status: 'ok', summary, commands_run: runs }
}

/** The supervisor is told of each tool before and after its use, with what it has done to the stage so far. */
async function useTool<Value>(
  { calls, newId }: WorkOptions,
  tool: Tool,
  summary: string,
  use: () => Promise<Value>,
): Promise<Value> {
  const call = newId()
  await calls.call('tool.begin', { call, tool, summary })
  try {
    const value = await use()
    await calls.call('tool.end', { call, ok: true, summary })
    return value
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    // If this call fails too, the first failure is the one to report.
    await calls.call('tool.end', { call, ok: false, summary: why.slice(0, 2000) }).catch(() => {})
    throw error
  }
}
