import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Operation } from '@choiros/contract/commands/files.ts'
import { ChoirError } from '@choiros/contract/error.ts'
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

test('20,001 operations are refused, and none at all as well', async () => {
  const own = openTestHome(temporaryFolder())
  const operations = many(LIMITS.operationsMax + 1, 'many')
  await expect(own.run('files.change', { operations })).rejects.toMatchObject({ code: 'request.invalid' })
  await expect(own.run('files.change', { operations: [] })).rejects.toMatchObject({ code: 'request.invalid' })
  await own.close()
})

test('a batch with a bad operation anywhere writes nothing at all', async () => {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', { operations: [write('own.txt', 'mine')] })
  const before = await own.run('tree', { at: null })
  const bad: readonly Operation[] = [
    write('own.txt', 'another version'),
    write('own.txt/below', 'x'),
    write('batch/1/1.txt', 'written twice, from nothing'),
    { op: 'remove', path: path('no such') },
    { op: 'move', path: path('own.txt'), to: path('own.txt/inside') },
    { op: 'move', path: path('own.txt'), to: path('batch/1') },
    { op: 'folder', path: path('own.txt') },
    { op: 'link', path: path('link'), target: '/etc', from: null },
    { op: 'write', path: path('a'), content: { object: '0'.repeat(64) as never, size: 1 }, from: null },
    { op: 'write', path: path('a'), content: { text: '\ud800' }, from: null },
    { op: 'write', path: path('a'), content: { base64: 'not base64' }, from: null },
  ]
  for (const operation of bad) {
    for (const operations of [
      [...many(600, 'batch'), operation],
      [operation, ...many(3, 'batch')],
    ]) {
      const isFirstAndFree =
        operations[0] === operation && operation.op === 'write' && operation.path === 'batch/1/1.txt'
      if (isFirstAndFree) continue
      const outcome = await own.run('files.change', { operations }).then(
        () => 'done',
        (error: unknown) => (error instanceof ChoirError ? error.code : 'a bug'),
      )
      expect([operation, outcome]).toEqual([
        operation,
        expect.stringMatching(/^(file\.conflict|path\.\w+|link\.outside|object\.missing|request\.invalid)$/),
      ])
    }
  }
  expect(await own.run('tree', { at: null })).toEqual(before)
  expect(readdirSync(join((await own.computer()).folder, PLACES.tree))).toEqual(['own.txt'])
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  await own.close()
})

test('folders 500 deep are made, moved, removed and brought back', async () => {
  const own = openTestHome(temporaryFolder())
  const deep = 'd/'.repeat(500)
  await own.run('files.change', {
    operations: [write(`${deep}file.txt`, 'deep'), { op: 'folder', path: path(`${deep}empty`) }],
  })
  const { hash } = await own.run('tree', { at: null })
  await own.run('files.change', { operations: [{ op: 'move', path: path('d'), to: path('e') }] })
  await own.run('undo', undoNewest)
  expect((await own.run('tree', { at: null })).hash).toBe(hash)
  await expect(
    own.run('files.change', { operations: [{ op: 'move', path: path('d'), to: path('x'.repeat(100)) }] }),
  ).rejects.toMatchObject({
    code: 'path.invalid',
  })
  await own.run('files.change', { operations: [{ op: 'remove', path: path('d') }] })
  await own.run('undo', undoNewest)
  expect((await own.run('tree', { at: null })).hash).toBe(hash)
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  await own.close()
})

test('a file, an event or a computer over its limit is refused and leaves nothing', async () => {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', { operations: [write('own.txt', 'mine')] })
  const before = await own.run('tree', { at: null })
  const computer = await own.computer()
  async function* tooMuch() {
    for (let left = LIMITS.objectBytesMax + 1; left > 0; left -= 16 * 1024 * 1024)
      yield Buffer.alloc(Math.min(left, 16 * 1024 * 1024))
  }
  await expect(computer.objects.put(tooMuch())).rejects.toMatchObject({ code: 'file.too-large' })
  expect(readdirSync(join(computer.folder, PLACES.objects))).toEqual([])
  await expect(own.run('checkpoint', { name: 'x'.repeat(201) })).rejects.toMatchObject({ code: 'request.invalid' })
  await expect(own.run('window.open', { window: 'w', app: 'x'.repeat(201), title: 't' })).rejects.toMatchObject({
    code: 'request.invalid',
  })
  expect(await own.run('tree', { at: null })).toEqual(before)
  await own.close()
})

test('text that is no Unicode in one command does not harm the commands beside it', async () => {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', { operations: [write('own.txt', 'mine')] })
  const outcomes = await Promise.allSettled([
    own.run('files.change', { operations: [write('a', 'a')] }),
    own.run('window.open', { window: 'w', app: 'writer', title: '\ud800' }),
    own.run('files.change', { operations: [write('b', 'b')] }),
    own.run('checkpoint', { name: '\udfff' }),
    own.run('files.change', { operations: [write('c', 'c')] }),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as ChoirError).code] : [],
  )
  expect(refusals).toEqual(['request.invalid', 'request.invalid'])
  await own.close()
})

test('a decision that fails as nobody foresaw fails alone', async () => {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', { operations: [write('own.txt', 'mine')] })
  const computer = await own.computer()
  const bug = () => {
    throw new TypeError('a bug')
  }
  const outcomes = await Promise.allSettled([
    own.run('files.change', { operations: [write('a', 'a')] }),
    computer.append(bug),
    own.run('files.change', { operations: [write('b', 'b')] }),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  await own.close()
})
