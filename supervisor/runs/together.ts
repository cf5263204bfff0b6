import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import type { TaskOutcome } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import { refusalForAgent } from '@choiros/core/moods/agent-words.ts'
import { applyChanges, diffTrees, type TreeMap } from '@choiros/core/tree.ts'
import { scopesOverlap } from '@choiros/core/verifier-plan.ts'
import { runTask, verifying, type RunAtWork, type RunTools } from './run.ts'
import type { Staged } from './stage.ts'
import { verifyTree } from './verification.ts'

/**
 * Two or three tasks at once, each by an Associate of its own on a stage of its own. Each is judged by itself, so that
 * what it did wrong goes back to whoever did it; then what all of them changed is put together and verified as one,
 * because what passes alone may not fit together.
 */
export async function runTogether(
  tools: RunTools,
  work: RunAtWork,
  tasks: readonly DirectorTask[],
): Promise<TaskOutcome[]> {
  checkScopes(tasks)
  const start = applyChanges(work.base.tree, work.staged.changes)
  const hands = tasks.map((): RunAtWork => ({ ...work, draft: null, reports: [] }))
  /** What each has on its stage by now: a draft holds the work of all. */
  const latest = new Map<RunAtWork, Staged>()
  for (const hand of hands)
    hand.keep = (staged) => {
      latest.set(hand, staged)
      tools.drafts.save(work.run, { base: work.base.seq as never, ...merged(work, start, [...latest.values()]) })
    }
  const ended = await Promise.allSettled(tasks.map((task, index) => runTask(tools, hands[index] as RunAtWork, task)))
  work.byModel = true
  work.signal.throwIfAborted()
  const outcomes = ended.map((one, index) => {
    if (one.status === 'fulfilled') return one.value
    const isAlone = ended.every(({ status }) => status === 'rejected')
    // What one may not do, or made a mess of, takes nothing from the others.
    if (isAlone || !(one.reason instanceof ChoirError)) throw one.reason
    return refusedOutcome(tasks[index] as DirectorTask, one.reason)
  })
  const changed = hands.filter((_, index) => outcomes[index]?.status === 'changed')
  const unfinished = hands.flatMap(({ draft }) => draft ?? [])
  const all = merged(
    work,
    start,
    changed.map(({ staged }) => staged),
  )
  const keepDraft = () => (work.draft = merged(work, start, [all, ...unfinished]))
  if (changed.length === 0) {
    if (unfinished.length > 0) keepDraft()
    return outcomes
  }
  const verdict = await verifyTree(verifying(tools, work), applyChanges(work.base.tree, all.changes), all)
  if (!verdict.ok) {
    work.reports = verdict.reports
    keepDraft()
    const bad = verdict.reports.filter((report) => !report.ok).map(({ verifier, summary }) => `${verifier}: ${summary}`)
    return outcomes.map((outcome) =>
      outcome.status === 'changed'
        ? {
            ...outcome,
            status: 'refused',
            summary: `it does not fit together with what the others did: ${bad.join('; ')}`,
            reports: verdict.reports,
          }
        : outcome,
    )
  }
  work.staged = all
  work.verified = verdict.verified
  work.draft = null
  if (unfinished.length > 0) keepDraft()
  return outcomes
}

function refusedOutcome({ task_id: task, kind }: DirectorTask, why: ChoirError): TaskOutcome {
  const { message: summary } = why
  const denied = hasCode(why, 'policy.refused') ? refusalForAgent(why) : null
  return {
    task,
    kind,
    status: 'failed',
    summary,
    filesChanged: [],
    reports: [],
    result: null,
    reviewer: 'never',
    denied,
  }
}

function checkScopes(tasks: readonly DirectorTask[]): void {
  if (new Set(tasks.map((task) => task.task_id)).size < tasks.length)
    throw new ChoirError('request.invalid', 'tasks that are done together have names of their own')
  for (const [index, task] of tasks.entries()) {
    if (task.kind !== 'edit_repo' || task.recipes.length > 0)
      throw new ChoirError('request.invalid', 'only edits are done together')
    const other = tasks.slice(index + 1).find((one) => scopesOverlap(task.write_scope, one.write_scope))
    if (other !== undefined)
      throw new ChoirError(
        'request.invalid',
        `tasks that are done together must not write the same files: ${task.write_scope.join(', ')} and ${other.write_scope.join(', ')} overlap`,
      )
  }
}

/** Changes of several stages as one, told from the tree that the run began with. Their paths do not meet. */
function merged({ base, staged }: RunAtWork, start: TreeMap, stages: readonly Staged[]): Staged {
  const own = stages.flatMap(({ changes }) => diffTrees(start, applyChanges(base.tree, changes)))
  const byPath = new Map(own.map((change) => [change.path, change]))
  return {
    changes: diffTrees(base.tree, applyChanges(start, [...byPath.values()])),
    objects: new Map([...staged.objects, ...stages.flatMap(({ objects }) => [...objects])]),
  }
}
