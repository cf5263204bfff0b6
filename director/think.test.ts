import { expect, test } from 'vitest'
import { ChoirError, type ErrorCode } from '@choiros/contract/error.ts'
import type { ModelAnswer, ModelRequest, ToolUse } from '@choiros/contract/models.ts'
import {
  SYSCALLS,
  WorkOrder,
  type SyscallInput,
  type SyscallName,
  type TaskOutcome,
} from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { createThinker } from './think.ts'

type Said = { readonly text?: string; readonly uses?: readonly Omit<ToolUse, 'id'>[] }

interface World {
  readonly director: readonly Said[]
  readonly reviewers?: readonly (readonly Said[])[]
  /** Files before and after the work. */
  readonly before?: Readonly<Record<string, string>>
  readonly now?: Readonly<Record<string, string>>
  readonly reviewer?: TaskOutcome['reviewer']
  /** How each task ends, where not well. */
  readonly ends?: readonly Partial<TaskOutcome>[]
  /** Calls that the supervisor refuses. */
  readonly refuses?: (name: SyscallName, input: unknown) => ErrorCode | null
}

const LONG = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n')

/** A Director's model in a world that answers its calls, each checked as the supervisor would check it. */
async function think(text: string, world: World) {
  const { director, reviewers = [], before = {}, now = {}, reviewer = 'large', ends = [], refuses } = world
  const tasks: DirectorTask[] = []
  const together: number[] = []
  const asked = { director: [] as ModelRequest[], reviewer: [] as ModelRequest[] }
  let reviews = -1
  let ids = 0
  const ended = (task: DirectorTask): TaskOutcome => {
    tasks.push(task)
    return {
      task: task.task_id,
      kind: task.kind,
      status: 'changed',
      summary: 'There is something new now.',
      filesChanged: Object.keys(now),
      reports: [],
      result: null,
      reviewer,
      denied: null,
      ...ends[tasks.length - 1],
    }
  }
  const model = (request: ModelRequest): ModelAnswer => {
    const isReview = request.tools.some(({ name }) => name === 'verdict')
    const kind = isReview ? 'reviewer' : 'director'
    asked[kind].push(structuredClone(request))
    const turn = request.messages.filter(({ role }) => role === 'assistant').length
    if (isReview && turn === 0) reviews++
    const script = isReview ? (reviewers[reviews] ?? []) : director
    const said = script[isReview ? turn : asked.director.length - 1] ?? script.at(-1) ?? { text: 'nothing to say' }
    const uses = (said.uses ?? []).map((use) => ({ id: `u${++ids}`, ...use }))
    const usage = { input: 10, output: 1, cached: 0, written: 0 }
    return { text: said.text ?? '', uses, reasoning: [], finish: 'stop', usage }
  }
  const calls = {
    async call(name: SyscallName, given: unknown) {
      const input: unknown = SYSCALLS[name].input.parse(given)
      const code = refuses?.(name, input) ?? null
      if (code !== null) throw new ChoirError(code, `no more ${name}`)
      if (name === 'work.heard') return { said: [], warnings: [] }
      if (name === 'model.stream') return model(input as ModelRequest)
      if (name === 'task.issue') return ended((input as SyscallInput<'task.issue'>).task as DirectorTask)
      if (name === 'tasks.issue') {
        const several = (input as SyscallInput<'tasks.issue'>).tasks as DirectorTask[]
        together.push(several.length)
        return { outcomes: several.map(ended) }
      }
      const { at, paths } = input as SyscallInput<'tree.read'>
      const tree = at === 'base' ? before : { ...before, ...now }
      return { files: paths.map((path) => ({ path, text: tree[path] ?? null })) }
    },
  } as unknown as Syscalls
  const files = Object.entries(before).map(([path, content]) => ({ path, size: content.length, text: null }))
  const order = WorkOrder.parse({
    run: 'run-1',
    today: '2026-11-14',
    text,
    wishes: [],
    context: { files, messages: [], windows: [], runs: [], model: true },
  })
  const finish = await createThinker(order, calls, { today: '2026-11-18', newId: () => `task-${++ids}` }).work(null)
  return { finish, tasks, together, asked }
}

