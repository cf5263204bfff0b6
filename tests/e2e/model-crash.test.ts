import { afterAll, expect, test } from 'vitest'
import type { RunView } from '@choiros/contract/run-view.ts'
import type { Event } from '@choiros/contract/event.ts'
import { choirHere, startSupervisor } from '../support/choir.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { startScriptedModel } from '../support/scripted-model.ts'

const VARIABLES = ['CHOIR_MODEL_PROVIDER', 'CHOIR_MODEL_URL', 'CHOIR_MODEL_NAME', 'CHOIR_MODEL_KEY']
afterAll(() => {
  for (const name of VARIABLES) delete process.env[name]
  removeFolders()
})

test(
  '[L4] [L11] kill -9 in a model call: the run is ended, the reservation is settled in full, nothing has changed',
  { timeout: 90_000 },
  async () => {
    const model = await startScriptedModel(() => ({ hang: true }))
    Object.assign(process.env, {
      CHOIR_MODEL_PROVIDER: 'openai-compatible',
      CHOIR_MODEL_URL: model.url,
      CHOIR_MODEL_NAME: 'scripted',
      CHOIR_MODEL_KEY: 'sk-in-the-environment',
    })
    const home = temporaryFolder()
    const events = async () =>
      (await choirHere(home, ['events', '--json'])).text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Event)
    const supervisor = await startSupervisor(home)
    try {
      await choirHere(home, ['computer', 'add', 'desk'])
      const before = ((await choirHere(home, ['tree', '--json'])).json() as { hash: string }).hash
      expect((await choirHere(home, ['prompt', 'I want to roll some dice'])).code).toBe(0)
      await expect
        .poll(async () => (await events()).some(({ type }) => type === 'budget.reserve'), { timeout: 30_000 })
        .toBe(true)
      await supervisor.stop('SIGKILL')

      const again = await startSupervisor(home)
      try {
        const [run] = (await choirHere(home, ['runs', '--json'])).json() as RunView[]
        expect(run).toMatchObject({ status: 'discarded', reason: expect.stringContaining('stopped') as string })
        const all = await events()
        const reserved = all.find(({ type }) => type === 'budget.reserve')
        expect(all.filter(({ type }) => type === 'budget.settle').map(({ data }) => [data.call, data.tokens])).toEqual([
          [reserved?.data.call, reserved?.data.tokens],
        ])
        expect(((await choirHere(home, ['tree', '--json'])).json() as { hash: string }).hash).toBe(before)
        expect(JSON.stringify(all)).not.toContain('sk-in-the-environment')
      } finally {
        await again.stop()
      }
    } finally {
      await model.close()
    }
  },
)
