import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { trace, type Call } from '../support/strace.ts'

removeFoldersAfterEach()

const WRITER = fileURLToPath(new URL('l3-writer.ts', import.meta.url))

const isAck = (call: Call) => call.name === 'write' && /write\(1<.*"done /.test(call.text)
const isFsync = (call: Call) => (call.name === 'fsync' || call.name === 'fdatasync') && !call.failed
const isLogWrite = (call: Call) => call.name === 'pwrite64' && call.file.endsWith('/log.sqlite-wal')
const isLogFsync = (call: Call) => isFsync(call) && call.file.endsWith('/log.sqlite-wal')

/** The calls between one acknowledgement and the next. */
function untilEachAck(calls: readonly Call[]): Call[][] {
  const stretches: Call[][] = []
  let stretch: Call[] = []
  for (const call of calls) {
    if (isAck(call)) {
      stretches.push(stretch)
      stretch = []
    } else stretch.push(call)
  }
  return stretches
}

describe('L3 acknowledged means on disk', () => {
  test('[L3] by the order of system calls: the event is written and fsynced before anyone is told', async () => {
    const folder = temporaryFolder()
    const { lines, calls } = await trace(
      folder,
      WRITER,
      [join(folder, 'home')],
      ['-e', 'trace=write,pwrite64,fsync,fdatasync,rename'],
    )
    expect(lines.filter((line) => line.startsWith('done'))).toHaveLength(6)
    const stretches = untilEachAck(calls)
    expect(stretches).toHaveLength(6)
    for (const [index, stretch] of stretches.entries()) {
      // The very event that is acknowledged, not merely some event.
      expect(stretch.some((call) => isLogWrite(call) && call.text.includes(`artifacts/${index}.txt`))).toBe(true)
      expect(stretch.findLastIndex(isLogFsync)).toBeGreaterThan(stretch.findLastIndex(isLogWrite))
    }
  })

  test('[L3] by the order of system calls: a large object is fsynced, named and its folder fsynced before the event that names it', async () => {
    const folder = temporaryFolder()
    const { calls } = await trace(
      folder,
      WRITER,
      [join(folder, 'home')],
      ['-e', 'trace=write,pwrite64,fsync,fdatasync,rename'],
    )
    const large = untilEachAck(calls).filter((stretch) =>
      stretch.some((call) => call.file.includes('/objects/.partial-')),
    )
    expect(large).toHaveLength(2)
    for (const stretch of large) {
      const order = [
        stretch.findLastIndex((call) => call.name === 'write' && call.file.includes('/objects/.partial-')),
        stretch.findLastIndex((call) => isFsync(call) && call.file.includes('/objects/.partial-')),
        stretch.findLastIndex((call) => call.name === 'rename' && call.file.includes('/objects/')),
        stretch.findLastIndex((call) => isFsync(call) && call.file.endsWith('/objects')),
        stretch.findLastIndex(isLogWrite),
        stretch.findLastIndex(isLogFsync),
      ]
      expect(order).toEqual([...order].sort((a, b) => a - b))
      expect(order[0]).toBeGreaterThan(-1)
    }
  })
})
