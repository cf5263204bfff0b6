import { chmodSync, mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { hasCode } from '@choiros/contract/error.ts'
import { temporaryFolder } from '../temporary-folder.fake.ts'
import { openLocalObjects } from './local.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Objects, ObjectStep } from './objects.ts'

const MAX = 10 * 1024 * 1024
const isCorrupt = (error: unknown) => hasCode(error, 'object.corrupt')

async function openTemporary() {
  const folder = join(temporaryFolder(onTestFinished), 'objects')
  return { folder, objects: await openLocalObjects({ folder }) }
}

test('[OB8] a store that is opened again has the same objects', async () => {
  const { folder, objects } = await openTemporary()
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'bin\0')
  const { hash } = await objects.put(Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]), MAX)
  const before = await objects.strays()
  await objects.close()
  const again = await openLocalObjects({ folder })
  expect((await again.get(hash))?.equals(bytes)).toBe(true)
  expect(await again.strays()).toEqual(before)
})

test('[OB8] every step on the way to the disk is reached, in order, also for bytes that are already there', async () => {
  const folder = join(temporaryFolder(onTestFinished), 'objects')
  const steps: ObjectStep[] = []
  const objects = await openLocalObjects({ folder, reached: (step) => steps.push(step) })
  const way: ObjectStep[] = [
    'object.write.before',
    'object.fsync.before',
    'object.fsync.after',
    'object.rename.after',
    'object.folder-fsync.after',
  ]
  await objects.put(Buffer.from('twice'), MAX)
  expect(steps.splice(0)).toEqual(way)
  await objects.put(Buffer.from('twice'), MAX)
  expect(steps).toEqual(way)
})

test('[OB9] a damaged file gives object.corrupt: changed, cut short or emptied', async () => {
  const { folder, objects } = await openTemporary()
  const { hash } = await objects.put(Buffer.from('the right bytes'), MAX)
  for (const damage of [
    () => writeFileSync(join(folder, hash), 'the wrong bytes'),
    () => truncateSync(join(folder, hash), 5),
    () => truncateSync(join(folder, hash), 0),
  ]) {
    damage()
    await expect(objects.get(hash)).rejects.toSatisfy(isCorrupt)
    await expect(readAll(objects, hash)).rejects.toSatisfy(isCorrupt)
  }
})

async function readAll(objects: Objects, hash: Hash): Promise<void> {
  for await (const piece of (await objects.stream(hash))?.pieces ?? []) void piece
}

test('[OB12] who reads a damaged object in pieces never gets all of it', async () => {
  const { folder, objects } = await openTemporary()
  const { hash, size } = await objects.put(Buffer.alloc(1_000_000, 1), MAX)
  writeFileSync(join(folder, hash), Buffer.alloc(1_000_000, 2))
  let got = 0
  const reading = async () => {
    for await (const piece of (await objects.stream(hash))?.pieces ?? []) got += piece.length
  }
  await expect(reading()).rejects.toSatisfy(isCorrupt)
  expect(got).toBeLessThan(size)
})

test('[OB9] storing the right bytes again heals a damaged object', async () => {
  const { folder, objects } = await openTemporary()
  const { hash } = await objects.put(Buffer.from('the right bytes'), MAX)
  writeFileSync(join(folder, hash), 'the wrong bytes')
  await objects.put(Buffer.from('the right bytes'), MAX)
  expect((await objects.get(hash))?.toString()).toBe('the right bytes')
})

test('[OB10] what a crash left half written is removed at open and never listed', async () => {
  const { folder, objects } = await openTemporary()
  const { hash } = await objects.put(Buffer.from('whole'), MAX)
  writeFileSync(join(folder, '.partial-0123456789abcdef'), 'half')
  expect((await objects.strays()).map((item) => item.hash)).toEqual([hash])
  await openLocalObjects({ folder })
  expect(readdirSync(folder)).toEqual([hash])
})

test('[OB10] files of others in the folder are neither listed nor removed', async () => {
  const { folder, objects } = await openTemporary()
  mkdirSync(join(folder, 'lost+found'))
  writeFileSync(join(folder, '.DS_Store'), 'not ours')
  writeFileSync(join(folder, `${sha256('x')}.bak`), 'not ours')
  expect(await objects.strays()).toEqual([])
  await openLocalObjects({ folder })
  expect(readFileSync(join(folder, '.DS_Store'), 'utf8')).toBe('not ours')
})

test('[OB3] [OB4] refused and failed sources leave no file in the folder, not even a partial one', async () => {
  const { folder, objects } = await openTemporary()
  await expect(objects.put(Buffer.alloc(11), 10)).rejects.toThrow('over the limit')
  await expect(objects.put(Readable.from([Buffer.alloc(5), Buffer.alloc(6)]), 10)).rejects.toThrow('over the limit')
  expect(readdirSync(folder)).toEqual([])
})

test('[OB5] objects that are deleted while they are listed do not break the list', async () => {
  const { objects } = await openTemporary()
  const stored = []
  for (let i = 0; i < 60; i++) stored.push((await objects.put(Buffer.from(`object ${i}`), MAX)).hash)
  const [listed] = await Promise.all([objects.strays(), ...stored.slice(0, 40).map((hash) => objects.erase([hash]))])
  expect(listed.map((item) => item.hash)).toEqual(expect.arrayContaining(stored.slice(40)))
})

test('[OB6] an old object that is stored again is not old any more', async () => {
  const { folder, objects } = await openTemporary()
  const { hash } = await objects.put(Buffer.from('old'), MAX)
  utimesSync(join(folder, hash), new Date(0), new Date(0))
  expect((await objects.strays())[0]?.storedMs).toBe(0)
  await objects.put(Buffer.from('old'), MAX)
  expect((await objects.strays())[0]?.storedMs).toBeGreaterThan(Date.now() - 60_000)
})

test('[OB11] a folder in the place of an object is a failing disk, not a missing object', async () => {
  const { folder, objects } = await openTemporary()
  const hash = sha256('in the way')
  mkdirSync(join(folder, hash))
  await expect(objects.get(hash)).rejects.toSatisfy((error) => hasCode(error, 'log.io'))
})

test('[OB11] a folder that cannot be made is a sentence with a code', async () => {
  const file = join(temporaryFolder(onTestFinished), 'a-file')
  writeFileSync(file, '')
  chmodSync(file, 0o400)
  await expect(openLocalObjects({ folder: join(file, 'objects') })).rejects.toSatisfy((error) =>
    hasCode(error, 'log.io'),
  )
})
