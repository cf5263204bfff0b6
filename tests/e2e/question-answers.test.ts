import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Event } from '@choiros/contract/event.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'

const SOON = { timeout: 15_000, interval: 10 }

/** Without a model: a recipe asks for what it lacks, and the next sentence is first read as the answer. */
describe('what is said next', { timeout: 60_000 }, () => {
  let home: RunHome
  let computer: Computer

  beforeAll(async () => {
    home = openRunHome(temporaryFolder(), { patienceMs: 3000 })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    removeFolders()
  })

  const get = ({ run }: RunView) => home.run('run.get', { run }, { computer: computer.id })
  /** Asks, and waits for the question. */
  const asked = async (text: string): Promise<RunView> => {
    const run = await home.ask(computer, text)
    await expect.poll(async () => (await get(run)).asking, SOON).not.toBeNull()
    return get(run)
  }
  const setting = async (name: string) =>
    JSON.parse(await home.read(computer, `artifacts/system/${name}.json`)) as unknown
  const answersOf = async ({ run }: RunView): Promise<unknown[]> =>
    (await home.events(computer))
      .filter((event: Event) => event.type === 'question.answer' && event.run === run)
      .map(({ data }) => [data['by'], data['answers']])

  test('answers the question, in the same run, by the box as by the form', async () => {
    const first = await asked('change the wallpaper')
    expect(first.asking?.questions).toMatchObject([
      { choices: expect.arrayContaining(['Aurora', 'Forest']) as string[], fallback: '' },
    ])
    expect(await home.ask(computer, 'green')).toMatchObject({ run: first.run })
    expect(await home.ended(computer, first)).toMatchObject({ status: 'landed', reply: 'Made the wallpaper green.' })
    expect(await setting('wallpaper')).toEqual({ wallpaper: '#008000' })
    await expect(setting('accent')).rejects.toThrow('not there')
    const second = await asked('change the text size')
    await home.ask(computer, '20')
    expect(await home.ended(computer, second)).toMatchObject({ status: 'landed' })
    const third = await asked('move the taskbar')
    const { question } = third.asking!
    await expect(
      home.run('answer', { run: third.run, question, answers: [''] }, { computer: computer.id }),
    ).rejects.toMatchObject({
      code: 'request.invalid',
    })
    await home.run('answer', { run: third.run, question, answers: ['Top'] }, { computer: computer.id })
    expect(await home.ended(computer, third)).toMatchObject({
      status: 'landed',
      reply: 'Moved the taskbar to the top.',
    })
    const fourth = await asked('add a countdown')
    await home.ask(computer, '31 December')
    expect(await home.ended(computer, fourth)).toMatchObject({
      status: 'landed',
      reply: expect.stringContaining('31 December') as string,
    })
    expect(await answersOf(first)).toEqual([['person', ['green']]])
  })

  test('is another wish where it plainly is one: the question is left, and the wish done', async () => {
    const first = await asked('change the wallpaper')
    const other = await home.ask(computer, 'make it light')
    expect(other.run).not.toBe(first.run)
    expect(await home.ended(computer, first)).toMatchObject({
      status: 'discarded',
      reply: 'You asked for something else instead, so I left this as it was.',
    })
    expect(await home.ended(computer, other)).toMatchObject({ status: 'landed', reply: 'Made the desktop light.' })
    expect(await answersOf(first)).toEqual([['withdrawn', ['make it light']]])
  })

  test('“never mind” withdraws the question, and says that there is nothing to stop where nothing goes on', async () => {
    const run = await asked('change the wallpaper')
    expect(await home.ask(computer, 'never mind')).toMatchObject({ run: run.run })
    expect(await home.ended(computer, run)).toMatchObject({ status: 'discarded', reply: 'All right.' })
    expect(await home.prompt(computer, 'never mind')).toMatchObject({
      status: 'answered',
      reply: expect.stringContaining('nothing to stop') as string,
    })
    const waiting = await asked('change the wallpaper')
    const behind = await home.run(
      'prompt',
      { text: 'a', wishes: [{ recipe: 'theme', parameters: { theme: 'dark' } }] },
      { computer: computer.id },
    )
    expect(await home.ended(computer, waiting)).toMatchObject({ status: 'discarded' })
    expect(await home.ended(computer, behind)).toMatchObject({ status: 'landed' })
  })

  test('that fits nothing is asked for again; without any answer nothing is chosen', async () => {
    const run = await asked('move the taskbar')
    const { question } = run.asking!
    await home.ask(computer, 'the fridge')
    await expect.poll(async () => (await get(run)).asking?.question, SOON).not.toBe(question)
    await expect
      .poll(async () => (await get(run)).asking?.questions[0]?.text, SOON)
      .toContain('“the fridge” does not fit here')
    await home.ask(computer, 'bottom')
    expect(await home.ended(computer, run)).toMatchObject({
      status: 'landed',
      reply: 'Moved the taskbar to the bottom.',
    })
    const left = await asked('move the taskbar')
    expect(await home.ended(computer, left)).toMatchObject({
      status: 'discarded',
      reply: 'Nobody answered, so I left that as it was.',
    })
  })

  test('what was not understood comes with three wishes to click, kept in the log and the list', async () => {
    const run = await home.prompt(computer, 'make the taskbar blue')
    expect(run).toMatchObject({
      status: 'discarded',
      reason: 'it was not understood',
      offers: expect.arrayContaining(['make the accent blue']) as string[],
    })
    expect(run.reply).toContain('English')
    expect(run.offers.length).toBe(3)
    for (const offer of run.offers) expect(run.reply).toContain(`“${offer}”`)
    expect(await home.prompt(computer, 'what do I have here')).toMatchObject({ status: 'answered', offers: [] })
    expect(await home.run('verify', {}, { computer: computer.id })).toMatchObject({ ok: true })
    expect(await home.run('replay', { to: null }, { computer: computer.id })).toMatchObject({ matches: true })
  })

  // Last: it looks at everything that was said and done above.
  test('every answer and every result names the event that it answers', async () => {
    const events = await home.events(computer)
    const answered: Readonly<Record<string, string>> = {
      'tool.result': 'tool.call',
      'task.result': 'task.request',
      'question.answer': 'question.ask',
    }
    for (const [type, cause] of Object.entries(answered)) {
      const all = events.filter((event) => event.type === type)
      const causes = all.map((event) => events.find(({ id, seq }) => id === event.cause && seq < event.seq))
      expect([
        type,
        all.length > 0,
        causes.every((found, index) => found?.type === cause && found.run === all[index]?.run),
      ]).toEqual([type, true, true])
    }
    expect(events.filter(({ type, cause }) => !(type in answered) && cause !== null)).toEqual([])
  })
})
