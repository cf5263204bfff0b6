import { expect, test } from 'vitest'
import { ChoirError } from '@choiros/contract/error.ts'
import type { ModelAnswer, ModelRequest } from '@choiros/contract/models.ts'
import { SYSCALLS, WorkOrder, type SyscallName, type TaskOutcome } from '@choiros/contract/syscalls.ts'
import { AssociateResult, type DirectorTask } from '@choiros/contract/tasks.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { doWork } from './work.ts'

const NO_CONTEXT = { files: [], messages: [], windows: [], runs: [], model: false }

function orderOf(text: string, wishes: WorkOrder['wishes'] = [], model = false): WorkOrder {
  return WorkOrder.parse({ run: 'run-1', today: '2026-11-14', text, wishes, context: { ...NO_CONTEXT, model } })
}

/** The supervisor's side of the socket: every input is checked as it would check it. */
function talk(answer: (task: DirectorTask) => Partial<TaskOutcome>) {
  const tasks: DirectorTask[] = []
  const finished: unknown[] = []
  const calls = {
    async call(name: SyscallName, given: unknown) {
      const input = SYSCALLS[name].input.parse(given)
      if (name === 'work.finish') {
        finished.push(input)
        return { again: null }
      }
      const { task } = input as unknown as { task: DirectorTask }
      tasks.push(task)
      const outcome = {
        task: task.task_id,
        kind: task.kind,
        status: 'done',
        summary: '',
        filesChanged: [],
        reports: [],
        result: null,
        ...answer(task),
      }
      return SYSCALLS['task.issue'].output.parse(outcome)
    },
  } as Syscalls
  return { calls, tasks, finished }
}

let ids = 0
const OPTIONS = { today: '2026-11-15', newId: () => `task-${++ids}` }

test('several looks in one sentence are one task with the union of their scopes, and land together', async () => {
  const { calls, tasks, finished } = talk(() => ({
    status: 'changed',
    summary: 'Made the desktop light. Made the accent teal.',
  }))
  await doWork(orderOf('make it light and the accent teal'), calls, OPTIONS)
  expect(tasks).toMatchObject([
    {
      kind: 'edit_repo',
      instruction: 'make it light and the accent teal',
      recipes: [
        { name: 'theme', parameters: { theme: 'light' } },
        { name: 'accent', parameters: { colour: 'teal' } },
      ],
      write_scope: ['artifacts/system/theme.json', 'artifacts/system/accent.json'],
    },
  ])
  const summary = 'Made the desktop light. Made the accent teal.'
  expect(finished).toEqual([
    { run: 'run-1', end: 'land', summary, reply: summary, offers: [], checkpoint: null, windows: [] },
  ])
})

test('what was not understood is named beside what was done', async () => {
  const { calls, finished } = talk(() => ({ status: 'changed', summary: 'Made the desktop light.' }))
  await doWork(orderOf('make the taskbar glass and make the theme light'), calls, OPTIONS)
  expect(finished).toMatchObject([
    { end: 'land', reply: 'Made the desktop light.\nI did not understand: “make the taskbar glass”.' },
  ])
})

test('wishes from the menu win over the words beside them', async () => {
  const { calls, tasks } = talk(() => ({ status: 'changed', summary: 'ok' }))
  await doWork(orderOf('make it dark', [{ recipe: 'accent', parameters: { colour: '#123456' } }]), calls, OPTIONS)
  expect(tasks.map(({ recipes }) => recipes)).toEqual([[{ name: 'accent', parameters: { colour: '#123456' } }]])
})

test('a form that does not fit changes nothing and says which field', async () => {
  const { calls, tasks, finished } = talk(() => ({}))
  await doWork(orderOf('accent', [{ recipe: 'accent', parameters: { colour: 'loud' } }]), calls, OPTIONS)
  expect(tasks).toEqual([])
  expect(finished).toMatchObject([
    { end: 'discard', reply: expect.stringContaining('Accent colour, colour: that is no colour I know') },
  ])
})

test('what is already so lands nothing and says so', async () => {
  const { calls, finished } = talk(() => ({ status: 'done', summary: 'The desktop is already dark.' }))
  await doWork(orderOf('make it dark'), calls, OPTIONS)
  expect(finished).toMatchObject([{ end: 'answer', reply: 'The desktop is already dark.' }])
})

