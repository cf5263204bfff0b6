import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { openGitCheckpoints } from '@choiros/supervisor/history/git-checkpoints.ts'
import { CRASH_POINTS } from '@choiros/supervisor/crash-points.ts'
import { describe, expect, test } from 'vitest'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'

removeFoldersAfterEach()

const SCENARIO = fileURLToPath(new URL('scenario.ts', import.meta.url))
/** Which visits to a point are cut short. Later ones than the scenario makes end the list for that point. */
const VISITS = [1, 2, 3, 5, 8, 13]

interface Told {
  readonly step: string
  readonly computer: string
  readonly seq: Seq
  readonly tree: string
}

async function live(
  home: string,
  point: string,
  visit: number,
): Promise<{ signal: string | null; told: Told[]; error: string }> {
  const child = spawn(process.execPath, [SCENARIO, home, point, String(visit)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let error = ''
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (error += data.toString()))
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  const lines = out.split('\n').filter((line) => line !== '')
  return { signal, told: lines.map((line) => JSON.parse(line) as Told).filter((line) => line.step !== 'end'), error }
}

/** Everything that was told is there, everything proves itself, nothing is left lying about, and life goes on. */
async function checkAfterCrash(home: string, told: readonly Told[]): Promise<void> {
  const after = openTestHome(home)
  try {
    const computers = await after.run('computer.list', {})
    const names = computers.map((computer) => computer.name)
    expect(names).toEqual(expect.arrayContaining([...new Set(told.map((line) => line.computer))]))
    for (const { computer, seq, tree } of told) {
      expect((await after.run('tree', { at: seq }, { computer })).hash).toBe(tree)
    }
    for (const computer of names) {
      expect(await after.run('verify', {}, { computer })).toMatchObject({ ok: true, problems: [] })
      const written = await after.run(
        'files.change',
        {
          operations: [
            { op: 'write', path: 'artifacts/again.txt' as TreePath, content: { text: 'again' }, from: null },
          ],
        },
        { computer },
      )
      const before = await after.run('tree', { at: null }, { computer })
      await after.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null }, { computer })
      await after.run('redo', {}, { computer })
      expect((await after.run('tree', { at: null }, { computer })).hash).toBe(before.hash)
      expect(written.seq).not.toBeNull()
      const opened = await after.computer(undefined, computer)
      checkLeftovers(opened.folder)
      await checkErased(opened)
    }
    expect(readdirSync(join(home, 'tmp'))).toEqual([])
    expect(readdirSync(join(home, 'computers')).filter((name) => name.startsWith('.'))).toEqual([])
  } finally {
    await after.close()
  }
}

/** An erase that was written down is finished, in git too, however it was interrupted. */
async function checkErased({ queries, objects, folder }: Computer): Promise<void> {
  for (const object of queries.erased()) expect(await objects.find(object)).toBeNull()
  if (
    queries.newestErase() === 0 ||
    (await openGitCheckpoints(join(folder, 'git'), async () => null).newest()) === null
  )
    return
  const { stdout } = await promisify(execFile)('git', ['--git-dir', join(folder, 'git'), 'log', '--all', '-p'])
  expect(stdout).not.toContain('to be erased')
}

function checkLeftovers(folder: string): void {
  expect(readdirSync(join(folder, 'objects')).filter((name) => name.startsWith('.'))).toEqual([])
  expect(readdirSync(join(folder, 'staging'))).toEqual([])
  expect(existsSync(join(folder, 'state.sqlite.new'))).toBe(false)
}

describe('the crash table', () => {
  test('the scenario itself lives to its end, and proves itself', async () => {
    const home = temporaryFolder()
    const { signal, told, error } = await live(home, 'none', 1)
    expect([signal, error]).toEqual([null, ''])
    expect(told).toHaveLength(15)
    await checkAfterCrash(home, told)
  })

  for (const point of CRASH_POINTS) {
    test(`killed at ${point}: what was acknowledged is there, the rest is as if it had not been [L2] [L3]`, async () => {
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
