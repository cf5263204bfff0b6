import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { hasCode } from '@choiros/contract/error.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import { NO_HASH } from '@choiros/contract/ids.ts'
import { temporaryFolder } from '../temporary-folder.fake.ts'
import { sealChain, smallObject, TEST_COMPUTER } from './event-log.suite.ts'
import type { EventLog } from './event-log.ts'
import type { ObjectBytes } from '../objects/objects.ts'
import { openSqliteEventLog } from './sqlite.ts'

const START = { seq: 0, hash: NO_HASH }

const isCorrupt = (error: unknown) => hasCode(error, 'log.corrupt')

/** A closed log of a few dozen pages. */
async function writtenLog(): Promise<{ file: string; events: StoredEvent[]; objects: ObjectBytes[] }> {
  const file = join(temporaryFolder(onTestFinished), 'log.sqlite')
  const log = await openSqliteEventLog({ file, folder: `${file}-objects`, computer: TEST_COMPUTER, epoch: 1 })
  const events = sealChain(START, 60)
  const objects = Array.from({ length: 40 }, (_, index) =>
    smallObject(`object ${index} `.repeat(1 + ((index * 37) % 500))),
  )
  for (let at = 0; at < 60; at += 6)
    await log.append(events.slice(at, at + 6), objects.slice((at * 2) / 3, ((at + 6) * 2) / 3), at)
  await log.close()
  return { file, events, objects }
}

/** Reads a log in every way. Throws on a wrong answer that no check has noticed. */
async function readAll(file: string, expected: { events: StoredEvent[]; objects: ObjectBytes[] }): Promise<unknown[]> {
  let log: EventLog
  try {
    log = await openSqliteEventLog({ file, folder: `${file}-objects`, computer: TEST_COMPUTER, epoch: 1 })
  } catch (error) {
    return [error]
  }
  const failures: unknown[] = []
  const attempt = async (call: () => Promise<void>) => call().catch((error: unknown) => void failures.push(error))
  await attempt(async () => void (await log.head()))
  await attempt(async () => {
    for (const stored of await log.read({ after: 0, limit: 1000 })) {
      const right = expected.events[stored.seq - 1]?.bytes.equals(stored.bytes) === true
      expect(right || sha256(stored.bytes) !== stored.hash).toBe(true)
    }
  })
  for (const object of expected.objects) {
    await attempt(async () => {
      const bytes = await log.objects.get(object.hash)
      expect(bytes === null || bytes.equals(object.bytes)).toBe(true)
    })
  }
  await log.close()
  return failures
}

test(
  '[EL14] damage to any page gives log.corrupt or object.corrupt, never a wrong answer or a driver’s error',
  { timeout: 60_000 },
  async () => {
    const written = await writtenLog()
    const intact = readFileSync(written.file)
    let noticed = 0
    for (let page = 0; page * 4096 < intact.length; page++) {
      for (const damage of [
        (bytes: Buffer) => bytes.fill(0xa7),
        (bytes: Buffer) => bytes.fill(0),
        (bytes: Buffer) => bytes.subarray(0, 16).reverse(),
      ]) {
        const bytes = Buffer.from(intact)
        damage(bytes.subarray(page * 4096, (page + 1) * 4096))
        const copy = join(temporaryFolder(onTestFinished), 'log.sqlite')
        writeFileSync(copy, bytes)
        const failures = await readAll(copy, written)
        for (const failure of failures)
          expect(failure).toSatisfy(
            (error) => isCorrupt(error) || hasCode(error, 'object.corrupt'),
            String((failure as Error).stack),
          )
        if (failures.length > 0) noticed++
      }
    }
    expect(noticed).toBeGreaterThan(intact.length / 4096)
  },
)

test('[EL14] a file cut short gives log.corrupt', async () => {
  const written = await writtenLog()
  truncateSync(written.file, 4096 * 5)
  const failures = await readAll(written.file, written)
  expect(failures.length).toBeGreaterThan(0)
  for (const failure of failures) expect(failure).toSatisfy(isCorrupt)
})

test('[EL14] one flipped byte in an object gives object.corrupt', async () => {
  const written = await writtenLog()
  const bytes = readFileSync(written.file)
  const object = written.objects[0] as ObjectBytes
  const at = bytes.indexOf(object.bytes)
  bytes[at + 3] = (bytes[at + 3] as number) ^ 1
  writeFileSync(written.file, bytes)
  const log = await openSqliteEventLog({
    file: written.file,
    folder: `${written.file}-objects`,
    computer: TEST_COMPUTER,
    epoch: 1,
  })
  onTestFinished(() => log.close())
  await expect(log.objects.get(object.hash)).rejects.toSatisfy((error) => hasCode(error, 'object.corrupt'))
})
