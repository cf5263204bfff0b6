import { copyFileSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import { NO_HASH, type ComputerId } from '@choiros/contract/ids.ts'
import { temporaryFolder } from '../temporary-folder.fake.ts'
import { sealChain, smallObject, TEST_COMPUTER } from './event-log.suite.ts'
import type { EventLog } from './event-log.ts'
import { openSqliteEventLog } from './sqlite.ts'

const START = { seq: 0, hash: NO_HASH }

function temporaryLog(): string {
  return join(temporaryFolder(onTestFinished), 'log.sqlite')
}

async function open(file: string, computer = TEST_COMPUTER): Promise<EventLog> {
  const log = await openSqliteEventLog({ file, folder: `${file}-objects`, computer, epoch: 1 })
  onTestFinished(() => log.close())
  return log
}

/** Which of this process's handles point at the file. */
function openHandles(file: string): string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return '' // The handle that listed the folder is gone by now.
    }
  })
  return targets.filter((target) => target === file)
}

const isCorrupt = (error: unknown) => hasCode(error, 'log.corrupt')

test('[EL3] two handles on one file are two writers: exactly one succeeds', async () => {
  const file = temporaryLog()
  const [one, two] = [await open(file), await open(file)]
  const outcomes = await Promise.allSettled([
    one.append(sealChain(START, 2, 'a'), [], 0),
    two.append(sealChain(START, 2, 'b'), [], 0),
  ])
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected'])
  expect(await two.read({ after: 0, limit: 9 })).toEqual(sealChain(START, 2, 'a'))
})

test('[EL3] a file that another program keeps locked gives a sentence, not a driver’s error', async () => {
  const file = temporaryLog()
  const log = await open(file)
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  await expect(log.append(sealChain(START, 1), [], 0)).rejects.toBeInstanceOf(ChoirError)
  other.close()
  await log.append(sealChain(START, 1), [], 0)
})

test('[EL12] a copy of the files taken while the log is open holds everything that was acknowledged', async () => {
  const file = temporaryLog()
  const log = await open(file)
  const chain = sealChain(START, 5)
  await log.append(chain, [smallObject('kept')], 0)
  const copy = temporaryLog()
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix)
  const other = await open(copy)
  expect(await other.read({ after: 0, limit: 9 })).toEqual(chain)
  expect((await other.objects.get(smallObject('kept').hash))?.toString()).toBe('kept')
})

test('[EL13] the log of another computer is refused and left as it is', async () => {
  const file = temporaryLog()
  const log = await openSqliteEventLog({ file, folder: `${file}-objects`, computer: TEST_COMPUTER, epoch: 1 })
  await log.append(sealChain(START, 2), [], 0)
  await log.close()
  const before = readFileSync(file)
  await expect(open(file, 'c2' as ComputerId)).rejects.toSatisfy(isCorrupt)
  expect(readFileSync(file).equals(before)).toBe(true)
  expect((await (await open(file)).head()).seq).toBe(2)
})

test('[EL13] a log of a later format is refused', async () => {
  const file = temporaryLog()
  await (await openSqliteEventLog({ file, folder: `${file}-objects`, computer: TEST_COMPUTER, epoch: 1 })).close()
  const db = new Database(file)
  db.exec('UPDATE identity SET format = 99')
  db.close()
  await expect(open(file)).rejects.toSatisfy(isCorrupt)
})

test('[EL13] a database that is no log gets no tables of ours', async () => {
  const file = temporaryLog()
  const foreign = new Database(file)
  foreign.exec("CREATE TABLE photo (name TEXT); INSERT INTO photo VALUES ('beach')")
  foreign.close()
  await expect(open(file)).rejects.toSatisfy(isCorrupt)
  const after = new Database(file, { readonly: true })
  onTestFinished(() => void after.close())
  expect(after.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['photo'])
})

test('[EL13] a log without its tables is refused as damaged', async () => {
  const file = temporaryLog()
  const half = new Database(file)
  half.exec(
    `CREATE TABLE identity (format INTEGER, computer TEXT); INSERT INTO identity VALUES (1, '${TEST_COMPUTER}')`,
  )
  half.close()
  await expect(open(file)).rejects.toSatisfy(isCorrupt)
})

test('[EL13] a file that is no database is refused with log.corrupt and its handle is let go', async () => {
  const file = temporaryLog()
  writeFileSync(file, 'these are not the bytes of a log '.repeat(200))
  await expect(open(file)).rejects.toSatisfy(isCorrupt)
  expect(openHandles(file)).toEqual([])
})

test('[EL20] a follower hears of what another process writes', { timeout: 20_000 }, async () => {
  const file = temporaryLog()
  const log = await open(file)
  const [first, second] = sealChain(START, 2) as [StoredEvent, StoredEvent]
  await log.append([first], [], 0)
  const stop = new AbortController()
  const following = log.follow(1, stop.signal)[Symbol.asyncIterator]()
  const next = following.next()
  const program = `
    const db = new (require('better-sqlite3'))(process.argv[1])
    db.prepare('INSERT INTO event VALUES (2, ?, ?)').run(Buffer.from(process.argv[2], 'hex'), Buffer.from(process.argv[3], 'hex'))`
  await promisify(execFile)(process.execPath, ['-e', program, file, second.hash, second.bytes.toString('hex')])
  expect((await next).value).toEqual(second)
  stop.abort()
})