test("a refusal is explained with the verifiers' words", async () => {
  const problems = [{ path: 'app/main.tsx', line: 3, message: 'Unexpected token' }]
  const { calls, finished } = talk(() => ({
    status: 'refused',
    summary: 'transform said no',
    reports: [{ verifier: 'transform', ok: false, summary: 'no', problems }],
  }))
  await doWork(orderOf('make it light'), calls, OPTIONS)
  const reply = 'I tried it on a copy, and it did not pass the checks. app/main.tsx:3: Unexpected token.'
  expect(finished).toMatchObject([{ end: 'discard', reply }])
})

test('a sentence nothing can be made of gets one sentence with three offers and the language, and no task', async () => {
  const { calls, tasks, finished } = talk(() => ({}))
  await doWork(orderOf('write a poem about the dark sea'), calls, OPTIONS)
  expect(tasks).toEqual([])
  const offers = [
    'write a document called Trip plan saying pack the tent',
    'make the theme dark',
    'make the wallpaper sea',
  ]
  const [first, second, third] = offers
  const reply = `My own recipes, which know some English, German, French and Spanish, have nothing for that; a language model (Model, at the top) could do more – or did you mean “${first}”, “${second}” or “${third}”?`
  expect(finished).toEqual([
    { run: 'run-1', end: 'discard', summary: 'it was not understood', reply, offers, checkpoint: null, windows: [] },
  ])
})

test('a syscall that fails ends the run in words, and a finish that fails is tried again', async () => {
  const finished: { reply: string; end: string }[] = []
  let tries = 0
  const calls = {
    async call(name: SyscallName, input: unknown) {
      if (name === 'task.issue') throw new ChoirError('sandbox.unavailable', 'no sandbox could be started')
      if (++tries === 1) throw new ChoirError('supervisor.unreachable', 'no answer')
      finished.push(input as never)
      return { again: null }
    },
  } as Syscalls
  await doWork(orderOf('make it light'), calls, OPTIONS)
  expect(finished).toMatchObject([{ end: 'discard', reply: 'That did not work. No sandbox could be started.' }])
})

test('undo stands alone: first, it is done and the rest is named; later, the rest is done', async () => {
  const first = talk(() => ({ status: 'done', summary: 'took back: make it dark' }))
  await doWork(orderOf('undo that and add a clock'), first.calls, OPTIONS)
  expect(first.tasks).toMatchObject([{ kind: 'git', git_action: 'undo' }])
  const reply =
    'Took back: make it dark.\nI only did that part. Going back is done on its own, so please ask for the rest again: Clock.'
  expect(first.finished).toMatchObject([{ end: 'answer', reply }])

  const later = talk(() => ({ status: 'changed', summary: 'Added a clock to the taskbar.' }))
  await doWork(orderOf('add a clock and undo that'), later.calls, OPTIONS)
  expect(later.tasks).toMatchObject([{ kind: 'edit_repo', write_scope: ['app/widgets/'] }])
  expect(later.finished).toMatchObject([{ end: 'land', reply: expect.stringContaining('I did not undo') }])
})

test('a checkpoint alone lands nothing but itself, and beside edits it comes after them', async () => {
  const alone = talk(() => ({}))
  await doWork(orderOf('save this state as before the party'), alone.calls, OPTIONS)
  expect(alone.tasks).toEqual([])
  expect(alone.finished).toMatchObject([
    { end: 'land', checkpoint: 'before the party', reply: 'I saved this point as “before the party”.' },
  ])

  const beside = talk(() => ({ status: 'changed', summary: 'Made the desktop light.' }))
  await doWork(orderOf('make it light and save this state as bright'), beside.calls, OPTIONS)
  expect(beside.finished).toMatchObject([
    {
      end: 'land',
      checkpoint: 'bright',
      reply: 'Made the desktop light.\nOnce the desktop is seen to work, this point will be saved as “bright”.',
    },
  ])

  const failed = talk(() => ({ status: 'failed', summary: 'no room' }))
  await doWork(orderOf('make it light and save this state as bright'), failed.calls, OPTIONS)
  expect(failed.finished).toMatchObject([{ end: 'discard', checkpoint: null, reply: 'That did not work. No room.' }])
})

