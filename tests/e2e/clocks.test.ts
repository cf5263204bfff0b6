import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ModelProvider } from '@choiros/contract/models.ts'
import type { RunClocks } from '@choiros/supervisor/runs/run.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import { askedOf, startScriptedModel, type Scripted, type ScriptedModel } from '../support/scripted-model.ts'

const WISH = 'I want to know what the sea tastes like'
const EDIT: Scripted = {
  uses: [{ name: 'edit', input: { instruction: 'write it', may_write: ['artifacts/'], small: true } }],
}
const FORMATS: readonly ModelProvider[] = IS_LONG_LANE ? ['openai-compatible', 'anthropic'] : ['openai-compatible']

/** Clocks of seconds stand for those of minutes: what counts and what does not is the same. */
describe.each(FORMATS)('clocks of runs, in the format of %s', { timeout: 60_000 }, (modelProvider) => {
  let model: ScriptedModel
  let home: RunHome | null = null
  beforeAll(async () => void (model = await startScriptedModel(() => ({ text: 'Hello.' }))))
  afterEach(async () => {
    await home?.close()
    home = null
  })
  afterAll(async () => {
    await model.close()
    removeFolders()
  })

  /** Each answer of the Associate comes after a while. */
  const ask = async (clocks: Partial<RunClocks>, associate: readonly Scripted[], pauseMs: number) => {
    home = openRunHome(temporaryFolder(), { modelUrl: model.url, modelProvider, clocks })
    const computer = await home.addComputer('desk')
    model.script = (request) => {
      const { role, turn } = askedOf(request)
      if (role === 'director') return turn === 0 ? EDIT : { text: 'It is written down.' }
      return { ...(associate[turn] ?? { text: 'It is written down.' }), pauseMs }
    }
    const before = (await home.run('tree', { at: null }, { computer: computer.id })).hash
    const run = await home.prompt(computer, WISH)
    const after = (await home.run('tree', { at: null }, { computer: computer.id })).hash
    return { run, isUntouched: before === after }
  }
  const WRITE: Scripted = { uses: [{ name: 'write', input: { path: 'artifacts/sea.md', text: 'wide\n' } }] }
  const SLEEP: Scripted = { uses: [{ name: 'shell', input: { command: 'sleep 4' } }] }

  test('a model that thinks before each answer for longer than the task may take comes to its end', async () => {
    const { run } = await ask({ taskMs: 2000 }, [WRITE], 2500)
    expect(run).toMatchObject({ status: 'landed' })
  })

  test('[L11] [L4] the time of tools counts: a task that works for longer is ended, and nothing of it lands', async () => {
    const { run, isUntouched } = await ask({ taskMs: 2000 }, [WRITE, SLEEP], 0)
    expect([run.status, run.reply, isUntouched]).toEqual([
      'discarded',
      expect.stringContaining('it worked longer than 2 s, the time in which a model thought not counted'),
      true,
    ])
  })

  test('[L11] [L4] thinking counts for the whole run, which has an end of its own', async () => {
    const { run, isUntouched } = await ask({ runMs: 3000 }, [WRITE], 20_000)
    expect([run.status, run.reason, isUntouched]).toEqual([
      'discarded',
      expect.stringContaining('it took longer than a run may take in all'),
      true,
    ])
  })

  test('a model that falls silent is said to be silent, not busy, and is asked once more', async () => {
    home = openRunHome(temporaryFolder(), { modelUrl: model.url, modelProvider, modelLimits: { stallMs: 1000 } })
    const computer = await home.addComputer('desk')
    const said: string[] = []
    const leave = (await home.runsOf(computer)).live.follow(({ text }) => said.push(text))
    let asked = 0
    model.script = () => (asked++ === 0 ? { hang: true } : { text: 'Of salt, is it?', pauseMs: 500 })
    const run = await home.prompt(computer, `${WISH}?`)
    leave()
    expect(run.reply).toBe('Of salt, is it?')
    expect(said).toContain('The model has been silent for too long. It is asked once more.')
    expect(said.filter((text) => text.includes('busy'))).toEqual([])
  })
})
