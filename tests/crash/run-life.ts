import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Seq } from '@choiros/contract/ids.ts'
import { expect } from 'vitest'
import { plant } from '../support/plant.ts'
import { expectNothingLeft, expectRunsEnded } from '../support/run-ends.ts'
import { openRunHome } from '../support/run-home.ts'

const SCENARIO = fileURLToPath(new URL('run-scenario.ts', import.meta.url))

export interface Told {
  readonly step: string
  readonly status: string
  readonly seq: Seq
  readonly tree: string
}

/** The scenario of runs in a process of its own, killed at the given visit to a point. */
export async function liveRuns(
  home: string,
  toolchainOf: string,
  point: string,
  visit: number,
): Promise<{ signal: string | null; told: Told[]; error: string }> {
  const child = spawn(process.execPath, [SCENARIO, home, toolchainOf, point, String(visit)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let error = ''
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (error += data.toString()))
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  const lines = out.split('\n').filter((line) => line !== '')
  return { signal, told: lines.map((line) => JSON.parse(line) as Told).filter(({ step }) => step !== 'end'), error }
}

/** Everything has ended, what was told is there, nothing is left lying about, and the next wish works. */
export async function checkAfterCrash(folder: string, toolchainOf: string, told: readonly Told[]): Promise<void> {
  await expectNothingLeft(folder, null)
  const home = openRunHome(folder, { toolchainOf })
  try {
    const computer = await home.computer()
    await expectNothingLeft(folder, computer)
    await expectRunsEnded(home, computer)
    for (const { seq, tree } of told)
      expect((await home.run('tree', { at: seq }, { computer: computer.id })).hash).toBe(tree)
    for (const path of ['app/bad.ts', 'app/waits.ts']) expect(computer.queries.tree.entry(path)).toBeNull()
    const again = await home.prompt(
      computer,
      plant({ writes: [{ path: 'app/again.ts', text: 'export const again = 1\n' }] }),
    )
    expect(again).toMatchObject({ status: 'landed' })
    await expectRunsEnded(home, computer)
  } finally {
    await home.close()
  }
  await expectNothingLeft(folder, null)
}
