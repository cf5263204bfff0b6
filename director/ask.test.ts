import { expect, test } from 'vitest'
import type { Question } from '@choiros/contract/events/talk.ts'
import { SYSCALLS, WorkOrder, type SyscallName, type SyscallOutput } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { doWork } from './work.ts'

type Answered = SyscallOutput<'question.ask'>

/** A run of one sentence, whose questions are answered one after the other. */
async function asked(text: string, ...answers: Answered[]) {
  const context = { files: [], messages: [], windows: [], runs: [], model: false }
  const order = WorkOrder.parse({ run: 'run-1', today: '2026-11-14', text, wishes: [], context })
  const questions: Question[] = []
  const recipes: DirectorTask['recipes'] = []
  let finish: { end: string; summary: string; reply: string } | null = null
  const calls = {
    async call(name: SyscallName, given: unknown) {
      const input = SYSCALLS[name].input.parse(given)
      if (name === 'work.finish') {
        finish = input as never
        return { again: null }
      }
      if (name === 'memory.obey') return { forgot: [] }
      if (name === 'question.ask') {
        questions.push(...(input as unknown as { questions: Question[] }).questions)
        return SYSCALLS['question.ask'].output.parse(answers.shift())
      }
      const { task } = input as unknown as { task: DirectorTask }
      recipes.push(...task.recipes)
      return {
        task: task.task_id,
        kind: task.kind,
        status: 'changed',
        summary: 'Done.',
        filesChanged: [],
        reports: [],
        result: null,
      }
    },
  } as unknown as Syscalls
  let ids = 0
  await doWork(order, calls, { today: '2026-11-15', newId: () => `task-${++ids}` })
  return { questions, recipes, finish: finish as { end: string; summary: string; reply: string } | null }
}

const person = (...answers: string[]): Answered => ({ answers, by: 'person' })

test('what a recipe lacks is asked in a form with choices, and its answer completes the wish', async () => {
  const { questions, recipes, finish } = await asked('change the wallpaper', person('green'))
  expect(questions).toEqual([
    {
      text: 'Which wallpaper? You can also name a colour.',
      choices: ['Plain', 'Dusk', 'Aurora', 'Dunes', 'Grid', 'Paper', 'Ocean', 'Forest'],
      fallback: '',
      slot: { recipe: 'wallpaper', field: 'wallpaper' },
    },
  ])
  expect(recipes).toEqual([{ name: 'wallpaper', parameters: { colour: 'green' } }])
  expect(finish).toMatchObject({ end: 'land', reply: 'Done.' })
})

test('several things are asked at once, and what was clear is done with them as one', async () => {
  const { questions, recipes } = await asked(
    'add a clock, change the theme and add a countdown to my birthday',
    person('dark', '3 May'),
  )
  expect(questions.map(({ text }) => text)).toEqual(['Light or dark?', 'Which day should it count down to?'])
  expect(recipes.map(({ name, parameters }) => [name, parameters])).toEqual([
    ['clock', {}],
    ['theme', { theme: 'dark' }],
    ['countdown', { until: '2027-05-03', title: 'Birthday' }],
  ])
})

test('an answer that does not fit is asked for again, at most three times', async () => {
  const again = await asked('move the taskbar', person('the fridge'), person('bottom'))
  expect(again.questions[1]?.text).toBe(
    '“the fridge” does not fit here. Should the taskbar be at the top or at the bottom?',
  )
  expect(again.recipes).toEqual([{ name: 'taskbar', parameters: { position: 'bottom' } }])
  const never = await asked('move the taskbar', person('the fridge'), person('the fridge'), person('the fridge'))
  expect([never.questions.length, never.recipes, never.finish]).toMatchObject([
    3,
    [],
    { end: 'discard', reply: 'I could not make anything of “the fridge”, so I left that as it was.' },
  ])
})

test('without an answer nothing is chosen for the person, and it is said in plain words', async () => {
  const replies = [
    await asked('change the wallpaper', { answers: [''], by: 'nobody' }),
    await asked('change the wallpaper', { answers: ['never mind'], by: 'withdrawn' }),
    await asked('change the wallpaper', { answers: ['make it dark'], by: 'withdrawn' }),
  ]
  expect(replies.map(({ recipes, finish }) => [recipes, finish?.end, finish?.summary, finish?.reply])).toEqual([
    [[], 'discard', 'nobody answered', 'Nobody answered, so I left that as it was.'],
    [[], 'discard', 'you took it back', 'All right.'],
    [[], 'discard', 'you asked for something else', 'You asked for something else instead, so I left this as it was.'],
  ])
})

test('thanks are welcome, a greeting is returned, and “never mind” is neither', async () => {
  const replies = await Promise.all(
    ['thank you!', 'hello', 'never mind', 'forget it', 'stop', '🙂'].map(
      async (text) => (await asked(text)).finish?.reply,
    ),
  )
  const nothing = 'There is nothing to stop right now. To take back the last change, say “undo that”.'
  expect(replies).toEqual([
    'You’re welcome.',
    'Hello! Tell me what you would like, or press ? for ideas.',
    nothing,
    nothing,
    nothing,
    'Tell me what you would like, or press ? for ideas.',
  ])
})
