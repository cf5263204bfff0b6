import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ComputerName } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { CrashPoint } from '@choiros/supervisor/crash-points.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { DISK_RESERVE_BYTES } from '@choiros/supervisor/computer/room.ts'
import { choir, choirHere, startSupervisor } from '../support/choir.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { exportOf, importCopy } from '../support/transfer.ts'
import { fillHome, write } from './damage.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const disks: SmallDisk[] = []
removeFoldersAfterEach()
afterEach(() => {
  for (const disk of disks.splice(0)) disk.unmount()
})

function mount(mebibytes: number): { disk: SmallDisk; folder: string } {
  const disk = mountSmallDisk(mebibytes)
  disks.push(disk)
  return { disk, folder: join(disk.folder, 'home') }
}

const MEBIBYTE = 1024 * 1024
const quiet = { warn: () => {} }
const path = (text: string) => text as TreePath
const full = { code: 'disk.full', message: expect.stringContaining('Free some space') as string }
const large = (name: string, mebibytes: number) => ({
  operations: [
    {
      op: 'write' as const,
      path: path(name),
      content: { base64: randomBytes(mebibytes * MEBIBYTE).toString('base64') },
      from: null,
    },
  ],
})

describe('a full disk', () => {
  test('stops appends with a clear message; reading, previewing and proving go on; with room everything works again', async () => {
    const { disk, folder } = mount(64)
    const own = openTestHome(folder)
    await fillHome(own)
    const before = await own.run('tree', { at: null })
    const { head } = await own.run('verify', {})
    disk.fillUpTo(DISK_RESERVE_BYTES / 2)

    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(own.run('files.change', { operations: [write('new.txt', 'new')] })).rejects.toMatchObject(full)
      await expect(own.run('checkpoint', { name: null })).rejects.toMatchObject(full)
      await expect(own.run('files.change', large('large.bin', 1))).rejects.toMatchObject(full)
    }
    expect(await own.run('tree', { at: null })).toEqual(before)
    expect((await own.run('undo.preview', { target: { kind: 'newest', scope: 'any' } })).conflicts).toEqual([])
    expect(await own.run('verify', {})).toMatchObject({ ok: true, problems: [], mended: [], head })

    disk.makeRoom()
    await own.run('files.change', { operations: [write('new.txt', 'new')] })
    await own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null })
    expect((await own.run('tree', { at: null })).hash).toBe(before.hash)
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })

  test('with not a byte left loses nothing, closes, and says so at the next start', async () => {
    const { disk, folder } = mount(48)
    const own = openTestHome(folder, quiet)
    await fillHome(own)
    const before = await own.run('tree', { at: null })
    disk.fillUpTo(0)
    await expect(own.run('files.change', { operations: [write('new.txt', 'new')] })).rejects.toMatchObject(full)
    expect(await own.run('tree', { at: null })).toEqual(before)
    await expect(own.run('computer.add', { name: ComputerName.parse('more') })).rejects.toMatchObject(full)
    await expect(exportOf(own)).rejects.toMatchObject(full)
    await own.close()

    const start = await choirHere(folder, ['tree', '--json'])
    const outcome = start.json() as { hash?: string; error?: { code: string } }
    expect([before.hash, 'disk.full']).toContain(outcome.hash ?? outcome.error?.code)
    disk.makeRoom()
    expect((await choirHere(folder, ['tree', '--json'])).json()).toMatchObject({ hash: before.hash })
    expect((await choirHere(folder, ['write', 'new.txt'], 'new')).error).toBe('')
    expect((await choirHere(folder, ['verify'])).code).toBe(0)
  })

  test('is told to the command line as a sentence and a code, for small and for large files', async () => {
    const { disk, folder } = mount(64)
    const supervisor = await startSupervisor(folder)
    expect((await choirHere(folder, ['write', 'a.txt'], 'a')).error).toBe('')
    disk.fillUpTo(DISK_RESERVE_BYTES - MEBIBYTE)
    for (const input of ['small', randomBytes(3 * MEBIBYTE)]) {
      const outcome = await choirHere(folder, ['write', 'b.txt', '--json'], input)
      expect([outcome.code, outcome.json()]).toEqual([1, { error: expect.objectContaining(full) as unknown }])
    }
    disk.makeRoom()
    expect((await choirHere(folder, ['write', 'b.txt'], 'b')).error).toBe('')
    expect(await supervisor.stop()).toBe(0)
    expect(supervisor.output()).not.toMatch(/nobody foresaw|could not go on/)
  })
})

