import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { temporaryFolder } from '../temporary-folder.fake.ts'
import { smallObject, TEST_COMPUTER } from './event-log.suite.ts'
import type { EventLog } from './event-log.ts'
import type { ObjectBytes } from '../objects/objects.ts'
import { openSqliteEventLog } from './sqlite.ts'

function temporaryLog(): string {
  return join(temporaryFolder(onTestFinished), 'log.sqlite')
}

async function open(file: string, computer = TEST_COMPUTER): Promise<EventLog> {
  const log = await openSqliteEventLog({ file, folder: `${file}-objects`, computer, epoch: 1 })
  onTestFinished(() => log.close())
  return log
}

/** Which of the objects still have some of their bytes in the log's files. */
function leftOnDisk(file: string, objects: readonly ObjectBytes[]): Hash[] {
  const files = ['', '-wal', '-journal', '-shm'].map((suffix) => file + suffix).filter((path) => existsSync(path))
  const raw = files.map((path) => readFileSync(path))
  const holds = (part: Uint8Array) => raw.some((bytes) => bytes.includes(Buffer.from(part)))
  return objects
    .filter(({ bytes }) => holds(bytes.subarray(0, 24)) || holds(bytes.subarray(-24)))
    .map((object) => object.hash)
}

function markedObjects(count: number): ObjectBytes[] {
  return Array.from({ length: count }, (_, index) =>
    smallObject(`${sha256(`begin ${index}`)} ${'x'.repeat((index * 173) % 9000)} ${sha256(`end ${index}`)}`),
  )
}

test('[EL15] erased bytes are in none of the log’s files, however the pages were split before', async () => {
  const file = temporaryLog()
  const log = await open(file)
  const objects = markedObjects(300)
  for (let at = 0; at < 300; at += 5) await log.append([], objects.slice(at, at + 5), 0)
  expect(leftOnDisk(file, objects)).toHaveLength(300)
  const erased = objects.filter((_, index) => index % 3 === 0)
  await log.objects.erase(erased.map((object) => object.hash))
  expect(leftOnDisk(file, erased)).toEqual([])
  const kept = objects.filter((_, index) => index % 3 !== 0)
  for (const { hash, bytes } of kept) expect((await log.objects.get(hash))?.equals(bytes)).toBe(true)
})

test(
  '[EL15] while another reader keeps the bytes on disk, erasing says that it is not done, and can be repeated',
  { timeout: 20_000 },
  async () => {
    const file = temporaryLog()
    const log = await open(file)
    const objects = markedObjects(3)
    await log.append([], objects, 0)
    const reader = new Database(file, { readonly: true })
    reader.exec('BEGIN; SELECT count(*) FROM object')
    await expect(log.objects.erase(objects.map((object) => object.hash))).rejects.toBeInstanceOf(ChoirError)
    reader.close()
    await log.objects.erase(objects.map((object) => object.hash))
    expect(leftOnDisk(file, objects)).toEqual([])
  },
)
