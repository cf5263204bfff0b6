import { FileChange } from '@choiros/contract/events/files.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { openBenchComputer } from './bench-computer.ts'
import { fileEntry } from './content.ts'
import type { Probe } from './memory.ts'
import { peakMebibytes, residentMebibytes } from './process-memory.ts'

const WRITES = 300

/** Opens a computer in a process that does nothing else, and reports how much memory that took. */
const [folder = ''] = process.argv.slice(2)
const computer = await openBenchComputer(folder)
const opened = residentMebibytes()
const peakOfOpening = peakMebibytes()
await use(computer)
const used = residentMebibytes()
await computer.close()
process.send?.({ opened, peakOfOpening, used } satisfies Probe, () => process.disconnect())

async function use({ queries, user, change, head }: Computer): Promise<void> {
  const { seq } = head()
  for (let number = 0; number < WRITES; number++) {
    const path = `artifacts/probe/${number % 50}.txt` as TreePath
    const { entry, object } = fileEntry(Buffer.from(`write ${number} of the probe\n`.repeat(50)))
    await change((view) => ({
      draft: {
        type: FileChange.type,
        version: FileChange.version,
        data: {},
        user,
        source: 'user',
        via: 'desktop',
        run: null,
        cause: null,
      },
      changes: [{ path, from: view.state.tree.entry(path), to: entry, movedFrom: null }],
      objects: [object],
    }))
    if (number % 30 === 0) queries.entriesAt(1 + Math.floor((seq * number) / WRITES))
  }
}