describe('the reserve', () => {
  test('is not eaten by an upload, nor by copies of a file that is already there', async () => {
    const { disk, folder } = mount(64)
    const own = openTestHome(folder)
    await own.run('files.change', large('large.bin', 8))
    const computer = await own.computer()
    const objects = () => readdirSync(join(computer.folder, PLACES.objects))
    const before = objects()
    await expect(computer.objects.put(randomBytes(40 * MEBIBYTE))).rejects.toMatchObject(full)
    expect(objects()).toEqual(before)

    const object = (await own.run('files.stat', { path: path('large.bin'), at: null })).entry?.object as never
    const copies = Array.from({ length: 6 }, (_, index) => ({
      op: 'write' as const,
      path: path(`copy-${index}.bin`),
      content: { object, size: 8 * MEBIBYTE },
      from: null,
    }))
    await expect(own.run('files.change', { operations: copies })).rejects.toMatchObject(full)
    expect(disk.freeBytes()).toBeGreaterThan(DISK_RESERVE_BYTES)
    await own.run('files.change', { operations: copies.slice(0, 1) })
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })

  test('is there for the one command that makes room', async () => {
    const { disk, folder } = mount(64)
    const own = openTestHome(folder, quiet)
    await own.run('files.change', large('large.bin', 12))
    disk.fillUpTo(DISK_RESERVE_BYTES / 4)
    await expect(own.run('files.change', { operations: [write('a', 'a')] })).rejects.toMatchObject(full)
    const { objects } = await own.run('erase.preview', { path: path('large.bin') })
    await own.run('erase', { objects, reason: 'room' })
    expect(disk.freeBytes()).toBeGreaterThan(DISK_RESERVE_BYTES)
    await own.run('files.change', { operations: [write('a', 'a')] })
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })
})

describe('a disk that fills up in the middle', () => {
  test('of writing files leaves the log right, and the files follow when there is room', async () => {
    const { disk, folder } = mount(64)
    let fillAt: CrashPoint | null = null
    const reached = (point: CrashPoint) => {
      if (point === fillAt) disk.fillUpTo(0)
    }
    const own = openTestHome(folder, { ...quiet, reached })
    await own.run('files.change', { operations: [write('before.txt', 'before')] })
    const place = (name: string) =>
      join(folder, 'computers', readdirSync(join(folder, 'computers'))[0] ?? '', PLACES.tree, name)
    fillAt = 'tree.project.before'
    await own.run('files.change', large('large.bin', 4))
    fillAt = null
    expect(existsSync(place('large.bin'))).toBe(false)
    expect(readdirSync(join(place('..'), PLACES.staging))).toEqual([])
    expect(Object.keys((await own.run('tree', { at: null })).files)).toEqual(['before.txt', 'large.bin'])
    disk.makeRoom()
    for (let waited = 0; waited < 100 && !existsSync(place('large.bin')); waited++)
      await new Promise((resolve) => setTimeout(resolve, 100))
    expect(readFileSync(place('large.bin')).length).toBe(4 * MEBIBYTE)
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })

  test('of moving the tables loses nothing, and they catch up', async () => {
    const { disk, folder } = mount(64)
    let fillAt: CrashPoint | null = null
    const reached = (point: CrashPoint) => {
      if (point === fillAt) disk.fillUpTo(0)
    }
    const own = openTestHome(folder, { ...quiet, reached })
    await own.run('files.change', { operations: [write('before.txt', 'before')] })
    fillAt = 'state.commit.before'
    const operations = Array.from({ length: 2000 }, (_, index) => write(`many/${index}.txt`, `${index}`))
    const { seq } = await own.run('files.change', { operations })
    fillAt = null
    expect(seq).toBe(3)
    disk.makeRoom()
    await own.run('files.change', { operations: [write('after.txt', 'after')] })
    expect(Object.keys((await own.run('tree', { at: null })).files)).toHaveLength(2002)
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })

  test('of an export or an import leaves no half of it behind', async () => {
    const outside = join(temporaryFolder(), 'large.choir')
    const elsewhere = openTestHome(temporaryFolder())
    for (const name of ['a', 'b', 'c']) await elsewhere.run('files.change', large(name, 6))
    const { rename } = await import('node:fs/promises')
    await rename(await exportOf(elsewhere), outside)
    await elsewhere.close()

    const { disk, folder } = mount(64)
    const own = openTestHome(folder)
    for (const name of ['a', 'b']) await own.run('files.change', large(name, 6))
    const left = () => [readdirSync(join(folder, 'tmp')), readdirSync(join(folder, 'computers'))]
    const before = left()
    disk.fillUpTo(5 * MEBIBYTE)
    await expect(exportOf(own)).rejects.toMatchObject(full)
    expect(left()).toEqual(before)
    disk.makeRoom()
    disk.fillUpTo(28 * MEBIBYTE) // The upload fits, its copy does not.
    await expect(importCopy(own, outside, 'imported')).rejects.toMatchObject(full)
    expect(left()).toEqual(before)

    const supervisorHome = join(disk.folder, 'second home')
    disk.makeRoom()
    disk.fillUpTo(10 * MEBIBYTE)
    const supervisor = await startSupervisor(supervisorHome)
    const outcome = await choir(supervisorHome, ['import', outside, '--json'])
    expect([outcome.code, outcome.json()]).toEqual([1, { error: expect.objectContaining(full) as unknown }])
    expect(readdirSync(join(supervisorHome, 'tmp'))).toEqual([])
    expect(await supervisor.stop()).toBe(0)
    disk.makeRoom()
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })
})