const edit = (input: object = {}): Said => ({
  uses: [{ name: 'edit', input: { instruction: 'make a timer', done_when: ['it has a Stop button'], ...input } }],
})
const verdict = (...grades: number[]): Said => ({
  uses: [
    {
      name: 'verdict',
      input: { criteria: grades.map((grade, index) => ({ number: index + 1, grade, seen: `seen ${index + 1}` })) },
    },
  ],
})
const DONE: Said = { text: 'You have a timer.' }
const TIMER = { 'app/apps/timer/app.tsx': LONG }

test('what was promised and is not there goes back to work, and is looked at again', async () => {
  const { finish, tasks, asked } = await think('a timer please', {
    director: [edit(), DONE],
    reviewers: [[verdict(4, 1)], [verdict(4, 4)]],
    now: TIMER,
  })
  expect(tasks).toHaveLength(2)
  expect(tasks[1]?.instruction).toContain('it has a Stop button (seen 2)')
  expect(tasks[1]).toMatchObject({ fresh: false, write_scope: ['app/'] })
  expect(asked.reviewer).toHaveLength(2)
  expect(asked.reviewer[0]?.messages.at(-1)?.text).toContain('+ line 3')
  expect(finish).toMatchObject({ end: 'land', reply: 'You have a timer.' })
})

test('what stays missing is not praised: the person reads it, and the model is told not to claim it', async () => {
  const { finish, tasks, asked } = await think('a timer please', {
    director: [edit(), DONE],
    reviewers: [[verdict(4, 1)], [verdict(4, 1)], [verdict(4, 2)]],
    now: TIMER,
  })
  expect(tasks).toHaveLength(3)
  expect(asked.director.at(-1)?.messages.at(-1)?.text).toContain('do not claim it')
  expect(finish.reply).toMatch(/^You have a timer\.\n\nA reviewer does not find this in it: it has a Stop button/)
})

test('what is missing stays so until a verdict says otherwise, whatever comes after it', async () => {
  const lacks = [verdict(4, 1)]
  const missing = /A reviewer does not find this in it: it has a Stop button/
  const world = { director: [edit(), edit(), DONE], now: TIMER }
  const refused = { status: 'refused' as const, summary: 'types: no' }
  const failed = await think('a timer please', {
    ...world,
    reviewers: [lacks, lacks, lacks],
    ends: [{}, {}, {}, refused],
  })
  expect(failed.finish.reply).toMatch(missing)
  // A later change of a few lines is judged by it, too.
  const small = await think('a timer please', {
    ...world,
    director: [edit(), { uses: [{ name: 'edit', input: { instruction: 'a Stop button' } }] }, DONE],
    reviewers: [lacks, lacks, lacks, [verdict(4, 4)]],
    ends: [{}, {}, {}, { filesChanged: [] }],
  })
  expect([small.finish.reply, small.tasks.length]).toEqual(['You have a timer.', 4])
  const silent = await think('a timer please', { ...world, reviewers: [lacks, [{ text: 'Fine.' }]] })
  expect(silent.finish.reply).toMatch(missing)
})

test('what was made and verified is kept, whatever is refused afterwards', async () => {
  const world = { director: [edit(), DONE], now: TIMER }
  const unread = await think('a timer please', {
    ...world,
    refuses: (name) => (name === 'tree.read' ? 'syscall.refused' : null),
  })
  expect(unread.finish).toMatchObject({ end: 'land', reply: 'You have a timer.' })
  let calls = 0
  const unasked = await think('a timer please', {
    ...world,
    reviewer: 'never',
    refuses: (name) => (name === 'model.stream' && ++calls > 1 ? 'policy.refused' : null),
  })
  expect(unasked.finish).toMatchObject({
    end: 'land',
    reply: 'There is something new now. I could not go on from there: no more model.stream',
  })
  const nothing = think('a timer please', { director: [DONE], refuses: () => 'policy.refused' })
  await expect(nothing).rejects.toThrow('no more')
})

test('a criterion that the reviewer leaves out is asked for once, and then counts as not found', async () => {
  const late = await think('a timer please', {
    director: [edit(), DONE],
    reviewers: [[verdict(4), verdict(4, 4)]],
    now: TIMER,
  })
  expect(late.asked.reviewer[1]?.messages.at(-1)?.text).toContain('not judged yet: 2')
  expect([late.tasks.length, late.finish.reply]).toEqual([1, 'You have a timer.'])
  const never = await think('a timer please', {
    director: [edit(), DONE],
    reviewers: [[verdict(4)], [verdict(4, 4)]],
    now: TIMER,
  })
  expect(never.tasks[1]?.instruction).toContain('it has a Stop button (the reviewer did not say')
})

