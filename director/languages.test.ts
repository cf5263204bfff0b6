import { expect, test } from 'vitest'
import { SYSCALLS, WorkOrder, type SyscallInput, type SyscallName } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { doWork } from './work.ts'

const CONTEXT = { files: [], messages: [], windows: [], runs: [], model: false }

interface Said {
  readonly reply: string
  readonly offers: readonly string[]
  readonly end: string
}

/** One order, with what the tasks come to and what the person answers to questions. */
async function work(text: string, outcome: { status: string; summary: string }, answers: readonly string[] = []) {
  const tasks: DirectorTask[] = []
  const asked: SyscallInput<'question.ask'>['questions'][number][] = []
  const said: Said[] = []
  const calls = {
    async call(name: SyscallName, given: unknown) {
      const input = SYSCALLS[name].input.parse(given)
      if (name === 'work.finish') {
        said.push(input as never)
        return { again: null }
      }
      if (name === 'question.ask') {
        asked.push(...(input as unknown as SyscallInput<'question.ask'>).questions)
        return { answers, by: 'person' }
      }
      const { task } = input as unknown as { task: DirectorTask }
      tasks.push(task)
      const rest = { filesChanged: [], reports: [], result: null }
      return SYSCALLS['task.issue'].output.parse({ task: task.task_id, kind: task.kind, ...rest, ...outcome })
    },
  } as Syscalls
  const order = WorkOrder.parse({ run: 'run-1', today: '2026-11-14', text, wishes: [], context: CONTEXT })
  await doWork(order, calls, { today: '2026-11-15', newId: () => `task-${tasks.length}` })
  return { recipes: tasks.flatMap(({ recipes }) => recipes), asked, said: said[0]! }
}

test('a wish in German is done and answered in German, with what was left over in the person’s own words', async () => {
  const { recipes, said } = await work('Mach es hell und back einen Kuchen', {
    status: 'changed',
    summary: 'Made the desktop light.',
  })
  expect(recipes).toEqual([{ name: 'theme', parameters: { theme: 'light' } }])
  expect(said).toMatchObject({
    end: 'land',
    reply: 'Der Desktop ist jetzt hell.\nDas habe ich nicht verstanden: “back einen Kuchen”.',
  })
})

test('a question is asked in French, and its answer is understood in French', async () => {
  const { recipes, asked, said } = await work(
    'Change le thème',
    { status: 'changed', summary: 'Made the desktop light.' },
    ['clair, s’il te plaît'],
  )
  expect(asked).toMatchObject([{ text: 'Clair ou sombre ?', choices: ['Clair', 'Sombre'] }])
  expect(recipes).toEqual([{ name: 'theme', parameters: { theme: 'light' } }])
  expect(said.reply).toBe('Le bureau est maintenant clair.')
})

test('what was not understood gets offers in Spanish, each of which is understood', async () => {
  const { recipes, said } = await work('Pinta la barra de tareas de azul cielo con nubes', {
    status: 'done',
    summary: '',
  })
  expect(recipes).toEqual([])
  expect(said.end).toBe('discard')
  expect(said.reply).toMatch(/^Mis propias recetas no tienen nada para eso; .* ¿o querías decir “.*”, “.*” o “.*”\?$/)
  expect(said.offers).toHaveLength(3)
  for (const offer of said.offers) {
    const { recipes: followed } = await work(offer, { status: 'done', summary: '' })
    expect(followed).toHaveLength(1)
  }
})

test('help, thanks, a negation, a question and something to stop are answered in the language they were said in', async () => {
  const replies = await Promise.all(
    [
      'Was kannst du?',
      'Merci beaucoup !',
      'No quites el reloj',
      'Wie kann ich die Uhr entfernen?',
      'Laisse tomber',
    ].map(async (text) => (await work(text, { status: 'done', summary: '' })).said.reply),
  )
  expect(replies).toEqual([
    expect.stringMatching(
      /^Sag es einfach mit deinen Worten, zum Beispiel: “mach den Akzent türkis”, .* Das Menü \? hat alles/,
    ),
    'De rien.',
    'No he quitado nada.',
    'Sag dazu “entferne die Uhr”.',
    "Il n'y a rien à arrêter. Pour annuler le dernier changement, dis « annule ça ».",
  ])
})
