import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Seq } from '@choiros/contract/ids.ts'
import { RUN_CRASH_POINTS } from '@choiros/supervisor/crash-points.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plant, plantAgents } from '../support/plant.ts'
import { expectNothingLeft, expectRunsEnded } from '../support/run-ends.ts'
import { openRunHome } from '../support/run-home.ts'

const SCENARIO = fileURLToPath(new URL('run-scenario.ts', import.meta.url))
/** Which visits to a point are cut short. Later ones than the scenario makes end the list for that point. */
const VISITS = [1, 2, 3, 4, 6]

interface Told {
  readonly step: string
  readonly status: string
  readonly seq: Seq
  readonly tree: string
}

describe('the crash table of runs', () => {
  const shared = temporaryFolder()
  beforeAll(() => plantAgents(shared))
  afterAll(removeFolders)

  const live = async (home: string, point: string, visit: number): Promise<{ signal: string | null; told: Told[]; error: string }> => {
    const child = spawn(process.execPath, [SCENARIO, home, shared, point, String(visit)], { stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let error = ''
    child.stdout.on('data', (data: Buffer) => (out += data.toString()))
    child.stderr.on('data', (data: Buffer) => (error += data.toString()))
    const [, signal] = (await once(child, 'close')) as [number | null, string | null]
    const lines = out.split('\n').filter((line) => line !== '')
    return { signal, told: lines.map((line) => JSON.parse(line) as Told).filter(({ step }) => step !== 'end'), error }
  }

  const checkAfterCrash = async (folder: string, told: readonly Told[]): Promise<void> => {
    await expectNothingLeft(folder, null)
    const home = openRunHome(folder, { toolchainOf: shared })
    try {
      const computer = await home.computer()
      await expectNothingLeft(folder, computer)
      await expectRunsEnded(home, computer)
      for (const { seq, tree } of told) expect((await home.run('tree', { at: seq }, { computer: computer.id })).hash).toBe(tree)
      for (const path of ['app/bad.ts', 'app/waits.ts']) expect(computer.state.queries.tree.entry(path)).toBeNull()
      const again = await home.prompt(computer, plant({ writes: [{ path: 'app/again.ts', text: 'export const again = 1\n' }] }))
      expect(again).toMatchObject({ status: 'landed' })
      await expectRunsEnded(home, computer)
    } finally {
      await home.close()
    }
    await expectNothingLeft(folder, null)
  }

  test('the scenario itself lives to its end, and proves itself', async () => {
    const home = temporaryFolder()
    const { signal, told, error } = await live(home, 'none', 1)
    expect([signal, error]).toEqual([null, ''])
    expect(told.map(({ status }) => status)).toEqual(['landed', 'landed', 'reverted', 'discarded', 'landed', 'reverted'])
    await checkAfterCrash(home, told)
  })

  for (const point of RUN_CRASH_POINTS) {
    test(`[L4] killed at ${point}: every run has ended, what had not landed is as if it had not been`, async () => {
      let reached = 0
      for (const visit of VISITS) {
        const home = temporaryFolder()
        const { signal, told } = await live(home, point, visit)
        if (signal === null) break
        expect(signal).toBe('SIGKILL')
        reached++
        await checkAfterCrash(home, told)
      }
      expect(reached).toBeGreaterThan(0)
    })
  }
})
