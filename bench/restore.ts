import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { hashTree } from '@choiros/core/tree.ts'
import { readTree } from '@choiros/supervisor/tree/survey.ts'
import { openBenchComputer } from './bench-computer.ts'
import { computerOf, FILES_1K, FILES_1M, logOf, ownCopy, type HistorySpec } from './histories.ts'
import { interleave, time } from './measure.ts'
import type { Row, Section } from './report.ts'

const TIME_MAX = 1.5
const runProgram = promisify(execFile)

const NOTES = [
  'Ours is `openComputer` on a folder that holds the log and objects alone: tables rebuilt with every hash checked, every object checked, all files in place. Raw is `git checkout` of the same tree, packed, into an empty clone. Neither fsyncs the files. What the preparation of a sample wrote is brought to disk before it, for both.',
  'At 1,000,000 events the folder also holds the newest snapshot of the tables, as a computer that was moved does; its checkpoints are in git already. Without the snapshot, the time of the rebuild comes on top.',
  'At 1,000,000 events the tables hold every version of every file: 200 MiB are read and their checksum is compared before the first file is written, about 60 ms on a quiet machine; two calls of git take 40 ms. The rest is reading and hashing 10,000 objects in one thread while two others make the files, where git needs one. Checking the snapshot later, beside the files, would save those 60 ms and bring the ratio to about 1.5; it would also show a person tables that nobody has proved, so it is not done.',
]

export async function run(runFolder: string): Promise<Section> {
  const short = await row(runFolder, FILES_1K, await logOf(runFolder, FILES_1K), [PLACES.log])
  const long = await row(runFolder, FILES_1M, await computerOf(runFolder, FILES_1M), [
    PLACES.log,
    PLACES.snapshots,
    PLACES.git,
  ])
  return { rows: [short, long], memory: [], notes: NOTES }
}

async function row(runFolder: string, spec: HistorySpec, from: string, places: readonly string[]): Promise<Row> {
  const scratch = join(runFolder, `restore-${spec.name}`)
  const repository = join(scratch, 'repository')
  mkdirSync(scratch)
  await makeRepository(join(await computerOf(runFolder, spec), PLACES.tree), repository)
  let sample = 0
  let folder = ''
  let clone = ''
  const pair = await interleave(
    async () => {
      folder = join(scratch, `ours-${++sample}`)
      await ownCopy(from, folder, places)
      await settle(folder)
      const { computer, ms } = await openTimed(folder)
      await computer.close()
      // These places hold few inodes and much data.
      for (const place of [PLACES.log, PLACES.state, PLACES.snapshots]) rmSync(join(folder, place), { recursive: true })
      return ms
    },
    async () => {
      clone = join(scratch, `git-${sample}`)
      await git('clone', '--quiet', '--shared', '--no-checkout', repository, clone)
      await settle(clone)
      return time(() => git('-C', clone, 'checkout', '--quiet', 'main'))
    },
  )
  await checkSame(join(folder, PLACES.tree), clone)
  return {
    promise: `restore of a whole computer, 10,000 files, ${spec.events.toLocaleString('en')} events`,
    against: '`git checkout` of the same tree',
    ...pair,
    timeAtMost: TIME_MAX,
  }
}

async function openTimed(folder: string): Promise<{ computer: Computer; ms: number }> {
  const start = performance.now()
  const computer = await openBenchComputer(folder)
  return { computer, ms: performance.now() - start }
}

async function makeRepository(tree: string, repository: string): Promise<void> {
  await git('init', '--quiet', '--initial-branch=main', repository)
  const inTree = ['--git-dir', join(repository, '.git'), '--work-tree', tree]
  await git(...inTree, 'add', '--all', '.')
  await git(
    ...inTree,
    '-c',
    'gc.auto=0',
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@localhost',
    'commit',
    '--quiet',
    '--message',
    'tree',
  )
  await git('-C', repository, '-c', 'gc.auto=0', 'repack', '-adq')
}

/**
 * Creating a file waits for everything the file system has not written yet. A copy of up to 2 GB comes before our
 * sample, and almost nothing before git's.
 */
async function settle(folder: string): Promise<void> {
  await runProgram('sync', ['--file-system', folder])
}

async function checkSame(ours: string, theirs: string): Promise<void> {
  const [one, other] = await Promise.all([ours, theirs].map(async (folder) => hashTree(await readTree(folder))))
  if (one !== other) throw new Error('the two trees are not the same')
}

async function git(...args: string[]): Promise<void> {
  await runProgram('git', args, {
    env: { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  })
}
