import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEvent, type Event } from '@choiros/contract/event.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { createHearing } from '@choiros/supervisor/runs/hearing.ts'
import type { Said } from '@choiros/contract/wire.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import { startScriptedModel, type Scripted, type ScriptedModel, type SeenRequest } from '../support/scripted-model.ts'

const SOON = { timeout: 15_000, interval: 10 }
const EDIT: Scripted = { uses: [{ name: 'edit', input: { instruction: 'write the note', may_write: ['artifacts/'] } }] }
const NOTE: Scripted = { uses: [{ name: 'write', input: { path: 'artifacts/note.md', text: 'a note' } }] }
const LONG_NOTE: Scripted = {
  uses: [{ name: 'write', input: { path: 'artifacts/note.md', text: 'a line\n'.repeat(40) } }],
}
const ASK: Scripted = {
  uses: [
    {
      name: 'ask',
      input: {
        questions: [
          { question: 'Which city?', default: 'Ghent' },
          { question: 'Which unit?', choices: ['Celsius', 'Fahrenheit'], default: 'Celsius' },
        ],
      },
    },
  ],
}
const isDirector = ({ body }: SeenRequest) => body.tools?.some((tool) => tool.function?.name === 'look') === true
const turnOf = ({ body }: SeenRequest) => body.messages.filter(({ role }) => role === 'assistant').length
const saidTo = ({ body }: SeenRequest) => JSON.stringify(body.messages)

/**
 * A person and a run talk while it works: it asks, they answer; they add something, it hears; it speaks, they read
 * along.
 */
