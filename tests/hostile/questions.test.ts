import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Question } from '@choiros/contract/events/talk.ts'
import { hasCode } from '@choiros/contract/error.ts'
import { RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { openTestHome, removeFolders, temporaryFolder, type TestHome } from '../support/home.ts'
import { createQuestions, type Questions } from '@choiros/supervisor/runs/questions.ts'

const RUN = RunId.parse('run')
const BY = { user: 'ada', source: 'user', via: 'desktop' } as never
const ASKED: readonly Question[] = [{ text: 'Which colour?', choices: [], fallback: 'blue', slot: null }]

let own: TestHome
let questions: Questions
const never = new AbortController().signal
const isRefused = (error: unknown) => hasCode(error, 'syscall.refused')
const asksIn = async () => (await own.computer()).head().seq

beforeEach(async () => {
  own = openTestHome(temporaryFolder())
  await own.run('computer.add', { name: 'desk' as never })
  questions = createQuestions(await own.computer(), own.machine)
})
afterEach(async () => {
  await own.close()
  removeFolders()
})

test('[L11] of questions that come at once one is asked, and the others write nothing', async () => {
  const before = await asksIn()
  const all = Array.from({ length: 5 }, () => questions.ask(RUN, ASKED, never))
  const [first, ...others] = all
  const refused = await Promise.all(others.map((other) => other.then(String, isRefused)))
  expect(refused).toEqual(others.map(() => true))
  await expect.poll(() => questions.open() !== null).toBe(true)
  expect(await asksIn()).toBe(before + 1)
  await questions.answer(BY, RUN, questions.open()?.question ?? '', ['red'])
  expect(await first).toEqual({ answers: ['red'], by: 'person' })
  expect(questions.open()).toBeNull()
})

test('[L11] a run that asks again and again is refused in the end', async () => {
  for (let times = 0; times < LIMITS.asksPerRunMax; times++) {
    const asked = questions.ask(RUN, ASKED, never)
    await expect.poll(() => questions.open() !== null).toBe(true)
    await questions.withdraw(BY, questions.open()?.question ?? '', 'no')
    await asked
  }
  await expect(questions.ask(RUN, ASKED, never)).rejects.toSatisfy(isRefused)
})

test('a question of a run that ended is gone, also where its answer could not be written', async () => {
  const run = new AbortController()
  const asked = questions.ask(RUN, ASKED, run.signal).then(String, (error: unknown) => error)
  await expect.poll(() => questions.open() !== null).toBe(true)
  const question = questions.open()?.question ?? ''
  await (await own.session()).close() // From now on nothing can be written.
  const answered = questions.answer(BY, RUN, question, ['red']).then(String, (error: unknown) => error)
  run.abort(new Error('stopped'))
  expect(await asked).toMatchObject({ message: 'stopped' })
  expect(await answered).toMatchObject({ code: 'supervisor.stopping' })
  expect(questions.open()).toBeNull()
})