test('questions are answered with what was found, and land nothing', async () => {
  const result = {
    task_id: 'x',
    status: 'ok' as const,
    summary: 'Your apps: Files.',
    files_changed: [],
    commands_run: [],
    missing: null,
  }
  const { calls, tasks, finished } = talk(({ kind }) =>
    kind === 'git'
      ? { summary: 'Made the desktop dark. (2 minutes ago)' }
      : { result: { ...result, reply: '', questions: [] } },
  )
  await doWork(orderOf('which apps do I have?'), calls, OPTIONS)
  await doWork(orderOf('what changed lately?'), calls, OPTIONS)
  await doWork(orderOf('what can you do?'), calls, OPTIONS)
  await doWork(orderOf('thanks'), calls, OPTIONS)
  expect(tasks).toMatchObject([
    { kind: 'inspect', recipes: [{ name: 'inspect', parameters: { what: 'apps' } }], write_scope: [] },
    { kind: 'git', git_action: 'log' },
  ])
  expect(finished).toMatchObject([
    { end: 'answer', reply: 'Your apps: Files.' },
    { end: 'answer', reply: 'Here is what changed lately, newest first:\nMade the desktop dark. (2 minutes ago)' },
    {
      end: 'answer',
      reply: expect.stringMatching(/^Just say it .*“make the accent teal”.*The \? menu/),
      offers: ['make the accent teal', 'give me somewhere to keep a shopping list', 'add a clock with seconds'],
    },
    { end: 'answer', reply: 'You’re welcome.' },
  ])
})

test('a check says what it found, or that it could not look', async () => {
  const runs = (...logs: string[]) => logs.map((log) => ({ command: ['check'], exit_code: 0, log }))
  const ask = async (commands_run: ReturnType<typeof runs>) => {
    const { calls, tasks, finished } = talk(({ task_id }) => ({
      result: AssociateResult.parse({ task_id, status: 'ok', summary: '', commands_run }),
    }))
    await doWork(orderOf('check my desktop for errors'), calls, OPTIONS)
    expect(tasks).toMatchObject([{ kind: 'run', allowed_tools: ['shell'] }])
    return (finished[0] as { reply: string }).reply
  }
  const bad = '{"ok":false,"problems":[{"path":"app/a.tsx","line":4,"message":"Unexpected token"}]}'
  expect(await ask(runs('{"ok":true,"problems":[]}'))).toBe(
    'I looked through the desktop’s code and found nothing wrong.',
  )
  expect(await ask(runs('noise\n{"ok":true,"problems":[]}', bad))).toBe(
    'I found a problem:\napp/a.tsx:4: Unexpected token',
  )
  expect(await ask(runs('crashed'))).toContain('ended without an answer')
})

test('of two wishes for one thing the last counts, and the reply says so', async () => {
  const { calls, tasks, finished } = talk(() => ({ status: 'changed', summary: 'Made the desktop dark.' }))
  await doWork(orderOf('make it light and dark'), calls, OPTIONS)
  expect(tasks[0]?.recipes).toEqual([{ name: 'theme', parameters: { theme: 'dark' } }])
  expect(finished).toMatchObject([
    { reply: 'Made the desktop dark.\nI went by what you said last, not by “make it light”.' },
  ])
})

test('with a model, what no recipe fits is thought about: tasks are given, refused work is given again, and the last word is the model’s', async () => {
  const tasks: DirectorTask[] = []
  const finished: unknown[] = []
  const asked: ModelRequest[] = []
  const answers: Pick<ModelAnswer, 'text' | 'uses'>[] = [
    {
      text: '',
      uses: [
        { id: 'a', name: 'edit', input: { instruction: 'make a dice app', done_when: ['it rolls'], small: true } },
      ],
    },
    {
      text: '',
      uses: [{ id: 'b', name: 'edit', input: { instruction: 'make a dice app; mind the type of sides', small: true } }],
    },
    { text: 'You have a dice app in the taskbar now.', uses: [] },
  ]
  const calls = {
    async call(name: SyscallName, input: unknown) {
      if (name === 'work.heard') return { said: [], warnings: [] }
      if (name === 'tree.read') return { files: [] }
      if (name === 'model.stream') {
        asked.push(structuredClone(input) as ModelRequest)
        return { ...answers[asked.length - 1]!, finish: 'stop', usage: { input: 1, output: 1 } }
      }
      if (name === 'task.issue') {
        const { task } = input as { task: DirectorTask }
        const isFirst = tasks.push(task) === 1
        const problems = [{ path: 'app/apps/dice/app.tsx', line: 3, message: 'sides is no number' }]
        const reports = isFirst ? [{ verifier: 'types', ok: false, summary: 'no', problems }] : []
        return {
          task: task.task_id,
          kind: task.kind,
          status: isFirst ? 'refused' : 'changed',
          summary: 'There is a dice app.',
          filesChanged: ['app/apps/dice/app.tsx'],
          reports,
          result: null,
        }
      }
      finished.push(input)
      return { again: null }
    },
  } as unknown as Syscalls
  await doWork(orderOf('I want to roll some dice', [], true), calls, OPTIONS)
  expect(tasks.map(({ kind, write_scope: scope, recipes }) => [kind, scope, recipes])).toEqual(
    Array.from({ length: 2 }, () => ['edit_repo', ['app/'], []]),
  )
  // What the fast model could not do is given to the strong one.
  expect(tasks.map(({ model_tier: tier }) => tier)).toEqual(['fast', 'strong'])
  expect(JSON.stringify(asked[1]!.messages.at(-1))).toContain('sides is no number')
  expect(finished).toMatchObject([
    { end: 'land', reply: 'You have a dice app in the taskbar now.', summary: 'There is a dice app.' },
  ])
})

