import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interleave, median, time } from './measure.ts'
import type { Section } from './report.ts'
import { startSystem } from './running-system.ts'

const CHOIR = fileURLToPath(new URL('../command-line/choir', import.meta.url))
const STATUS_MS_MAX = 200

/** Every sample has a process of its own, so that only what is on disk can help the next one. */
export async function run(folder: string): Promise<Section> {
  const home = join(folder, 'status-home')
  const { close } = await startSystem(home)
  try {
    const status = () => time(() => execFileSync(CHOIR, ['--home', home, 'status', '--json']))
    const pair = await interleave(status, () => time(() => execFileSync(process.execPath, ['-e', '0'])))
    const ms = median(pair.ours)
    return {
      rows: [
        {
          promise: '`choir status` of a running system, cold',
          against: 'bare `node -e 0`',
          ...pair,
          timeAtMost: 3,
          target: `≤ 3 ×, under ${STATUS_MS_MAX} ms`,
          also: { text: `${ms.toFixed(0)} ms`, met: ms < STATUS_MS_MAX },
        },
      ],
      memory: [],
      notes: [
        '`choir` is the command as `npm link` installs it: the shell finds the right Node, which asks the supervisor. What Node compiled is kept on disk.',
      ],
    }
  } finally {
    await close()
  }
}
