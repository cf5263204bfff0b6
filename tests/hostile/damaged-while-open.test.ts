import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteLogs } from '@choiros/ports/event-log/sqlite.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { write } from './damage.ts'

removeFoldersAfterEach()

/** Takes a table away from a computer that is open: every command that needs it meets the damage. */
function dropTable(folder: string, table: string): void {
  const db = new Database(join(folder, PLACES.state))
  db.pragma('busy_timeout = 5000')
  db.exec(`DROP TABLE ${table}`)
  db.close()
}

describe('[L2] tables that are damaged while the computer is open', () => {
  test('are made again once, whoever met the damage, and who listened is told to come back', async () => {
    const warned: string[] = []
    const own = openTestHome(temporaryFolder(), { warn: (message) => void warned.push(message) })
    await own.run('files.change', { operations: [write('a.txt', 'a')] })
    const before = await own.session()
    const listening = before.lines.listen(before.computer.head().seq, () => true, new AbortController().signal)
    const told = listening.then(String, (error: unknown) => error)
    await before.computer.shown()
    await new Promise((resolve) => setTimeout(resolve, 100)) // Until the rows of the last batch are committed.
    dropTable(before.computer.folder, 'window')

    const asked = await Promise.all(Array.from({ length: 5 }, () => own.run('window.list', {})))
    expect(asked).toEqual(Array.from({ length: 5 }, () => []))
    const after = await own.session()
    expect(after === before).toBe(false)
    expect(await told).toMatchObject({ code: 'supervisor.stopping' })
    expect(warned.filter((message) => message.includes('did not close well'))).toEqual([])

    const heard = new Promise((resolve) => {
      void after.lines.listen(
        after.computer.head().seq,
        (line) => (resolve(line.seq), false),
        AbortSignal.timeout(5000),
      )
    })
    const { seq } = await own.run('files.change', { operations: [write('b.txt', 'b')] })
    expect(await heard).toBe(seq)
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    await own.close()
  })

  test('are made again also where it shows only when they are committed', async () => {
    const warned: string[] = []
    const own = openTestHome(temporaryFolder(), { warn: (message) => void warned.push(message) })
    await own.run('files.change', { operations: [write('a.txt', 'a')] })
    const before = await own.session()
    await new Promise((resolve) => setTimeout(resolve, 100))
    dropTable(before.computer.folder, 'cursor')
    for (let index = 0; index < 5; index++) {
      await own.run('files.change', { operations: [write(`${index}.txt`, `${index}`)] })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await own.session()) === before).toBe(false)
    expect(warned.filter((message) => message.includes('made again'))).toHaveLength(1)
    expect(Object.keys((await own.run('tree', { at: null })).files)).toHaveLength(6)
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })

  test('a computer that is still being opened keeps no list waiting', async () => {
    const folder = temporaryFolder()
    const first = openTestHome(folder)
    await first.run('files.change', { operations: [write('a.txt', 'a')] })
    await first.close()
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    const openLog = openSqliteLogs(join(folder, 'computers'), PLACES)
    const own = openTestHome(folder, { openLog: async (options) => gate.then(() => openLog(options)) })
    const opening = own.session()
    await expect.poll(() => own.run('computer.list', {})).toMatchObject([{ state: 'opening', problem: null }])
    openGate()
    await opening
    expect(await own.run('computer.list', {})).toMatchObject([{ state: 'open' }])
    await own.close()
  })
})
