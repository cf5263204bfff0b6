import type { RunView } from '@choiros/contract/run-view.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAfterCrash, liveRuns } from '../crash/run-life.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plant, plantAgents } from '../support/plant.ts'
import { expectNothingLeft, expectRunsEnded } from '../support/run-ends.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'

const write = (text: string, more: { waitMs?: number; scope?: string[] } = {}) =>
  plant({ writes: [{ path: 'app/planted.ts', text }], ...more })

// Every point is killed by the crash table of the long lane; here are the ones where the most is under way.
describe('[L4] failed runs leave no code', { timeout: 60_000 }, () => {
  const folder = temporaryFolder()
  let home: RunHome
  let computer: Computer
  const tree = async () => (await home.run('tree', { at: null }, { computer: computer.id })).hash
  const verdict = async (ok: boolean, run: RunView) => {
    await expect
      .poll(
        async () =>
          (await home.run('health.pages', { visible: 1 }, { computer: computer.id, caller: 'gateway' })).pending,
        {
          interval: 10,
          timeout: 10_000,
        },
      )
      .not.toBeNull()
    const { pending } = await home.run('health.pages', { visible: 1 }, { computer: computer.id, caller: 'gateway' })
    if (pending !== null)
      await home.run(
        'health.report',
        { land: pending, ok, why: 'planted' },
        { computer: computer.id, caller: 'gateway' },
      )
    return home.ended(computer, run)
  }

  beforeAll(async () => {
    await plantAgents(folder)
    home = openRunHome(folder)
    computer = await home.addComputer('one')
  })
  afterAll(async () => {
    await home.close()
    removeFolders()
  })

  test('discarded, cancelled, reverted: the tree is as if it had not been', async () => {
    const before = await tree()
    expect(await home.prompt(computer, write('export const planted: number = "no"\n'))).toMatchObject({
      status: 'discarded',
    })
    expect(await home.prompt(computer, write('export const planted = 1\n', { scope: ['artifacts/'] }))).toMatchObject({
      status: 'discarded',
    })
    const stopped = await home.ask(computer, write('export const planted = 1\n', { waitMs: 20_000 }))
    await expect
      .poll(
        async () =>
          (await home.events(computer))
            .filter(({ run }) => run === stopped.run)
            .some(({ type }) => type === 'tool.result'),
        { interval: 20, timeout: 10_000 },
      )
      .toBe(true)
    await home.run('stop', { run: null }, { computer: computer.id })
    expect(await home.ended(computer, stopped)).toMatchObject({ status: 'cancelled' })
    await home.run('health.pages', { visible: 1 }, { computer: computer.id, caller: 'gateway' })
    expect(await verdict(false, await home.ask(computer, write('export const planted = 1\n')))).toMatchObject({
      status: 'reverted',
    })
    expect(await tree()).toBe(before)
    expect(await verdict(true, await home.ask(computer, write('export const planted = 1\n')))).toMatchObject({
      status: 'landed',
    })
    await expectRunsEnded(home, computer)
  })

  for (const [point, visit] of [
    ['run.collect.after', 1],
    ['run.revert.before', 1],
  ] as const) {
    test(`killed at ${point}: every run has ended, and nothing of it is left`, async () => {
      const crashed = temporaryFolder()
      const { signal, told } = await liveRuns(crashed, folder, point, visit)
      expect(signal).toBe('SIGKILL')
      await checkAfterCrash(crashed, folder, told)
      await expectNothingLeft(crashed, null)
    })
  }
})
