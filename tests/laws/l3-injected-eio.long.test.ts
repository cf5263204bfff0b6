import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TreePath } from '@choiros/contract/path.ts'
import { describe, expect, test } from 'vitest'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { trace } from '../support/strace.ts'

removeFoldersAfterEach()

const WRITER = fileURLToPath(new URL('l3-writer.ts', import.meta.url))
const FSYNCS_MAX = 200

/** What was acknowledged is there and proves itself; what was refused may be there or not, but never half. */
async function checkAcknowledged(home: string, lines: readonly string[]): Promise<void> {
  const after = openTestHome(home)
  try {
    const acknowledged = lines.filter((line) => line.startsWith('done ')).map((line) => line.slice(5))
    const exists = (await after.run('computer.list', {})).length > 0
    const files: Record<string, unknown> = exists ? (await after.run('tree', { at: null })).files : {}
    expect(acknowledged.filter((path) => files[path] === undefined)).toEqual([])
    if (!exists) return
    expect(await after.run('verify', {})).toMatchObject({ ok: true, problems: [] })
    await after.run('files.change', {
      operations: [{ op: 'write', path: 'artifacts/again' as TreePath, content: { text: 'again' }, from: null }],
    })
  } finally {
    await after.close()
  }
}

describe('L3 under a failing disk', () => {
  for (const { mode, suffix } of [
    { mode: 'one fsync fails', suffix: '' },
    { mode: 'every fsync from then on fails', suffix: '+' },
  ]) {
    test(`[L3] ${mode}, at each of them in turn: nothing is acknowledged that is not on disk`, async () => {
      let injected = 0
      let refused = 0
      for (let nth = 1; nth <= FSYNCS_MAX; nth++) {
        const folder = temporaryFolder()
        const home = join(folder, 'home')
        const { lines, calls } = await trace(
          folder,
          WRITER,
          [home],
          ['-e', 'trace=fsync,fdatasync,write', '-e', `inject=fsync,fdatasync:error=EIO:when=${nth}${suffix}`],
        )
        const failures = calls.filter((call) => /INJECTED/.test(call.text))
        if (failures.length === 0) break
        injected++
        refused += lines.filter((line) => line.startsWith('refused')).length
        // A log fsync that failed right before an acknowledgement would be the lie this law forbids.
        const lie = calls.findIndex(
          (call, index) => /write\(1<.*"done /.test(call.text) && lastLogFsync(calls.slice(0, index)),
        )
        expect([nth, lie]).toEqual([nth, -1])
        await checkAcknowledged(home, lines)
      }
      expect(injected).toBeGreaterThan(20)
      expect(refused).toBeGreaterThan(5)
    })
  }
})

/** Whether the last fsync of the log before this point failed. */
function lastLogFsync(calls: readonly { file: string; failed: boolean; name: string }[]): boolean {
  return calls.findLast((call) => call.name !== 'write' && call.file.endsWith('/log.sqlite-wal'))?.failed === true
}
