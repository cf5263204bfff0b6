import { TaskPlan, TaskRequest, TaskResult, ToolCall, ToolResult } from '@choiros/contract/events/runs.ts'
import { canonicalBytes, sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { labelFrom, type EventId, type RunId, type Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TaskOutcome, VerifierReport } from '@choiros/contract/syscalls.ts'
import { AssociateResult, type DirectorTask } from '@choiros/contract/tasks.ts'
import { agoWords } from '@choiros/core/ago-words.ts'
import { applyChanges, diffTrees, type TreeMap } from '@choiros/core/tree.ts'
import { pathsOutside } from '@choiros/core/verifier-plan.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import type { RunDrafts } from '../computer/run-drafts.ts'
import type { ModelGateway } from '../models/model-gateway.ts'
import { agentDraft } from '../computer/drafts.ts'
import { packTaskContext } from './context-pack.ts'
import { createHearing, type Hearing } from './hearing.ts'
import { moveHistory } from './move-history.ts'
import { dayOf } from './next-sentence.ts'
import { addNote, remembered } from './notes.ts'
import type { Admitted, RunPolicy } from './policy.ts'
import { warningsTo } from './warnings.ts'
import { workOnStage, type Staged } from './stage.ts'
import type { Trees } from '../tree/trees.ts'
import { verifyTree, type VerificationOptions, type Verified } from './verification.ts'

/** What every run of a computer works with. */
export interface RunTools {
  readonly computer: Computer
  readonly machine: Machine
  readonly models: ModelGateway
  readonly host: SandboxHost
  readonly trees: Trees
  /** The folder with the packages that the desktop may import. */
  readonly packages: string
  /** The browser in which the desktop is looked at; null: there is none. */
  readonly browser: string | null
  readonly drafts: RunDrafts
  readonly clocks: RunClocks
  socketFile(name: string): string
}

/** One run at work: what its tasks have changed so far, verified, and not yet in the log. */
export interface RunAtWork {
  readonly run: RunId
  readonly signal: AbortSignal
  readonly hearing: Hearing
  readonly policy: RunPolicy
  base: { readonly seq: Seq | number; readonly tree: TreeMap }
  staged: Staged
  /** What an attempt that did not pass, or came to no end, has left on top of that; the next one goes on with it. */
  draft: Staged | null
  verified: Verified | null
  /** Whether a model had a hand in it. */
  byModel: boolean
  /** How often it was told that what it had landed did not work. */
  mended: number
  /** When it is ended, whatever it does. */
  readonly untilMs: number
  /** How often it did what it may do only so often, by whichever of its hands. */
  readonly counts: Counts
  /** Keeps what stands on a stage, where several are worked on at once. */
  keep: ((staged: Staged) => void) | null
  reports: readonly VerifierReport[]
}

interface Counts {
  tasks: number
  /** How often its Director has read files, and had it looked at. */
  reads: number
  looks: number
  /** How many notes it has left in the memory. */
  notes: number
  /** How often verifiers refused its work. */
  refusals: number
}

const NOTHING: Staged = { changes: [], objects: new Map() }

/** How long a run may take in all, thinking included, and the most that the tools of one of its tasks may take. */
export interface RunClocks {
  readonly runMs: number
  readonly taskMs: number
}

export const RUN_CLOCKS: RunClocks = { runMs: 30 * 60 * 1000, taskMs: 30 * 60 * 1000 }

export function beginRun(
  run: RunId,
  base: RunAtWork['base'],
  signal: AbortSignal,
  untilMs: number,
  policy: RunPolicy,
): RunAtWork {
  return {
    run,
    signal,
    policy,
    hearing: createHearing(),
    base,
    staged: NOTHING,
    draft: null,
    verified: null,
    byModel: false,
    mended: 0,
    untilMs,
    counts: { tasks: 0, reads: 0, looks: 0, notes: 0, refusals: 0 },
    keep: null,
    reports: [],
  }
}

/**
 * Runs one task of the Director to its end. Nothing lands by it; only a task of kind `git` changes files at once,
 * through the supervisor.
 */
export async function runTask(tools: RunTools, work: RunAtWork, wanted: DirectorTask): Promise<TaskOutcome> {
  const { computer } = tools
  const { run } = work
  if (++work.counts.tasks > LIMITS.tasksPerRunMax)
    throw new ChoirError('syscall.refused', `a run may have at most ${LIMITS.tasksPerRunMax} tasks`)
  work.signal.throwIfAborted()
  const admitted = await work.policy.admit(wanted)
  const { task } = admitted
  const request = toObject(task)
  const asked = { task: task.task_id, kind: task.kind, instruction: task.instruction, request: request.hash }
  const [requested] = await Promise.all([
    computer.append(() => ({ draft: agentDraft(computer, run, TaskRequest, asked), objects: [request] })),
    admitted.granted(),
  ])
  tools.machine.reached('run.task.after')
  const outcome =
    task.kind === 'git'
      ? await moveHistory(computer, run, task, tools.machine.now())
      : withDenied(await associate(tools, work, admitted), admitted)
  work.signal.throwIfAborted()
  const result = toObject(outcome.result ?? { summary: outcome.summary })
  const status =
    outcome.status === 'changed' || outcome.status === 'done'
      ? 'ok'
      : outcome.status === 'needs_input'
        ? 'needs_input'
        : 'failed'
  const told = { task: task.task_id, status, summary: outcome.summary, result: result.hash } as const
  await computer.append(() => ({
    draft: agentDraft(computer, run, TaskResult, told, 'agent', requested?.id),
    objects: [result],
  }))
  return outcome
}

async function associate(tools: RunTools, work: RunAtWork, admitted: Admitted): Promise<TaskOutcome> {
  const { computer, trees } = tools
  const { run, signal, policy } = work
  const { task } = admitted
  const tree = applyChanges(work.base.tree, work.staged.changes)
  const { folder } = await trees.materialise(tree, work.staged.objects)
  const isByModel = task.kind === 'edit_repo' && task.recipes.length === 0
  const start = isByModel && !task.fresh ? await startOf(trees, tree, work) : null
  // Not by the task, which the Director names: two hands of one name would share a socket, and so who they are.
  const name = `associate-${labelFrom(tools.machine.randomBytes(16))}`
  const calls = new Map<string, { event: EventId | undefined; lease: string }>()
  const keep = work.keep ?? ((all: Staged) => tools.drafts.save(run, { base: work.base.seq as Seq, ...all }))
  let outcome = null as TaskOutcome | null
  let refusals = 0
  const { why, staged } = await workOnStage({
    host: tools.host,
    name,
    socketFile: tools.socketFile(name),
    folder,
    tree,
    start,
    packages: tools.packages,
    browser: tools.browser,
    task: { ...task, time_budget_s: Math.min(task.time_budget_s, tools.clocks.taskMs / 1000) },
    reports: work.reports,
    context: packTaskContext(computer, run, dayOf(tools.machine.now()), work.hearing.heardByFirst()),
    signal,
    warn: tools.machine.warn,
    async model(asked) {
      const [request, within] = await policy.think(admitted, asked, admitted)
      return tools.models.call(computer, run, request, signal, undefined, within)
    },
    heard: work.hearing.listen(),
    warnings: warningsTo(tools, work, null),
    memory: () => remembered(computer),
    note: (proposal) => addNote(tools, work, 'associate', proposal),
    async finished(result, stage) {
      tools.machine.reached('run.collect.after')
      outcome =
        'problem' in stage
          ? await judge(tools, work, admitted, tree, NOTHING, result, stage.problem)
          : await judge(tools, work, admitted, tree, stage, result)
      const most = Math.min(LIMITS.refusalsPerTaskMax, policy.rules().stop.sentBack)
      const left = most - refusals++
      // A recipe cannot do better than it did; a model can.
      if (outcome.status !== 'refused' || left <= 0 || task.recipes.length > 0) return null
      return { why: outcome.summary, reports: outcome.reports, left: left - 1 }
    },
    async planned(items) {
      const data = { task: task.task_id, items: [...items] }
      await computer.append(() => ({ draft: agentDraft(computer, run, TaskPlan, data) }))
    },
    async toolBegan({ call, tool, summary }) {
      const lease = await policy.use(admitted, tool)
      const event = await computer.append(() => ({
        draft: agentDraft(computer, run, ToolCall, { task: task.task_id, call, tool, summary }),
      }))
      calls.set(call, { event: event?.id, lease })
      tools.machine.reached('run.tool.after')
    },
    async toolEnded({ call, ok, summary }, now) {
      const { changes } = 'problem' in now ? NOTHING : now
      await policy.touched(changes)
      if (isByModel && !('problem' in now)) keep(onBase(work, tree, now))
      const stage = changes.length === 0 ? null : toObject(changes)
      const { event, lease = null } = calls.get(call) ?? {}
      const files = changes.length
      const data = { task: task.task_id, call, ok, summary, stage: stage?.hash ?? null, files, lease }
      await computer.append(() => ({
        draft: agentDraft(computer, run, ToolResult, data, 'agent', event),
        objects: stage === null ? [] : [stage],
      }))
      return { files: changes.length, stage: stage?.hash ?? null }
    },
  })
  // What was sent back and is not handed in again stays refused.
  const ended = outcome ?? (await judge(tools, work, admitted, tree, staged ?? NOTHING, failed(task, why ?? '')))
  const left = staged === null ? work.draft : onBase(work, tree, staged)
  if (isByModel) work.draft = isUnfinished(ended) ? left : null
  return ended
}

/** What the person did not allow is not gone on with: the next attempt would begin with it, and be refused for it. */
function isUnfinished({ status, denied }: TaskOutcome): boolean {
  return (status === 'failed' || status === 'refused') && denied === null
}

function withDenied(outcome: TaskOutcome, { denied }: Admitted): TaskOutcome {
  return outcome.denied === null ? { ...outcome, denied } : outcome
}

/** What stands in a stage, told from the tree that the run began with. */
function onBase(work: RunAtWork, tree: TreeMap, { changes, objects }: Staged): Staged {
  return {
    changes: diffTrees(work.base.tree, applyChanges(tree, changes)),
    objects: new Map([...(work.draft?.objects ?? []), ...work.staged.objects, ...objects]),
  }
}

/** Where the next attempt begins, if there was one before it. */
async function startOf(
  trees: Trees,
  tree: TreeMap,
  { base, draft }: RunAtWork,
): Promise<{ folder: string; paths: string[] } | null> {
  if (draft === null || draft.changes.length === 0) return null
  const whole = applyChanges(base.tree, draft.changes)
  const { folder } = await trees.materialise(whole, draft.objects)
  return { folder, paths: diffTrees(tree, whole).map(({ path }) => path) }
}

/**
 * Compares what the Associate left with what it was allowed to write and shows it to the verifiers; only then it is
 * kept for the landing.
 */
async function judge(
  tools: RunTools,
  work: RunAtWork,
  admitted: Admitted,
  tree: TreeMap,
  staged: Staged,
  result: AssociateResult,
  problem: string | null = null,
): Promise<TaskOutcome> {
  const { task } = admitted
  const outcome = (
    status: TaskOutcome['status'],
    summary: string,
    reports: readonly VerifierReport[] = [],
    denied: string | null = null,
  ): TaskOutcome => ({
    task: task.task_id,
    kind: task.kind,
    status,
    summary,
    filesChanged: staged.changes.map(({ path }) => path),
    reports: [...reports],
    reviewer: work.policy.rules().reviewer,
    denied,
    result: { ...result, files_changed: staged.changes.slice(0, LIMITS.inlineChangesMax).map(({ path }) => path) },
  })
  const gone = work.policy.holds(admitted)
  if (gone !== null) return outcome('failed', gone.why, [], gone.forAgent)
  if (problem !== null) return outcome('refused', problem)
  if (result.status === 'needs_input') return outcome('needs_input', result.summary)
  if (result.status === 'failed')
    return outcome(
      'failed',
      result.missing === null
        ? result.summary
        : `${result.summary} ${whoRemoved(tools.computer, result.missing, tools.machine.now())}`,
    )
  if (staged.changes.length === 0 || task.kind !== 'edit_repo') return outcome('done', result.summary)
  const outside = pathsOutside(task.write_scope, staged.changes)
  if (outside.length > 0)
    return outcome(
      'refused',
      `it changed ${outside.slice(0, 3).join(', ')}, which is outside of what this task may write`,
    )

  await work.policy.touched(staged.changes)
  const whole = applyChanges(tree, staged.changes)
  const objects = new Map([...work.staged.objects, ...staged.objects])
  const all: Staged = { changes: diffTrees(work.base.tree, whole), objects }
  work.byModel ||= task.recipes.length === 0
  const verdict = await verifyTree(verifying(tools, work), whole, all)
  if (!verdict.ok) {
    work.reports = verdict.reports
    await work.policy.feel({ refusals: ++work.counts.refusals })
    const bad = verdict.reports.filter((report) => !report.ok)
    return outcome('refused', bad.map((report) => `${report.verifier}: ${report.summary}`).join('\n'), verdict.reports)
  }
  // The person is asked only about what would land.
  const no = (await work.policy.allowed(admitted, staged.changes)) ?? work.policy.holds(admitted)
  if (no !== null) return outcome('failed', no.why, [], no.forAgent)
  work.staged = all
  work.verified = verdict.verified
  return outcome('changed', result.summary, verdict.verified.reports)
}

/** What is verified for a run, and how. */
export function verifying(tools: RunTools, { run, signal, byModel, policy }: RunAtWork): VerificationOptions {
  return { ...tools, run, signal, render: byModel || policy.rules().verifiers.includes('render') }
}

function failed(task: DirectorTask, why: string): AssociateResult {
  return AssociateResult.parse({
    task_id: task.task_id,
    status: 'failed',
    summary: `the Associate gave no result: ${why}`,
  })
}

/** For a recipe whose file is gone: when it went, by what, and how it comes back. */
function whoRemoved(computer: Computer, path: string, nowMs: number): string {
  const { queries } = computer
  const removed = queries.removedBy(path)
  if (removed === null) return ''
  if (queries.openUndo()?.seq === removed.seq) return 'Your last undo took it away; Redo brings it back.'
  const { unit } = removed
  if (unit === null) return 'An undo took it away; History can bring it back.'
  const asked = unit.run === null ? null : queries.run(unit.run)
  const by = asked === null ? '' : ` by your wish “${asked.text}”`
  const back =
    queries.newestUnit('any')?.seq === unit.seq
      ? 'Undo brings it back.'
      : 'Take that back in History, and it is there again.'
  return `It was removed ${agoWords(nowMs - unit.time)}${by}. ${back}`
}

function toObject(value: unknown): ObjectBytes {
  const bytes = canonicalBytes(value)
  return { hash: sha256(bytes), bytes }
}
