import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Operation } from '@choiros/contract/commands/files.ts'
import type { Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { write } from './damage.ts'

removeFoldersAfterEach()

const path = (text: string) => text as TreePath
const many = (count: number, folder: string): Operation[] =>
  Array.from({ length: count }, (_, index) => write(`${folder}/${index % 100}/${index}.txt`, `file ${index}\n`))
const undoNewest = { target: { kind: 'newest', scope: 'any' }, tree: null } as const
/** Empty folders count like files and are quicker to make. */
const batch = (number: number): Operation[] =>
  Array.from({ length: LIMITS.operationsMax }, (_, index) => ({
    op: 'folder',
    path: path(`all/${number}/${index % 200}/${index}`),
  }))

test('a computer holds 200,000 files and folders and no more, and one event touches 100,000 paths and no more', async () => {
  const own = openTestHome(temporaryFolder())
  for (let number = 0; number < 3; number++) await own.run('files.change', { operations: batch(number) })
  const before = await own.run('tree', { at: null })
  const moveAll: Operation = { op: 'move', path: path('all'), to: path('moved') }
  await expect(own.run('files.change', { operations: [moveAll] })).rejects.toMatchObject({ code: 'quota.exceeded' })
  expect((await own.run('tree', { at: null })).hash).toBe(before.hash)
  await own.run('files.change', { operations: [{ op: 'remove', path: path('all') }] })
  await own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null })
  expect((await own.run('tree', { at: null })).hash).toBe(before.hash)

  for (let number = 3; number < 10; number++) await own.run('files.change', { operations: batch(number) })
  await expect(own.run('files.change', { operations: [write('one-more.txt', 'x')] })).rejects.toMatchObject({
    code: 'quota.exceeded',
  })
  await own.run('files.change', { operations: [{ op: 'remove', path: path('all/0') }] })
  await own.run('files.change', { operations: [write('one-more.txt', 'x')] })
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  await own.close()
})

test('10,000 files in one command are one event, undone, redone and renamed as one', async () => {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', { operations: [write('own.txt', 'mine')] })
  const trees = [(await own.run('tree', { at: null })).hash]
  const made = await own.run('files.change', { operations: many(10_000, 'many') })
  expect(made).toMatchObject({ seq: 3, changes: 10_000 })
  trees.push((await own.run('tree', { at: null })).hash)
  const folder = join((await own.computer()).folder, PLACES.tree)
  const onDisk = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
  expect(onDisk()).toBe(10_001)

  await own.run('undo', undoNewest)
  expect((await own.run('tree', { at: null })).hash).toBe(trees[0])
  expect([onDisk(), existsSync(join(folder, 'many'))]).toEqual([1, false])
  await own.run('redo', {})
  expect((await own.run('tree', { at: null })).hash).toBe(trees[1])

  const renamed = await own.run('files.change', {
    operations: [{ op: 'move', path: path('many'), to: path('renamed/deep') }],
  })
  expect(renamed.changes).toBe(20_000)
  await own.run('files.change', { operations: [write('renamed/deep/later.txt', 'later')] })
  const preview = await own.run('undo.preview', { target: { kind: 'event', seq: renamed.seq as Seq } })
  expect([preview.changes.length, preview.conflicts]).toEqual([10_000, []])
  await own.run('undo', { target: { kind: 'event', seq: renamed.seq as Seq }, tree: preview.tree })
  expect(onDisk()).toBe(10_002)
  expect(existsSync(join(folder, 'many/7/7.txt'))).toBe(true)
  expect(existsSync(join(folder, 'renamed/deep/later.txt'))).toBe(true)
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  await own.close()
})
