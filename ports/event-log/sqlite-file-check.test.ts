import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { ComputerId, Seq } from '@choiros/contract/ids.ts'
import { temporaryFolder } from '../temporary-folder.fake.ts'
import { openSqliteEventLog } from './sqlite.ts'

const open = (file: string) =>
  openSqliteEventLog({ file, folder: `${file}-objects`, computer: 'c1' as ComputerId, epoch: 1 })

async function closedLog(): Promise<{ file: string; flipped: string; bytes: Buffer }> {
  const folder = temporaryFolder(onTestFinished)
  const file = join(folder, 'log.sqlite')
  const log = await open(file)
  for (let seq = 1; seq <= 30; seq++) {
    const bytes = Buffer.from(`object ${seq} `.repeat(seq * 5))
    await log.append(
      [{ seq: seq as Seq, hash: sha256(`event ${seq}`), bytes: Buffer.from(`event ${seq}`) }],
      [{ hash: sha256(bytes), bytes }],
      seq - 1,
    )
  }
  await log.close()
  return { file, flipped: join(folder, 'flipped.sqlite'), bytes: readFileSync(file) }
}

async function isFound(flipped: string): Promise<boolean> {
  try {
    const log = await open(flipped)
    const damage = await log.damage()
    await log.close()
    return damage !== null
  } catch {
    return true
  }
}

describe('[EL18] a log that was closed in peace', () => {
  test('shows no damage, also when it was opened before and while it is written to', async () => {
    const { file } = await closedLog()
    for (let round = 0; round < 2; round++) {
      const log = await open(file)
      expect(await log.damage()).toBe(null)
      await log.append([{ seq: (31 + round) as Seq, hash: sha256('x'), bytes: Buffer.from('x') }], [], 30 + round)
      expect(await log.damage()).toBe(null)
      const beside = await open(file)
      expect(await beside.damage()).toBe(null)
      await beside.close()
      expect(existsSync(`${file}.seal`)).toBe(false)
      await log.close()
    }
  })

  test('has no byte whose change is not found, in the header, in the pages, and where they hold nothing', async () => {
    const { file, flipped, bytes } = await closedLog()
    const missed: number[] = []
    const positions = [
      ...Array.from({ length: 100 }, (_, index) => index),
      ...Array.from({ length: 150 }, (_, index) => 100 + index * 331),
    ]
    for (const position of positions.filter((at) => at < bytes.length)) {
      for (const suffix of ['-wal', '-shm', '.kept']) rmSync(flipped + suffix, { force: true })
      const changed = Buffer.from(bytes)
      changed[position] = (changed[position] ?? 0) ^ (1 << (position % 8))
      writeFileSync(flipped, changed)
      copyFileSync(`${file}.seal`, `${flipped}.seal`)
      if (!(await isFound(flipped))) missed.push(position)
    }
    expect(missed).toEqual([])
  })

  test('finds the changed name of an object after a crash too, when nothing vouches for the file', async () => {
    const { file, bytes } = await closedLog()
    const name = Buffer.from(sha256(Buffer.from('object 3 '.repeat(15))), 'hex')
    for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 1)) {
      const changed = Buffer.from(bytes)
      changed[at + 5] = (changed[at + 5] ?? 0) ^ 1
      writeFileSync(file, changed)
      rmSync(`${file}.seal`, { force: true })
      expect([at, await isFound(file)]).toEqual([at, true])
    }
  })
})

test('[EL17] what follows a damaged frame of the write-ahead file is kept, readable, and gone when the log is whole', async () => {
  const { file } = await closedLog()
  const live = await open(file)
  const late = (seq: number) => ({ hash: sha256(`late ${seq}`), bytes: Buffer.from(`late ${seq}`) })
  for (let seq = 31; seq <= 40; seq++) {
    const event = { seq: seq as Seq, hash: sha256(`event ${seq}`), bytes: Buffer.from(`event ${seq}`) }
    await live.append([event], [late(seq)], seq - 1)
  }
  const killed = join(temporaryFolder(onTestFinished), 'log.sqlite')
  copyFileSync(file, killed)
  const wal = readFileSync(`${file}-wal`)
  const at = 32 + 24 + 4096 + 24 + 100 // In the second frame.
  wal[at] = (wal[at] ?? 0) ^ 1
  writeFileSync(`${killed}-wal`, wal)
  await live.close()
  const log = await open(killed)
  const { seq } = await log.head()
  expect(seq).toBeLessThan(40)
  const left = await log.leftover()
  expect((await left?.read({ after: seq, limit: 100 }))?.map((event) => event.seq)).toEqual(
    Array.from({ length: 40 - seq }, (_, index) => seq + 1 + index),
  )
  expect(await left?.object(late(40).hash)).toEqual(late(40).bytes)
  left?.close()
  log.settle()
  expect(await log.leftover()).toBe(null)
  await log.close()
  expect(existsSync(`${killed}.kept`)).toBe(false)
})
