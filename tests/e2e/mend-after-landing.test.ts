import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunView } from '@choiros/contract/run-view.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import {
  askedOf,
  startScriptedModel,
  type Script,
  type Scripted,
  type ScriptedModel,
} from '../support/scripted-model.ts'

const WISH = 'I want to roll some dice'
const APP = 'app/apps/dice/app.tsx'
const appOf = (word: string) => `import { defineApp } from '@choiros/sdk/app.ts'

function Dice() {
  return <button type="button">${word}</button>
}

export default defineApp({ id: 'dice', title: 'Dice', glyph: '⚄', size: { width: 320, height: 240 }, Content: Dice })
`
const use = (name: string, input: unknown): Scripted => ({ uses: [{ name, input }] })
const write = (word: string) => use('write', { path: APP, text: appOf(word) })
const edit = use('edit', { instruction: 'make a dice app' })
const STACK = 'at Dice (app/apps/dice/app.tsx:4)'

function talk(director: readonly Scripted[], associate: readonly Scripted[]): Script {
  const given = { director: 0, associate: 0 }
  return (request) => {
    const { role } = askedOf(request)
    const answers = role === 'director' ? director : associate
    return answers[Math.min(given[role]++, answers.length - 1)] ?? { text: '' }
  }
}

/** A page is open, and says of each landing what a test tells it to. */
describe('what landed and does not work in the open desktop', { timeout: 90_000 }, () => {
  let model: ScriptedModel
  let home: RunHome
  let computer: Computer

  beforeAll(async () => {
    model = await startScriptedModel(() => ({ text: 'Hello.' }))
    // After a landing that was taken back, somebody else looks at everything.
    model.reviewer = () => use('verdict', { criteria: [{ number: 1, grade: 5, seen: 'a die' }] })
    home = openRunHome(temporaryFolder(), { modelUrl: model.url, modelLimits: { stallMs: 1500, pauseMs: 10 } })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    await model?.close()
    removeFolders()
  })

  const as = () => ({ computer: computer.id })
  const gateway = () => ({ computer: computer.id, caller: 'gateway' }) as const
  const ask = async (isGood: (land: number) => boolean): Promise<{ run: RunView; types: string[] }> => {
    await home.run('health.pages', { visible: 1 }, gateway())
    const asked = await home.ask(computer, WISH)
    const judged = new Set<number>()
    const judge = async () => {
      for (const { type, seq, run } of await home.events(computer)) {
        if (type !== 'run.land' || run !== asked.run || judged.has(seq)) continue
        const ok = isGood(judged.size)
        judged.add(seq)
        const why = ok ? '' : 'Error: the die has no sides'
        await home.run('health.report', { land: seq, ok, why, stack: ok ? '' : STACK }, gateway())
      }
      return (await home.run('run.get', { run: asked.run }, as())).reply
    }
    await expect.poll(judge, { timeout: 60_000, interval: 100 }).not.toBeNull()
    await (await home.runsOf(computer)).idle()
    const types = (await home.events(computer)).filter(({ run }) => run === asked.run).map(({ type }) => type)
    await home.run('health.pages', { visible: 0 }, gateway())
    return { run: await home.run('run.get', { run: asked.run }, as()), types }
  }

  test('is taken back, mended in the same run by whoever made it, and lands again', async () => {
    const before = (await home.run('tree', { at: null }, as())).hash
    model.script = talk(
      [edit, { text: 'First try.' }, edit, { text: 'You have a dice app now.' }],
      [write('one'), { text: 'There is an app.' }, write('six'), { text: 'It is mended.' }],
    )
    const { run, types } = await ask((landing) => landing > 0)
    expect(run).toMatchObject({ status: 'landed', reply: 'You have a dice app now.', health: 'ok', draft: null })
    expect(run.mood).toEqual({ mood: 'CONTRITE', why: 'the desktop did not work with the last change', by: 'rules' })
    expect(types.filter((type) => ['run.land', 'run.revert', 'health'].includes(type))).toEqual([
      'run.land',
      'health',
      'run.revert',
      'run.land',
      'health',
    ])
    expect(await home.read(computer, APP)).toBe(appOf('six'))
    const told = model.seen
      .map((request) => askedOf(request))
      .filter(({ recent }) => recent.includes('the die has no sides'))
    expect(told[0]).toMatchObject({ role: 'director' })
    expect(told[0]?.recent).toContain('app/apps/dice/app.tsx:4')
    const associate = model.seen
      .map((request) => askedOf(request))
      .findLast(({ role, turn }) => role === 'associate' && turn === 0)
    expect(associate?.all).toContain('What an earlier attempt left in your folder')
    await home.run('undo', { target: { kind: 'run', run: run.run }, tree: null }, as())
    expect((await home.run('tree', { at: null }, as())).hash).toBe(before)
  })

  test('and, if it does not work once more, stays taken back: the person is told, and nothing is praised', async () => {
    const before = (await home.run('tree', { at: null }, as())).hash
    const done = { text: 'You have a dice app now.' }
    model.script = talk([edit, done, edit, done], [write('one'), { text: 'There is an app.' }])
    await home.run('health.pages', { visible: 1 }, gateway())
    const asked = await home.ask(computer, WISH)
    const judged = new Set<number>()
    await expect
      .poll(
        async () => {
          for (const { type, seq, run } of await home.events(computer))
            if (type === 'run.land' && run === asked.run && !judged.has(seq)) {
              judged.add(seq)
              await home.run('health.report', { land: seq, ok: false, why: 'it is blank', stack: '' }, gateway())
            }
          return (await home.run('run.get', { run: asked.run }, as())).status
        },
        { timeout: 60_000, interval: 100 },
      )
      .toBe('reverted')
    await (await home.runsOf(computer)).idle()
    expect(await home.run('run.get', { run: asked.run }, as())).toMatchObject({ reply: null, reason: 'it is blank' })
    const said = (await home.events(computer)).filter(({ type, run }) => type === 'message' && run === asked.run)
    expect(said.map(({ data }) => data.role)).toEqual(['user', 'system'])
    expect(judged.size).toBe(2)
    expect((await home.run('tree', { at: null }, as())).hash).toBe(before)
    await home.run('health.pages', { visible: 0 }, gateway())
  })
})