describe('talking with a run', { timeout: 60_000 }, () => {
  let model: ScriptedModel
  let home: RunHome
  let computer: Computer

  beforeAll(async () => {
    model = await startScriptedModel(() => ({ text: 'hello' }))
    home = openRunHome(temporaryFolder(), { modelUrl: model.url, patienceMs: 2500 })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    await model?.close()
    removeFolders()
  })

  const command: RunHome['run'] = (name, input) => home.run(name, input, { computer: computer.id })
  const ask = (script: ScriptedModel['script']) => {
    model.script = script
    model.seen.length = 0
    return home.ask(computer, 'I want to know what the weather tastes like')
  }
  const asking = async ({ run }: RunView): Promise<NonNullable<RunView['asking']>> => {
    await expect.poll(async () => (await command('run.get', { run })).asking, SOON).not.toBeNull()
    return (await command('run.get', { run })).asking!
  }
  const eventsOf = async ({ run, asked }: RunView): Promise<Event[]> =>
    (await computer.log.read({ after: asked - 1, limit: 1000 })).map(readEvent).filter((event) => event.run === run)
  const askAndSay = (request: SeenRequest): Scripted => (turnOf(request) === 0 ? ASK : { text: 'So be it.' })

  test('questions wait for their answers; an empty answer takes what was offered', async () => {
    const run = await ask(askAndSay)
    const { question, questions } = await asking(run)
    expect(questions).toEqual([
      { text: 'Which city?', choices: [], fallback: 'Ghent', slot: null },
      { text: 'Which unit?', choices: ['Celsius', 'Fahrenheit'], fallback: 'Celsius', slot: null },
    ])
    await expect(command('answer', { run: run.run, question: 'other', answers: ['a', 'b'] })).rejects.toMatchObject({
      code: 'run.unknown',
    })
    await expect(command('answer', { run: run.run, question, answers: ['a'] })).rejects.toMatchObject({
      code: 'request.invalid',
    })
    expect(await command('answer', { run: run.run, question, answers: ['Bruges', ''] })).toMatchObject({ asking: null })
    await expect(command('answer', { run: run.run, question, answers: ['a', 'b'] })).rejects.toMatchObject({
      code: 'run.unknown',
    })
    expect(await home.ended(computer, run)).toMatchObject({ status: 'answered', reply: 'So be it.', asking: null })
    expect(saidTo(model.seen.at(-1)!)).toContain(String.raw`\"Which city?\": \"Bruges\"`)
    const told = (await eventsOf(run))
      .filter(({ type }) => type.startsWith('question.'))
      .map(({ type, source, data }) => [type, source, data['by']])
    expect(told).toEqual([
      ['question.ask', 'agent', undefined],
      ['question.answer', 'user', 'person'],
    ])
  })

  test('where nobody answers, what was offered is taken, and said to be', async () => {
    const run = await ask(askAndSay)
    expect(await home.ended(computer, run)).toMatchObject({ status: 'answered', asking: null })
    expect(saidTo(model.seen.at(-1)!)).toMatch(/Nobody answered.*Which city\?\\": \\"Ghent/)
    expect((await eventsOf(run)).find(({ type }) => type === 'question.answer')).toMatchObject({
      source: 'system',
      data: { by: 'nobody' },
    })
  })

  test('a run that asks twice is told to choose, and Stop ends one that waits', async () => {
    const twice = await ask((request) => (turnOf(request) < 2 ? ASK : { text: 'So be it.' }))
    const { question } = await asking(twice)
    await command('answer', { run: twice.run, question, answers: ['', ''] })
    await home.ended(computer, twice)
    expect(saidTo(model.seen.at(-1)!)).toContain('you have asked already')
    const stopped = await ask(askAndSay)
    await asking(stopped)
    await command('stop', { run: stopped.run })
    expect(await home.ended(computer, stopped)).toMatchObject({ status: 'cancelled', asking: null })
    expect((await eventsOf(stopped)).map(({ type }) => type)).not.toContain('question.answer')
  })

  test('what the person adds is heard by the Associate and the Director before their next step', async () => {
    const run = await ask((request) => {
      if (isDirector(request)) return turnOf(request) === 0 ? EDIT : { text: 'There is a note now.' }
      return [{ uses: [{ name: 'shell', input: { command: 'sleep 1.5' } }] }, NOTE, { text: 'It is written.' }][
        turnOf(request)
      ]!
    })
    await expect.poll(async () => (await eventsOf(run)).some(({ type }) => type === 'tool.call'), SOON).toBe(true)
    expect(await command('steer', { run: run.run, text: 'and make it rhyme' })).toMatchObject({
      run: run.run,
      status: 'running',
      text: run.text,
    })
    expect(await home.ended(computer, run)).toMatchObject({ status: 'landed', text: run.text })
    const [forAssociate, forDirector] = [false, true].map((who) =>
      model.seen.filter((request) => isDirector(request) === who).at(-1)!,
    )
    expect(saidTo(forAssociate!)).toContain(String.raw`The person adds, while you work: \"and make it rhyme\"`)
    expect(saidTo(forDirector!).match(/and make it rhyme/g)).toHaveLength(1)
    expect(
      (await eventsOf(run))
        .filter(({ type, source }) => type === 'message' && source === 'user')
        .map(({ data }) => data['text']),
    ).toEqual([run.text, 'and make it rhyme'])
    await expect(command('steer', { run: run.run, text: 'more' })).rejects.toMatchObject({ code: 'run.unknown' })
  })

  test('an Associate who begins later is told once what the person added, and once what they asked for', async () => {
    const run = await ask((request) => {
      if (isDirector(request))
        return [
          { uses: [{ name: 'list', input: { folder: 'artifacts' } }], pauseMs: 1500 },
          EDIT,
          { text: 'There is a note now.' },
        ][turnOf(request)]!
      return [NOTE, { text: 'It is written.' }][turnOf(request)]!
    })
    await expect.poll(() => model.seen.length, SOON).toBe(1)
    await command('steer', { run: run.run, text: 'and make it rhyme twice' })
    await home.ended(computer, run)
    const first = saidTo(model.seen.find((request) => !isDirector(request))!)
    expect(first.match(/and make it rhyme twice/g)).toHaveLength(1)
    expect(first.match(/what the weather tastes like/g)?.length).toBeGreaterThan(0)
  })

  test('a wish that waited is told what was said before it, and neither its own words again nor those that wait behind it', async () => {
    const own = (await home.addComputer('waiting')).id
    const replies = ['First reply.', 'Second reply.', 'Third reply.']
    model.seen.length = 0
    model.script = (request) =>
      turnOf(request) === 0
        ? { uses: [{ name: 'list', input: { folder: 'artifacts' } }] }
        : { text: replies.shift() ?? '' }
    const wishes = ['a first odd wish', 'a second odd wish', 'a third odd wish']
    const asked = []
    for (const text of wishes) asked.push(await home.run('prompt', { text, wishes: [] }, { computer: own }))
    await home.ended(await home.computer(undefined, 'waiting'), asked.at(-1)!)
    const told = model.seen.filter((request) => turnOf(request) === 0).map((request) => saidTo(request))
    const times = (text: string) => told.map((words) => words.split(text).length - 1)
    expect(times('a first odd wish')).toEqual([1, 1, 1])
    expect(times('a second odd wish')).toEqual([0, 1, 1])
    expect(times('a third odd wish')).toEqual([0, 0, 1])
    expect(times('First reply.')).toEqual([0, 1, 1])
    expect(times('Second reply.')).toEqual([0, 0, 1])
    expect(told[2]).toContain(String.raw`user: \"a first odd wish\" (answered)`)
  })

  test('what is added while the last word is being made up is still minded', async () => {
    const late: Promise<unknown>[] = []
    const run = await ask((request) => {
      if (turnOf(request) > 0) return { text: 'Both, then.' }
      late.push(command('steer', { run: run.run, text: 'and the other thing' }))
      return { text: `${'I think about it. '.repeat(60)}Only the one thing.` }
    })
    expect(await home.ended(computer, run)).toMatchObject({ reply: 'Both, then.' })
    await Promise.all(late)
  })

  test('what is stopped costs what came by then, and a server that was only busy costs nothing', async () => {
    const cost = async (script: ScriptedModel['script'], until: RegExp) => {
      const said: string[] = []
      const leave = (await home.runsOf(computer)).live.follow(({ text }) => said.push(text))
      const run = await ask(script)
      await expect.poll(() => said.at(-1) ?? '', SOON).toMatch(until)
      leave()
      await command('stop', { run: run.run })
      await home.ended(computer, run)
      const events = await eventsOf(run)
      const of = (type: string) => events.find((event) => event.type === type)?.data
      return { reserved: Number(of('budget.reserve')?.['tokens']), settled: Number(of('budget.settle')?.['tokens']) }
    }
    expect(await cost(() => ({ status: 503 }), /busy/)).toMatchObject({ settled: 0 })
    const slow = await cost(() => ({ text: 'And of salt. '.repeat(400), pieceMs: 10 }), /salt/)
    expect([slow.settled > 0, slow.settled < slow.reserved - 7000]).toEqual([true, true])
  })

  test('a recipe cannot hear, nor what has spoken its last word, and that is said', async () => {
    const hearing = createHearing()
    expect(() => hearing.check()).toThrow('done in a moment')
    hearing.open()
    hearing.check()
    hearing.close()
    expect(() => hearing.say('more')).toThrow('finishing')
    expect(hearing.listen()()).toEqual([])
    await expect(command('steer', { run: 'nobody' as never, text: 'more' })).rejects.toMatchObject({
      code: 'run.unknown',
    })
  })

  test('what the Director says is read along while it speaks, and only its finished words are an event', async () => {
    const words = `The weather tastes of rain. ${'And of salt. '.repeat(120)}`.trim()
    const said: Said[] = []
    const leave = (await home.runsOf(computer)).live.follow((one) => said.push(one))
    const run = await home.ended(computer, await ask(() => ({ text: words })))
    leave()
    const heard = said.filter((one) => one.run === run.run).map(({ text }) => text)
    expect(run.reply).toBe(words)
    expect(heard.filter((text) => text !== '').length).toBeGreaterThan(2)
    for (const text of heard) expect(words.startsWith(text)).toBe(true)
    expect((await eventsOf(run)).filter(({ type, source }) => type === 'message' && source === 'agent')).toHaveLength(1)
  })

  test('what a reviewer says while it judges is nobody’s word to the person', async () => {
    const said: string[] = []
    const leave = (await home.runsOf(computer)).live.follow(({ text }) => said.push(text))
    model.reviewer = () => ({ text: 'I doubt that this rhymes. '.repeat(40) })
    const run = await ask((request) => {
      const first = turnOf(request) === 0
      if (isDirector(request)) return first ? EDIT : { text: 'You have a note.' }
      return first ? LONG_NOTE : { text: 'The note is there.' }
    })
    expect(await home.ended(computer, run)).toMatchObject({ status: 'landed' })
    leave()
    expect(model.reviews.length).toBeGreaterThan(0)
    expect(said.filter((text) => text.includes('I doubt'))).toEqual([])
  })
})
