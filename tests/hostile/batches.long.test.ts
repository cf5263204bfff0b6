import { expect, test } from 'vitest'
import type { Operation } from '@choiros/contract/commands.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { write } from './damage.ts'

removeFoldersAfterEach()

const path = (text: string) => text as TreePath
/** Empty folders count like files and are quicker to make. */
const batch = (number: number): Operation[] =>
  Array.from({ length: LIMITS.operationsMax }, (_, index) => ({ op: 'folder', path: path(`all/${number}/${index % 200}/${index}`) }))

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
  await expect(own.run('files.change', { operations: [write('one-more.txt', 'x')] })).rejects.toMatchObject({ code: 'quota.exceeded' })
  await own.run('files.change', { operations: [{ op: 'remove', path: path('all/0') }] })
  await own.run('files.change', { operations: [write('one-more.txt', 'x')] })
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  await own.close()
})
