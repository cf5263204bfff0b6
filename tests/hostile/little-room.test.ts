import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import type { TreePath } from '@choiros/contract/path.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { DISK_RESERVE_BYTES } from '@choiros/supervisor/computer/room.ts'
import { prepareToolchain } from '@choiros/supervisor/desk/toolchain.ts'
import { openTestHome, removeFoldersAfterEach } from '../support/home.ts'
import { write } from './damage.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const disks: SmallDisk[] = []
removeFoldersAfterEach()
afterEach(() => {
  for (const disk of disks.splice(0)) disk.unmount()
})

function mount(mebibytes: number, inodes?: number): { disk: SmallDisk; folder: string } {
  const disk = mountSmallDisk(mebibytes, inodes)
  disks.push(disk)
  return { disk, folder: join(disk.folder, 'home') }
}

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url))
const MEBIBYTE = 1024 * 1024
const quiet = { warn: () => {} }
const path = (text: string) => text as TreePath
const full = { code: 'disk.full' }
const freeFiles = (disk: SmallDisk) => statfsSync(disk.folder).ffree

/** Somebody else's empty files, until only so many more fit. */
function takeFiles(disk: SmallDisk, left: number): void {
  const folder = join(disk.folder, 'something else entirely')
  mkdirSync(folder, { recursive: true })
  for (let index = 0; freeFiles(disk) > left; index++) closeSync(openSync(join(folder, String(index)), 'w'))
}

const giveFilesBack = (disk: SmallDisk) => rmSync(join(disk.folder, 'something else entirely'), { recursive: true })

describe('a disk that takes no more files', () => {
  test('refuses what would need one, in words, and takes everything else; with room it goes on', async () => {
    const { disk, folder } = mount(64, 1000)
    const own = openTestHome(folder, quiet)
    await own.run('files.change', { operations: [write('artifacts/a.txt', 'a\n')] })
    takeFiles(disk, 40)
    await expect(own.run('files.change', { operations: [write('artifacts/new.txt', 'new\n')] })).rejects.toMatchObject({
      ...full,
      message: expect.stringContaining('no more files') as string,
    })
    const { entry } = await own.run('files.stat', { path: path('artifacts/a.txt'), at: null })
    await own.run('files.change', {
      operations: [
        { op: 'write', path: path('artifacts/a.txt'), content: { text: 'changed\n' }, from: entry?.object ?? null },
      ],
    })
    await own.run('checkpoint', { name: 'still' })
    giveFilesBack(disk)
    await own.run('files.change', { operations: [write('artifacts/new.txt', 'new\n')] })
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })

  test(
    'where somebody else takes the last one in the middle, the person is told, and it heals by itself',
    { timeout: 30_000 },
    async () => {
      const { disk, folder } = mount(64, 1000)
      let isTaking = false
      const own = openTestHome(folder, {
        ...quiet,
        reached: (point) => {
          if (isTaking && point === 'tree.project.before') takeFiles(disk, 0)
        },
      })
      await own.run('files.change', { operations: [write('artifacts/a.txt', 'a\n')] })
      const place = join((await own.computer()).folder, PLACES.tree, 'artifacts/b.txt')
      isTaking = true
      await own.run('files.change', { operations: [write('artifacts/b.txt', 'b\n')] })
      isTaking = false
      expect(existsSync(place)).toBe(false)
      const [told] = (await own.run('status', {})).computers
      expect(told).toMatchObject({
        state: 'open',
        problem: expect.stringMatching(/^1 file is saved but not in place on disk: .*full/) as string,
      })
      giveFilesBack(disk)
      await expect.poll(() => existsSync(place), { timeout: 15_000 }).toBe(true)
      expect(readFileSync(place, 'utf8')).toBe('b\n')
      await expect.poll(async () => (await own.run('status', {})).computers[0]?.problem, { timeout: 5000 }).toBe(null)
      expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
      await own.close()
    },
  )
})

describe('at the reserve', () => {
  test('what puts the person back in charge or gives room back works: undo and redo that write bytes, restore, deletions', async () => {
    const { disk, folder } = mount(96)
    const own = openTestHome(folder, quiet)
    const content = { base64: randomBytes(MEBIBYTE).toString('base64') }
    const first = await own.run('files.change', {
      operations: [{ op: 'write', path: path('artifacts/big.bin'), content, from: null }],
    })
    await own.run('files.change', { operations: [{ op: 'remove', path: path('artifacts/big.bin') }] })
    disk.fillUpTo(DISK_RESERVE_BYTES / 2)
    await expect(own.run('files.change', { operations: [write('artifacts/new.txt', 'new')] })).rejects.toMatchObject(
      full,
    )
    const tree = join((await own.computer()).folder, PLACES.tree)
    await own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null })
    expect(readFileSync(join(tree, 'artifacts/big.bin')).length).toBe(MEBIBYTE)
    await own.run('redo', {})
    await own.run('restore', { to: first.seq as never })
    expect(readFileSync(join(tree, 'artifacts/big.bin')).length).toBe(MEBIBYTE)
    await own.run('files.change', { operations: [{ op: 'remove', path: path('artifacts/big.bin') }] })
    expect(existsSync(join(tree, 'artifacts/big.bin'))).toBe(false)
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })
})

describe('the toolchain', () => {
  test('is not begun where it would eat into the reserve, and leaves nothing behind', async () => {
    const { disk, folder } = mount(128)
    mkdirSync(folder)
    const before = disk.freeBytes()
    await expect(prepareToolchain(CHECKOUT, folder)).rejects.toMatchObject(full)
    expect(before - disk.freeBytes()).toBeLessThan(MEBIBYTE)
    expect(readdirSync(join(folder, 'toolchain'))).toEqual([])
  })

  test('replaces those that no desk can still use', { timeout: 120_000 }, async () => {
    const { disk, folder } = mount(1024)
    const old = join(folder, 'toolchain', '0'.repeat(32))
    mkdirSync(old, { recursive: true })
    writeFileSync(join(old, 'node'), 'old')
    mkdirSync(join(folder, 'toolchain', 'half.new'))
    const { folder: made } = await prepareToolchain(CHECKOUT, folder)
    expect(readdirSync(join(folder, 'toolchain')).map((name) => join(folder, 'toolchain', name))).toEqual([made])
    expect((await prepareToolchain(CHECKOUT, folder)).folder).toBe(made)
    expect(disk.freeBytes()).toBeGreaterThan(DISK_RESERVE_BYTES)
  })
})