test('where the mood wants somebody to look and nobody judges, the person reads that', async () => {
  const world = { director: [edit(), DONE], reviewers: [[{ text: 'Fine.' }]], now: TIMER, reviewer: 'always' as const }
  const { finish, asked } = await think('a timer please', world)
  expect(asked.reviewer[1]?.messages.at(-1)?.text).toContain('End with the tool verdict')
  expect(finish.reply).toBe('You have a timer.\n\nNobody else has looked at this: the reviewer gave no verdict.')
})

test('what is said beside the model’s own words is in the person’s language', async () => {
  const reviewers = [[verdict(4, 1)], [verdict(4, 1)], [verdict(4, 2)]]
  const world = { director: [edit(), { text: 'Da ist die Stoppuhr.' }], reviewers, now: TIMER }
  const { finish } = await think('Ich möchte bitte eine schöne Stoppuhr für die Küche haben', world)
  expect(finish.reply).toMatch(/^Da ist die Stoppuhr\.\n\nWer es geprüft hat, findet das nicht darin: it has a Stop/)
  const silent = await think('Je voudrais un minuteur pour la cuisine', { director: [{ text: '' }] })
  expect(silent.finish.reply).toBe("Le modèle n'a pas répondu.")
})

test('no answer is so long that what is missing is cut off, and none of several tasks hides what another lacks', async () => {
  const long = await think('a timer please', {
    director: [edit(), { text: 'Wonderful! '.repeat(2000) }],
    reviewers: [[verdict(4, 1)], [verdict(4, 1)], [verdict(4, 2)]],
    now: TIMER,
  })
  expect(long.finish.reply).toContain('A reviewer does not find this in it: it has a Stop button')
  const tasks = ['one', 'two'].map((name) => ({
    instruction: name,
    done_when: [`${name} has a Stop button`],
    may_write: [`app/apps/${name}/`],
  }))
  const several = await think('two timers please', {
    director: [{ uses: [{ name: 'together', input: { tasks } }] }, DONE],
    reviewers: [[verdict(4, 1)], [verdict(4, 1)], [verdict(4, 1)], [verdict(4, 4)]],
    now: TIMER,
  })
  expect(several.finish.reply).toContain('A reviewer does not find this in it: one has a Stop button')
})

test('a change of a few lines is not reviewed unless the mood says so, nor is what a recipe did', async () => {
  const small = await think('a timer please', { director: [edit(), DONE], now: { 'app/a.ts': 'one line' } })
  expect(small.asked.reviewer).toEqual([])
  const recipe = { uses: [{ name: 'recipe', input: { name: 'accent', parameters: { colour: 'teal' } } }] }
  const always = await think('a timer please', {
    director: [edit(), DONE],
    reviewers: [[verdict(4, 4)]],
    now: { 'app/a.ts': 'one line' },
    reviewer: 'always',
  })
  expect(always.asked.reviewer).toHaveLength(1)
  const never = await think('a timer please', { director: [edit(), DONE], now: TIMER, reviewer: 'never' })
  expect(never.asked.reviewer).toEqual([])
  const byRecipe = await think('calm colours', { director: [recipe, DONE], now: TIMER })
  expect(byRecipe.asked.reviewer).toEqual([])
})

test('a reviewer may read and search before it judges; one that never judges stops nothing', async () => {
  const looks: Said = {
    uses: [
      { name: 'read', input: { path: 'app/apps/timer/app.tsx', from_line: 2, lines: 1 } },
      { name: 'search', input: { text: 'line 29' } },
      { name: 'read', input: { path: 'nowhere' } },
      { name: 'delete', input: {} },
      { name: 'verdict', input: { criteria: [] } },
    ],
  }
  const judged = await think('a timer please', {
    director: [edit(), DONE],
    reviewers: [[looks, verdict(5, 5)]],
    now: TIMER,
  })
  const told = judged.asked.reviewer[1]?.messages.slice(-5).map(({ text }) => text)
  expect(told?.[0]).toBe('2\tline 1\n(28 more lines, from line 3)')
  expect(told?.[1]).toContain('app/apps/timer/app.tsx:30: line 29')
  expect(told?.slice(2).every((text) => text.startsWith('failed: '))).toBe(true)
  const silent = await think('a timer please', {
    director: [edit(), DONE],
    reviewers: [[{ text: 'Fine.' }]],
    now: TIMER,
  })
  expect(silent.finish).toMatchObject({ end: 'land', reply: 'You have a timer.' })
})

