import { randomBytes } from 'node:crypto'
import { DirectorTask } from '@choiros/contract/tasks.ts'
import { labelFrom } from '@choiros/contract/ids.ts'
import { openSyscalls } from '@choiros/guest/syscall-client.ts'
import { doWork } from '@choiros/director/work.ts'
import { searchInside } from './search.ts'

interface Planted {
  readonly scope?: string[]
  readonly budgetS?: number
  readonly search?: string[]
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
  } = JSON.parse(order.text.slice('plant '.length)) as Planted
  const task = DirectorTask.parse({
    task_id: labelFrom(randomBytes(16)),
    kind: 'edit_repo',
    instruction: order.text,
    write_scope: scope,
    time_budget_s: budgetS,
  })
  const outcome = await calls
    .call('task.issue', { run: order.run, task })
    .catch((error: unknown) => ({ status: 'failed', summary: String(error) }))
  const end = outcome.status === 'changed' ? 'land' : 'discard'
  const answers = [JSON.stringify(order), JSON.stringify(outcome)]
  const reply =
    search === undefined ? outcome.summary : JSON.stringify([await searchInside(search, answers), outcome.summary])
  await calls
    .call('work.finish', { run: order.run, end, summary: outcome.summary, reply, checkpoint: null })
    .catch(() => {})
}