test('a model that claims work it did not have done is put right, and one that gets nowhere is stopped', async () => {
  const say = (answer: (index: number) => Pick<ModelAnswer, 'text' | 'uses'>) => {
    const finished: { end: string; reply: string }[] = []
    let index = 0
    const calls = {
      async call(name: SyscallName, input: unknown) {
        if (name === 'work.heard') return { said: [], warnings: [] }
        if (name === 'model.stream') return { ...answer(index++), finish: 'stop', usage: { input: 1, output: 1 } }
        if (name === 'task.issue')
          return {
            task: 't',
            kind: 'inspect',
            status: 'done',
            summary: 'x',
            filesChanged: [],
            reports: [],
            result: null,
          }
        finished.push(input as never)
        return { again: null }
      },
    } as unknown as Syscalls
    return doWork(orderOf('surprise me with something new', [], true), calls, OPTIONS).then(() => finished[0]!)
  }
  expect(await say(() => ({ text: 'Fertig! Es ist da.', uses: [] }))).toMatchObject({
    end: 'answer',
    reply: 'Fertig! Es ist da.',
  })
  expect(await say(() => ({ text: '', uses: [] }))).toMatchObject({
    end: 'discard',
    reply: expect.stringContaining('no answer') as string,
  })
  const look = { id: 'x', name: 'look', input: { question: 'again' } }
  expect(await say(() => ({ text: '', uses: [look] }))).toMatchObject({
    end: 'discard',
    reply: expect.stringContaining('same call') as string,
  })
  expect(await say((index) => ({ text: '', uses: [{ id: 'x', name: 'nonsense', input: index }] }))).toMatchObject({
    end: 'discard',
    reply: expect.stringContaining('same error') as string,
  })
})

test('a question about a change is answered with how to ask for it, and nothing is done', async () => {
  const { calls, tasks, finished } = talk(() => ({}))
  await doWork(orderOf('how do I undo?'), calls, OPTIONS)
  expect([tasks, finished]).toMatchObject([[], [{ end: 'answer', reply: 'To do that, say “undo that”.' }]])
})

test.each([
  'add a countdown, and write me a packing list',
  'add a countdown to Friday, and write me a packing list for Norway',
  'change the accent and write me a poem',
  'write a document called Trip with a plan for three days in Rome',
  'don’t make it dark, but write me a poem',
  'how do I undo, and what is the capital of France?',
])('with a model, “%s” goes to it whole: recipes understand only a part of it', async (text) => {
  const heard: string[] = []
  const calls = {
    async call(name: SyscallName, input: unknown) {
      if (name === 'work.heard') return { said: [], warnings: [] }
      if (name === 'model.stream') {
        heard.push((input as ModelRequest).messages.at(-1)!.text)
        return { text: 'So it is?', uses: [], reasoning: [], finish: 'stop', usage: { input: 1, output: 1 } }
      }
      if (name !== 'work.finish') throw new Error(`${name}: a recipe acted on its own`)
      return { again: null }
    },
  } as unknown as Syscalls
  await doWork(orderOf(text, [], true), calls, OPTIONS)
  expect(heard[0]).toContain(text)
})

test.each([
  ['a list called bread and butter', 'todo'],
  ['could I have a timer?', 'timer'],
  ['set me up with a packing list', 'todo'],
  ['make a note of the gate code and call mum', 'document'],
])('with a model, “%s” is still done at once: recipes understand all of it', async (text, recipe) => {
  const { calls, tasks } = talk(() => ({ status: 'changed', summary: 'ok' }))
  await doWork(orderOf(text, [], true), calls, OPTIONS)
  expect(tasks.map(({ recipes }) => recipes.map(({ name }) => name))).toEqual([[recipe]])
})