test('a question is answered from what the Director reads; nothing counts as discarded', async () => {
  const read = { uses: [{ name: 'read', input: { path: 'artifacts/list.txt' } }] }
  const world = { director: [read, { text: 'Milch.' }], before: { 'artifacts/list.txt': 'Milch' } }
  const { finish, asked } = await think('Was steht auf der Liste?', world)
  expect(asked.director[1]?.messages.at(-1)?.text).toContain('1\tMilch')
  expect(finish).toMatchObject({ end: 'answer', reply: 'Milch.' })
})

test('a model that claims to have done something and did nothing is told so once, in whatever language', async () => {
  const { finish, asked } = await think('Mach mir eine Uhr', { director: [{ text: 'Fertig, die Uhr ist da.' }] })
  expect(asked.director).toHaveLength(2)
  expect(asked.director[1]?.messages.at(-1)?.text).toContain('Nothing was changed by this')
  expect(finish).toMatchObject({ end: 'answer', reply: 'Fertig, die Uhr ist da.' })
  const question = await think('Wie spät ist es?', { director: [{ text: 'Das weiß ich nicht.' }] })
  expect(question.asked.director).toHaveLength(1)
  expect(question.finish).toMatchObject({ end: 'answer', reply: 'Das weiß ich nicht.' })
})

test('tasks that do not meet are given together, and windows are opened in the end', async () => {
  const both: Said = {
    uses: [
      {
        name: 'together',
        input: {
          tasks: [
            { instruction: 'one', may_write: ['app/apps/one/'] },
            { instruction: 'two', may_write: ['app/apps/two/'] },
          ],
        },
      },
      { name: 'open', input: { app: 'nowhere' } },
      { name: 'open', input: { app: 'one' } },
      { name: 'open', input: { app: 'one', title: 'artifacts/not there.md' } },
      { name: 'open', input: { app: 'one', title: 'artifacts/there.md' } },
    ],
  }
  const { finish, together, tasks } = await think('two small apps', {
    director: [both, DONE],
    now: { 'app/apps/one/app.tsx': "defineApp({ id: 'one', title: 'One of two' })", 'artifacts/there.md': 'x' },
  })
  expect(together).toEqual([2])
  expect(tasks.map(({ write_scope: scope }) => scope)).toEqual([['app/apps/one/'], ['app/apps/two/']])
  expect(finish).toMatchObject({
    end: 'land',
    windows: [
      { app: 'one', title: 'One of two' },
      { app: 'one', title: 'artifacts/there.md' },
    ],
  })
})

test('of tasks given together each is judged by its part, and what one lacks is not forgotten', async () => {
  const tasks = ['one', 'two'].map((instruction) => ({
    instruction,
    done_when: ['it is there'],
    may_write: [`app/apps/${instruction}/`],
  }))
  const {
    finish,
    asked,
    tasks: given,
  } = await think('two small apps', {
    director: [{ uses: [{ name: 'together', input: { tasks } }] }, DONE],
    reviewers: [[verdict(4, 1)], [verdict(4, 1)], [verdict(4, 1)], [verdict(4, 4)]],
    now: TIMER,
  })
  const [first] = asked.reviewer
  expect(first?.messages[1]?.text).toContain(
    '1. What the person said is met, as far as it was this task\'s to do: "two',
  )
  expect(given[2]?.instruction).toContain('which is done, in "app/apps/timer/app.tsx"')
  expect(finish.reply).toContain('A reviewer does not find this in it: it is there')
  // What was mended is said once.
  expect(finish.summary).toBe('There is something new now. There is something new now.')
})

test('list shows what there is, and what was made meanwhile', async () => {
  const list = { uses: [{ name: 'list', input: { folder: 'app' } }] }
  const { asked } = await think('a timer please', {
    director: [edit({ small: true }), list, DONE],
    before: { 'app/main.tsx': 'abc', 'artifacts/x.txt': 'x' },
    now: { 'app/apps/timer/app.tsx': 'one' },
  })
  expect(asked.director[2]?.messages.at(-1)?.text).toBe('app/apps/timer/app.tsx (new)\napp/main.tsx (3)')
})
