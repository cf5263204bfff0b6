import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { DirectorTask } from '@choiros/contract/tasks.ts'
import { labelFrom } from '@choiros/contract/ids.ts'
import { openSyscalls } from '@choiros/guest/syscall-client.ts'
import { doWork } from '@choiros/director/work.ts'
import { searchInside } from './search.ts'

interface Planted {
  readonly scope?: string[]
  readonly budgetS?: number
  readonly search?: string[]
  /** How often it gives the task, asks the person, or asks a model, whatever it may. */
  readonly tasks?: number
  readonly asks?: number
  readonly thinks?: number
  /** What its later tasks want to write. */
  readonly widens?: string[]
  /** How long it rests before its last word. */
  readonly restMs?: number
  /** What it puts into the task besides. */
  readonly smuggles?: Record<string, unknown>
}

/**
 * For tests: the real Director, which also passes on a sentence that begins with "plant " as a task to write exactly
 * what it says.
 */
const calls = openSyscalls()
for (;;) {
  const order = await calls.call('work.next', {}).catch(() => process.exit(1))
  if (order === null) continue
  if (!order.text.startsWith('plant ')) {
    await doWork(order, calls, { today: '2026-11-15', newId: () => labelFrom(randomBytes(16)) })
    continue
  }
  const {
    scope = ['app/', 'artifacts/'],
    budgetS = 300,
    search,
    tasks = 1,
    asks = 0,
    thinks = 0,
    widens = scope,
    restMs = 0,
    smuggles = {},
  } = JSON.parse(order.text.slice('plant '.length)) as Planted
  const newTask = (isFirst: boolean) => ({
    ...DirectorTask.parse({
      task_id: labelFrom(randomBytes(16)),
      kind: 'edit_repo',
      instruction: order.text,
      write_scope: isFirst ? scope : widens,
      time_budget_s: budgetS,
    }),
    ...smuggles,
  })
  const refused: string[] = []
  const note = (what: string) => (error: unknown) => void refused.push(`${what}: ${(error as Error).message}`)
  const messages = [{ role: 'user' as const, text: 'go on' }]
  for (let times = 0; times < thinks; times++)
    await calls.call('model.stream', { tier: 'strong', messages, tools: [] }).catch(note('model'))
  const question = { text: 'Which?', choices: [], fallback: 'none', slot: null }
  for (let times = 0; times < asks; times++)
    await calls.call('question.ask', { run: order.run, questions: [question] }).catch(note('question'))
  let outcome: { status: string; summary: string } = { status: 'failed', summary: '' }
  for (let times = 0; times < tasks; times++)
    outcome = await calls
      .call('task.issue', { run: order.run, task: newTask(times === 0) })
      .catch((error: unknown) => ({ status: 'failed', summary: String(error) }))
  if (refused.length > 0) outcome = { ...outcome, summary: `${refused.join('; ')} ${outcome.summary}` }
  await delay(restMs)
  const end = outcome.status === 'changed' ? 'land' : 'discard'
  const answers = [JSON.stringify(order), JSON.stringify(outcome)]
  const reply =
    search === undefined ? outcome.summary : JSON.stringify([await searchInside(search, answers), outcome.summary])
  await calls
    .call('work.finish', { run: order.run, end, summary: outcome.summary, reply, checkpoint: null })
    .catch(() => {})
}
