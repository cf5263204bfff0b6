import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hasCode } from '@choiros/contract/error.ts'
import { temporaryFolder } from '../temporary-folder.fake.ts'
import { openFileOwnership } from './file-lock.ts'
import { createMemoryOwnership } from './memory.fake.ts'
import { testOwnership } from './ownership.suite.ts'

const placeIn = (folder: string) => ({ file: join(folder, 'lock.sqlite'), epochFile: join(folder, 'epoch') })

testOwnership('memory', () => createMemoryOwnership())
testOwnership('file lock', () => {
  const place = placeIn(temporaryFolder(onTestFinished))
  return { connect: () => openFileOwnership(place) }
})

test('[OW3] who lost a computer is told, and another may hold it', async () => {
  const place = createMemoryOwnership()
  const [one, two] = [place.connect(), place.connect()]
  const lease = await one.take('a')
  place.revoke('a')
  expect(lease.lost.aborted).toBe(true)
  expect((await two.take('a')).epoch).toBeGreaterThan(lease.epoch)
  await lease.release() // Takes nothing from the present holder.
  await expect(one.take('a')).rejects.toSatisfy((error) => hasCode(error, 'computer.held'))
})

test(
  '[OW4] another process is refused while one holds the lock, and gets it when that one is killed',
  { timeout: 20_000 },
  async () => {
    const place = placeIn(temporaryFolder(onTestFinished))
    const program = `
    const db = new (require('better-sqlite3'))(process.argv[1], { timeout: 0 })
    db.pragma('journal_mode = DELETE'); db.pragma('locking_mode = EXCLUSIVE'); db.pragma('user_version = 1'); db.exec('BEGIN EXCLUSIVE')
    process.stdout.write('held'); setInterval(() => {}, 1000)`
    const holder = spawn(process.execPath, ['-e', program, place.file], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    expect(() => openFileOwnership(place)).toThrow(expect.toSatisfy((error) => hasCode(error, 'home.locked')))
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    await openFileOwnership(place).close()
  },
)

test('[OW2] an epoch that was damaged, or lies in the future, does not keep the next ones from rising', async () => {
  const place = placeIn(temporaryFolder(onTestFinished))
  for (const damage of ['not a number', '99999999999999', '-3', '']) {
    writeFileSync(place.epochFile, damage)
    const first = openFileOwnership(place)
    const { epoch } = await first.take('a')
    await first.close()
    for (let last = epoch, holder = 0; holder < 3; holder++) {
      const next = openFileOwnership(place)
      const lease = await next.take('a')
      expect(lease.epoch).toBeGreaterThan(last)
      last = lease.epoch
      await next.close()
    }
  }
})
