import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasCode, type ErrorCode } from '@choiros/contract/error.ts'
import { NO_HASH, type Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { sealChain, smallObject } from '../event-log/event-log.suite.ts'
import { temporaryFolder } from '../temporary-folder.fake.ts'
import { createExportFile, openExportFile } from './sqlite.ts'

const chain = sealChain({ seq: 0, hash: NO_HASH }, 30)
const objects = Array.from({ length: 12 }, (_, index) => smallObject(`object ${index} `.repeat(1 + index * 60)))
const CARD = { computer: 'c1', head: 30 }

const place = () => join(temporaryFolder(onTestFinished), 'computer.choir')

function written(): string {
  const file = place()
  const writer = createExportFile(file)
  writer.add(chain.slice(0, 20), objects.slice(0, 8))
  writer.add(chain.slice(20), objects.slice(5))
  writer.finish(CARD)
  return file
}

function open(file: string) {
  const reader = openExportFile(file)
  onTestFinished(() => reader.close())
  return reader
}

const refusedWith = (...codes: ErrorCode[]) =>
  expect.toSatisfy((error: unknown) => codes.some((code) => hasCode(error, code)))

test('[EX1] what was added comes back byte for byte, in order and in pages', async () => {
  const reader = open(written())
  expect([reader.card, reader.events]).toEqual([CARD, 30])
  expect(await reader.read({ after: 0, limit: 12 })).toEqual(chain.slice(0, 12))
  expect(await reader.read({ after: 12, limit: 99 })).toEqual(chain.slice(12))
  for (const { hash, bytes } of objects) expect((await reader.object(hash))?.equals(bytes)).toBe(true)
  expect(await reader.object(smallObject('never added').hash)).toBeNull()
})

test('[EX2] an export that was not finished is refused, and an abandoned one is gone', () => {
  const file = place()
  const writer = createExportFile(file)
  writer.add(chain, objects)
  expect(() => openExportFile(file)).toThrow(refusedWith('import.foreign', 'import.corrupt'))
  writer.abandon()
  expect(existsSync(file)).toBe(false)
})

test('[EX6] reading leaves the file as it was and nothing beside it', async () => {
  const file = written()
  const before = readFileSync(file)
  const reader = openExportFile(file)
  await reader.read({ after: 0, limit: 99 })
  reader.close()
  expect(readFileSync(file).equals(before)).toBe(true)
  expect([existsSync(`${file}-wal`), existsSync(`${file}-journal`)]).toEqual([false, false])
})

describe('[EX3] what is no export is refused with import.foreign', () => {
  test('other bytes, an empty file, a folder, and nothing at all', () => {
    for (const bytes of ['', 'SQLite format 3', 'SQLite format 4\0'.repeat(300), '{"a":1}', '\0'.repeat(5000)]) {
      const file = place()
      writeFileSync(file, bytes)
      expect(() => openExportFile(file)).toThrow(refusedWith('import.foreign'))
    }
    const folder = place()
    mkdirSync(folder)
    expect(() => openExportFile(folder)).toThrow(refusedWith('import.foreign'))
    expect(() => openExportFile(`${folder}/nothing`)).toThrow(refusedWith('import.foreign'))
  })

  test('another format', () => {
    const file = written()
    const database = new Database(file)
    database.exec('UPDATE about SET format = 99')
    database.close()
    expect(() => openExportFile(file)).toThrow(refusedWith('import.foreign'))
  })

  test('a table, view, index or trigger that is not ours, or one of ours made otherwise', () => {
    const additions = [
      'CREATE TABLE more (a)',
      'CREATE VIEW more AS SELECT 1',
      'CREATE INDEX more ON event (hash)',
      'CREATE TRIGGER more AFTER INSERT ON event BEGIN SELECT 1; END',
      'DROP TABLE object; CREATE VIEW object AS SELECT hash, bytes FROM event',
      'DROP TABLE object; CREATE TABLE object (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL)',
      'DROP TABLE object',
    ]
    for (const sql of additions) {
      const file = written()
      const database = new Database(file)
      database.exec(sql)
      database.close()
      expect(() => openExportFile(file)).toThrow(refusedWith('import.foreign'))
    }
  })
})

describe('[EX4] a damaged export is refused with import.corrupt', () => {
  /** The first refusal that opening and reading everything meets. */
  async function firstRefusal(file: string): Promise<unknown> {
    try {
      const reader = openExportFile(file)
      onTestFinished(() => reader.close())
      await reader.read({ after: 0, limit: 999 })
      for (const { hash } of objects) await reader.object(hash)
      return null
    } catch (error) {
      return error
    }
  }

  test('whichever page is overwritten', async () => {
    const intact = readFileSync(written())
    let noticed = 0
    for (let page = 0; page * 4096 < intact.length; page++) {
      for (const fill of [0, 0xa7, 0xff]) {
        const file = place()
        writeFileSync(file, Buffer.from(intact).fill(fill, page * 4096, (page + 1) * 4096))
        const error = await firstRefusal(file)
        expect(
          error === null || hasCode(error, 'import.corrupt') || hasCode(error, 'import.foreign') ? null : error,
        ).toBeNull()
        if (error !== null) noticed++
      }
    }
    expect(noticed).toBeGreaterThan(intact.length / 4096)
  })

  test('wherever it is cut short', async () => {
    const size = readFileSync(written()).length
    for (const part of [0.1, 0.5, 0.9]) {
      const file = written()
      truncateSync(file, Math.floor((size * part) / 4096) * 4096)
      expect(await firstRefusal(file)).toEqual(refusedWith('import.corrupt'))
    }
  })

  test('a card that is no JSON, a hash of another length, and a row of another type', () => {
    for (const sql of [
      "UPDATE about SET card = '{'",
      "UPDATE event SET hash = x'00' WHERE seq = 3",
      "UPDATE object SET hash = x'0011' WHERE rowid = 1",
    ]) {
      const file = written()
      const database = new Database(file)
      database.exec(sql)
      database.close()
      expect(() => openExportFile(file)).toThrow(refusedWith('import.corrupt'))
    }
  })
})

test('[EX5] an event over the limit is refused before anything is read', () => {
  const file = place()
  const writer = createExportFile(file)
  writer.add([{ seq: 1 as never, hash: 'a'.repeat(64) as Hash, bytes: Buffer.alloc(LIMITS.eventBytesMax + 1) }], [])
  writer.finish(CARD)
  expect(() => openExportFile(file)).toThrow(refusedWith('import.corrupt'))
})
