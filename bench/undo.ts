import { join } from 'node:path'
import type { ComputerContext } from '@choiros/supervisor/commands/context.ts'
import { changeFiles } from '@choiros/supervisor/commands/files.ts'
import { undo } from '@choiros/supervisor/commands/undo.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { createMachine, openBenchComputer } from './bench-computer.ts'
import { computerOf, FILES_1K, FILES_1M, ownCopy, type HistorySpec } from './histories.ts'
import { interleave, time } from './measure.ts'
import { createRandom } from './random.ts'
import type { Section } from './report.ts'

const TIME_MAX = 1.2
const SAMPLES = 60

const NOTES = [
  'One sample is the `undo` command from plan to files on disk: it takes back a change of one file made just before. Both computers hold 10,000 files, are open in one process, and have been used since their start.',
]

export async function run(runFolder: string): Promise<Section> {
  const large = await openOwn(runFolder, FILES_1M, 'undo-large')
  const small = await openOwn(runFolder, FILES_1K, 'undo-small')
  try {
    const pair = await interleave(large.sample, small.sample, { samples: SAMPLES, warmups: 10 })
    const row = {
      promise: 'undo at 1,000,000 events of history',
      against: 'undo at 1,000 events',
      ...pair,
      timeAtMost: TIME_MAX,
    }
    return { rows: [row], memory: [], notes: NOTES }
  } finally {
    await large.close()
    await small.close()
  }
}

async function openOwn(runFolder: string, spec: HistorySpec, name: string) {
  const folder = await ownCopy(await computerOf(runFolder, spec), join(runFolder, name))
  const computer = await openBenchComputer(folder)
  const context = contextOf(computer, runFolder)
  const random = createRandom(5)
  const paths = computer.queries.allEntries().map(([path]) => path)
  let written = 0
  return {
    async sample() {
      await edit(context, random.pick(paths), `version ${++written} of it\n`)
      return time(() => undo(context, { target: { kind: 'newest', scope: 'any' }, tree: null }))
    },
    close: () => computer.close(),
  }
}

async function edit(context: ComputerContext, path: TreePath, text: string): Promise<void> {
  const { computer } = context
  const from = computer.queries.tree.entry(path)?.object ?? null
  await changeFiles(context, { operations: [{ op: 'write', path, content: { text }, from }] })
}

function contextOf(computer: Computer, runFolder: string): ComputerContext {
  return {
    computer,
    machine: createMachine(join(runFolder, 'keys')),
    user: computer.user,
    caller: 'cli',
    progress: () => {},
    home: null as never, // Undo and writing never look at the home,
    session: null as never, // nor anything else that lives with the computer.
  }
}
