import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PLACES } from '@choiros/supervisor/computer/computer.ts'
import { readTree } from '@choiros/supervisor/tree/survey.ts'
import { openBenchComputer } from './bench-computer.ts'
import { computerOf, FILES_1K, FILES_1M, logOf, ownCopy, type HistorySpec } from './histories.ts'
import { interleave, time } from './measure.ts'
import type { Row, Section } from './report.ts'

const TIME_MAX = 1.5
const start = promisify(execFile)

const NOTES = [
  'Ours is `openComputer` on a folder that holds the log and objects alone: tables rebuilt with every hash checked, every object checked, all files in place. Raw is `git checkout` of the same tree, packed, into an empty clone. Neither fsyncs the files.',
]

export async function run(runFolder: string): Promise<Section> {
  return { rows: [await row(runFolder, FILES_1K)], memory: [], notes: NOTES }
}

async function row(runFolder: string, spec: HistorySpec): Promise<Row> {
  const log = await logOf(runFolder, spec)
  const repository = join(runFolder, 'restore-git')
  const clone = join(runFolder, 'restore-clone')
  const folder = join(runFolder, 'restore')
  await makeRepository(join(await computerOf(runFolder, spec), PLACES.tree), repository)
  try {
    const pair = await interleave(
      async () => {
        await ownCopy(log, folder)
        const start = performance.now()
        const computer = await openBenchComputer(folder)
        const ms = performance.now() - start
        await computer.close()
        return ms
      },
      async () => {
        rmSync(clone, { recursive: true, force: true })
        await git('clone', '--quiet', '--shared', '--no-checkout', repository, clone)
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
  } finally {
    for (const place of [repository, clone, folder]) rmSync(place, { recursive: true, force: true })
  }
}

async function makeRepository(tree: string, repository: string): Promise<void> {
  await git('init', '--quiet', '--initial-branch=main', repository)
  const inTree = ['--git-dir', join(repository, '.git'), '--work-tree', tree]
  await git(...inTree, 'add', '--all', '.')
  await git(...inTree, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '--quiet', '--message', 'tree')
  await git('-C', repository, 'gc', '--quiet')
}

async function checkSame(ours: string, theirs: string): Promise<void> {
  const [one, other] = [await readTree(ours), await readTree(theirs)]
  if (one.size !== other.size || JSON.stringify([...one].sort()) !== JSON.stringify([...other].sort()))
    throw new Error('the two trees are not the same')
}

async function git(...args: string[]): Promise<void> {
  await start('git', args, { env: { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' } })
}
void FILES_1M
