import { writeSync } from 'node:fs'
import { ComputerName } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { openTestHome } from '../support/open-home.ts'

/**
 * Writes small and large files and says so only when told that it is done. Runs under strace, which watches or breaks
 * its disk.
 */
const [folder = ''] = process.argv.slice(2)
const say = (line: string) => void writeSync(1, `${line}\n`)

const home = openTestHome(folder, { warn: () => {} })
await home
  .run('computer.add', { name: ComputerName.parse('one') })
  .catch((error: { code?: string }) => say(`refused add ${error.code}`))
for (const [index, size] of [10, 200_000, 20, 30, 100_000, 40].entries()) {
  const path = `artifacts/${index}.txt` as TreePath
  try {
    await home.run(
      'files.change',
      { operations: [{ op: 'write', path, content: { text: `${index}`.repeat(size) }, from: null }] },
      { computer: 'one' },
    )
    say(`done ${path}`)
  } catch (error) {
    say(`refused ${path} ${(error as { code?: string }).code}`)
  }
}
await home.close().catch(() => {})
say('end')
