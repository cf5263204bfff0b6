import { LIMITS } from '@choiros/contract/limits.ts'
import type { SyscallInput, TaskOutcome, WorkOrder } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import { inLanguage } from '@choiros/core/recipes/languages/phrasebook.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { askFor } from './ask.ts'
import { aboutMemory } from './memory.ts'
import { planWishes, planWork, type Plan, type PlanOptions } from './plan.ts'
import { createThinker, type Thinker } from './think.ts'
import { failureWords, languageIn, replyTo, type Ended } from './words.ts'

type Finish = SyscallInput<'work.finish'>

const FINISH_TRIES_MAX = 3
const MENDS_MAX = 3

/** One order from plan to last word. Whatever goes wrong on the way, the run is finished with words that say so. */
export async function doWork(order: WorkOrder, calls: Syscalls, options: PlanOptions): Promise<void> {
  const thinker = { now: null as Thinker | null }
  let again = await finish(calls, await work(order, calls, options, thinker))
  // What landed did not work, and was taken back: whoever thought of it may mend it.
  for (let mends = 0; again !== null && thinker.now !== null && mends < MENDS_MAX; mends++) {
    const [wrong, { work: goOn }] = [again, thinker.now]
    again = await finish(calls, await attempt(order, () => goOn(wrong)))
  }
}

function work(
  order: WorkOrder,
  calls: Syscalls,
  options: PlanOptions,
  thinker: { now: Thinker | null },
): Promise<Finish> {
  return attempt(order, async () => {
    const first = planWork(order, options)
    const told = await aboutMemory(order, first.wishes, first.kept, calls)
    // If no recipe fits, a model may do it; it has the recipes as tools.
    if ((first.forModel || order.draft !== null) && order.context.model) {
      thinker.now = createThinker(order, calls, options)
      return thinker.now.work(null)
    }
    const plan = first.asks.length === 0 ? first : await completed(order, first, calls, options)
    const ended: Ended[] = []
    for (const task of plan.tasks.slice(0, LIMITS.tasksPerRunMax))
      ended.push({ task, outcome: await issue(order, task, calls) })
    return lastWord(order, { ...plan, notes: [...told, ...plan.notes] }, ended)
  })
}

async function attempt(order: WorkOrder, doing: () => Promise<Finish>): Promise<Finish> {
  try {
    return await doing()
  } catch (error) {
    return {
      run: order.run,
      end: 'discard',
      summary: cut(failureWords(error)),
      reply: cut(inLanguage(failureWords(error), languageIn(order))),
      checkpoint: null,
    }
  }
}

/** The same plan, completed with the person's answers. */
async function completed(order: WorkOrder, plan: Plan, calls: Syscalls, options: PlanOptions): Promise<Plan> {
  const { wishes, notes, why } = await askFor(order, plan.asks, calls, options.today)
  const all = [...plan.wishes, ...wishes]
  return { ...planWishes(order, all, [...plan.notes, ...notes], options), isAnswer: all.length > 0, why }
}

/** A task that could not even be issued is one that failed: the others still count. */
async function issue(order: WorkOrder, task: DirectorTask, calls: Syscalls): Promise<TaskOutcome> {
  try {
    return await calls.call('task.issue', { run: order.run, task })
  } catch (error) {
    const summary = error instanceof Error ? error.message : String(error)
    return {
      task: task.task_id,
      kind: task.kind,
      status: 'failed',
      summary,
      filesChanged: [],
      reports: [],
      result: null,
      reviewer: 'never',
      denied: null,
    }
  }
}

/** Lands what was changed and verified; without any such change there is nothing to land. */
function lastWord(order: WorkOrder, plan: Plan, ended: readonly Ended[]): Finish {
  const changed = ended.some(({ outcome }) => outcome.status === 'changed')
  const failed = ended.some(({ outcome }) => ['refused', 'failed', 'needs_input'].includes(outcome.status))
  const reply = cut(inLanguage(replyTo(plan.notes, ended, failed ? null : plan.checkpoint), languageIn(order)))
  return {
    run: order.run,
    // A checkpoint alone also lands.
    end: changed || (!failed && plan.checkpoint !== null) ? 'land' : failed || !plan.isAnswer ? 'discard' : 'answer',
    summary: cut(changed ? summaryOf(ended) : reasonOf(plan, ended)),
    reply,
    offers: [...plan.offers],
    checkpoint: failed ? null : plan.checkpoint,
  }
}

function summaryOf(ended: readonly Ended[]): string {
  return ended
    .filter(({ outcome }) => outcome.status === 'changed')
    .map(({ outcome }) => outcome.summary)
    .join(' ')
}

/** Why a run ends without a landing; the reply says it in full. */
function reasonOf(plan: Plan, ended: readonly Ended[]): string {
  const bad = ended.find(({ outcome }) => ['refused', 'failed', 'needs_input'].includes(outcome.status))
  if (bad !== undefined) return bad.outcome.summary
  if (plan.offers.length > 0) return 'it was not understood'
  if (plan.why !== null) return plan.why
  return ended.length === 0 ? 'there was nothing to do' : 'there was nothing to change'
}

async function finish(calls: Syscalls, input: Finish): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    try {
      return (await calls.call('work.finish', input)).again
    } catch (error) {
      // After a stop no run is there to finish, and every try fails; after a short disturbance the next try works.
      if (tries === FINISH_TRIES_MAX) throw error
    }
  }
}

function cut(text: string): string {
  const wellFormed = text.toWellFormed()
  return wellFormed.length > REPLY_CHARS_MAX
    ? `${wellFormed.slice(0, REPLY_CHARS_MAX - 1).toWellFormed()}…`
    : wellFormed
}

/** The limit is in bytes: a UTF-16 unit takes at most three (a character of four bytes takes two units). */
const REPLY_CHARS_MAX = Math.floor(LIMITS.messageBytesMax / 3)
