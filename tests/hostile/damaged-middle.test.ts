import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { TreePath } from '@choiros/contract/path.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'
import { importCopy, rescueOf } from '../support/transfer.ts'
import { write } from './damage.ts'

removeFoldersAfterEach()

const path = (name: string) => name as TreePath

async function live(own: TestHome): Promise<number> {
  await own.run('files.change', { operations: [write('artifacts/old.txt', 'old')] })
  const { seq } = await own.run('files.change', { operations: [write('artifacts/gone.txt', 'gone soon')] })
  for (let index = 0; index < 20; index++)
    await own.run('files.change', { operations: [write(`artifacts/${index % 5}-${index}.txt`, `text ${index}`)] })
  await own.run('files.change', { operations: [{ op: 'remove', path: path('artifacts/gone.txt') }] })
  await own.run('files.change', { operations: [{ op: 'folder', path: path('artifacts/made') }] })
  return seq ?? 0
}

function damageEvent(folder: string, seq: number): void {
  const db = new Database(join(folder, PLACES.log))
  const { bytes } = db.prepare('SELECT bytes FROM event WHERE seq = ?').get(seq) as { bytes: Buffer }
  bytes[bytes.length >> 1]! ^= 1
  db.prepare('UPDATE event SET bytes = ? WHERE seq = ?').run(bytes, seq)
  db.close()
}

describe('[L8] an event in the middle of the log that is damaged', () => {
  test.each([
    ['with the tables', []],
    ['with the files alone', ['state', 'snapshots']],
  ] as const)('takes no file with it: what is rescued holds all that stands now, %s', async (_, lost) => {
    const folder = temporaryFolder()
    const own = openTestHome(folder)
    const middle = await live(own)
    const computer = await own.computer()
    const before = await own.run('tree', { at: null })
    await computer.shown()
    await own.close()
    damageEvent(computer.folder, middle)
    for (const place of lost)
      for (const suffix of ['', '-wal', '-shm', '.sealed'])
        rmSync(join(computer.folder, PLACES[place]) + suffix, { recursive: true, force: true })

    const again = openTestHome(folder)
    const rescued = await rescueOf(again)
    expect(rescued).toMatchObject({ events: middle - 1, problem: expect.stringContaining(`event ${middle}`) })
    await importCopy(again, rescued.file, 'rescued')
    const after = await again.run('tree', { at: null }, { computer: 'rescued' })
    expect(after.files).toEqual(before.files)
    expect(await again.run('verify', {}, { computer: 'rescued' })).toMatchObject({ ok: true, problems: [] })
    await again.close()
  })
})
