import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { choirHere, startSupervisor } from '../support/choir.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'
import { exportOf, importCopy } from '../support/transfer.ts'
import { write } from './damage.ts'
import { filesBelow } from './flipped-home.ts'

removeFoldersAfterEach()

const path = (text: string) => text as TreePath
const at = (seq: number) => seq as Seq

/** A snapshot that is being taken has files that come and go. */
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** Files of a home that hold these bytes, wherever they hide. */
function holders(home: string, secret: string): string[] {
  return filesBelow(home)
    .filter((file) => readIfThere(file).includes(secret))
    .map((file) => file.slice(home.length + 1))
}

async function erase(own: TestHome, name: string): Promise<void> {
  const { objects } = await own.run('erase.preview', { path: path(name) })
  await own.run('erase', { objects, reason: 'private' })
}

describe('erased bytes', () => {
  for (const [kind, padding] of [
    ['small', 100],
    ['middling', 30_000],
    ['large', 300_000],
  ] as const) {
    test(`of a ${kind} file are nowhere in the home any more, while everything else still is`, async () => {
      const home = temporaryFolder()
      const own = openTestHome(home, { snapshotEveryEvents: 5 })
      const secrets = Array.from({ length: 4 }, (_, index) => `SECRET-${index}-${randomBytes(12).toString('hex')}`)
      // Among many others, so that pages of the log are split, merged and used again.
      for (let round = 0; round < 4; round++) {
        const others = Array.from({ length: 40 }, (_, index) =>
          write(`other/${round}-${index}.txt`, `${round} ${index} `.repeat(50 + 37 * index)),
        )
        const from =
          (await own.run('files.stat', { path: path('secret.txt'), at: null }).catch(() => ({ entry: null }))).entry
            ?.object ?? null
        const text = `${'.'.repeat(padding)}${secrets[round]}${'.'.repeat(padding)}`
        await own.run('files.change', {
          operations: [...others, { op: 'write', path: path('secret.txt'), content: { text }, from }],
        })
        await own.run('checkpoint', { name: `round ${round}` })
      }
      await own.run('files.change', { operations: [{ op: 'remove', path: path('other/0-7.txt') }] })
      expect(secrets.map((secret) => holders(home, secret).length > 0)).toEqual([true, true, true, true])
      await erase(own, 'secret.txt')
      for (const secret of secrets) expect(holders(home, secret)).toEqual([])
      expect(await own.run('verify', {})).toMatchObject({ ok: true, problems: [] })
      await own.run('files.change', { operations: [write('after.txt', 'after')] })
      await own.close()
      for (const secret of secrets) expect(holders(home, secret)).toEqual([])
      const again = openTestHome(home)
      expect(Object.keys((await again.run('tree', { at: null })).files)).toHaveLength(160)
      expect(await again.run('replay', { to: null })).toMatchObject({ matches: true })
      await again.close()
    })
  }

  test('are gone with the name the file had before it was renamed', async () => {
    const home = temporaryFolder()
    const own = openTestHome(home)
    await own.run('files.change', { operations: [write('draft.txt', 'FIRST-SECRET')] })
    const { entry } = await own.run('files.stat', { path: path('draft.txt'), at: null })
    const content = { text: 'SECOND-SECRET' }
    await own.run('files.change', {
      operations: [{ op: 'write', path: path('draft.txt'), content, from: entry?.object ?? null }],
    })
    await own.run('files.change', { operations: [{ op: 'move', path: path('draft.txt'), to: path('final.txt') }] })
    await own.run('files.change', { operations: [write('draft.txt', 'ANOTHER FILE')] })
    await erase(own, 'final.txt')
    await own.close()
    expect(holders(home, 'FIRST-SECRET')).toEqual([])
    expect(holders(home, 'SECOND-SECRET')).toEqual([])
    expect(holders(home, 'ANOTHER FILE')).not.toEqual([])
  })
})

test('a file that was renamed a thousand times is found under all of its names, quickly', async () => {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', { operations: [write('a.txt', 'first')] })
  const names = ['a.txt', 'b.txt', 'c.txt']
  for (let round = 0; round < 1000; round++) {
    const [from = '', to = ''] = [names[round % 3], names[(round + 1) % 3]]
    await own.run('files.change', { operations: [{ op: 'move', path: path(from), to: path(to) }] })
  }
  const startedMs = performance.now()
  expect((await own.run('erase.preview', { path: path('b.txt') })).objects).toHaveLength(1)
  expect(performance.now() - startedMs).toBeLessThan(2000)
  await own.close()
})

describe('across the hole that an erase leaves', () => {
  test('replay, export, import, fork, restore and undo go on, and say what cannot come back', async () => {
    const home = temporaryFolder()
    const own = openTestHome(home)
    await own.run('files.change', { operations: [write('secret.txt', 'SECRET-A'), write('kept.txt', 'kept')] }) // 2
    // 3
    await own.run('files.change', { operations: [{ op: 'move', path: path('secret.txt'), to: path('moved.txt') }] })
    await own.run('files.change', { operations: [{ op: 'remove', path: path('moved.txt') }] }) // 4
    await own.run('files.change', { operations: [write('later.txt', 'later')] }) // 5
    await erase(own, 'moved.txt') // 6
    expect(holders(home, 'SECRET-A')).toEqual([])

    expect(await own.run('verify', {})).toMatchObject({ ok: true, problems: [] })
    for (let to = 1; to <= 6; to++)
      expect((await own.run('replay', { to: at(to) })).tree).toBe((await own.run('tree', { at: at(to) })).hash)
    await expect(own.run('undo', { target: { kind: 'event', seq: at(4) }, tree: null })).rejects.toMatchObject({
      code: 'undo.conflict',
    })
    const restored = await own.run('restore', { to: at(2) })
    expect(restored.erased).toEqual(['secret.txt'])
    expect(Object.keys((await own.run('tree', { at: null })).files)).toEqual(['kept.txt'])
    await own.run('undo', { target: { kind: 'event', seq: restored.seq }, tree: null })
    expect(Object.keys((await own.run('tree', { at: null })).files)).toEqual(['kept.txt', 'later.txt'])

    await importCopy(own, await exportOf(own), 'imported')
    await own.run(
      'fork',
      { name: 'forked' as never, at: at(3) },
      { computer: (await own.computer(undefined, own.home.owner)).id },
    )
    for (const computer of ['imported', 'forked'])
      expect(await own.run('verify', {}, { computer })).toMatchObject({ ok: true, problems: [] })
    await own.close()
  })

  test('the same bytes written again are a file like any other', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('files.change', { operations: [write('a.txt', 'the same')] })
    await erase(own, 'a.txt')
    await own.run('files.change', { operations: [write('b.txt', 'the same')] })
    const computer = await own.computer()
    await own.close()
    const again = openTestHome(own.home.folder)
    expect(readFileSync(join(computer.folder, 'tree', 'b.txt'), 'utf8')).toBe('the same')
    expect(await again.run('verify', {})).toMatchObject({ ok: true, problems: [] })
    await importCopy(again, await exportOf(again), 'copy')
    expect(await again.run('verify', {}, { computer: 'copy' })).toMatchObject({ ok: true })
    await again.close()
  })

  test('erasing what is not a file of this computer is refused', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('files.change', {
      operations: Array.from({ length: 600 }, (_, index) => write(`many/${index}`, `${index}`)),
    })
    await expect(own.run('erase', { objects: ['0'.repeat(64) as never], reason: '' })).rejects.toMatchObject({
      code: 'object.missing',
    })
    const [{ manifest } = { manifest: null }] = (await (await own.computer()).log.read({ after: 1, limit: 1 })).map(
      (stored) => (JSON.parse(stored.bytes.toString()) as { data: { manifest: string } }).data,
    )
    await expect(own.run('erase', { objects: [manifest as never], reason: '' })).rejects.toMatchObject({
      code: 'request.refused',
    })
    await expect(own.run('erase.preview', { path: path('never') })).rejects.toMatchObject({ code: 'path.unknown' })
    await expect(own.run('erase', { objects: [], reason: '' })).rejects.toMatchObject({ code: 'request.invalid' })
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    await own.close()
  })
})

test('the command line erases only when told so twice, and then for good', async () => {
  const home = temporaryFolder()
  const supervisor = await startSupervisor(home)
  const secret = `SECRET-${randomBytes(12).toString('hex')}`
  await choirHere(home, ['write', 'secret.txt'], secret)
  await choirHere(home, ['write', 'copy.txt'], secret)
  await choirHere(home, ['checkpoint', 'with it'])
  // Another file holds the same bytes today: taking them would take that file, which nobody asked for.
  const refused = await choirHere(home, ['erase', 'secret.txt', '--yes'])
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('copy.txt holds the same bytes')])
  await choirHere(home, ['rm', 'copy.txt'])
  const asked = await choirHere(home, ['erase', 'secret.txt'])
  expect([asked.code, asked.text]).toEqual([1, expect.stringContaining('Say --yes')])
  expect((await choirHere(home, ['cat', 'secret.txt'])).text).toBe(secret)
  const done = await choirHere(home, ['erase', 'secret.txt', '--yes', '--reason', 'private'])
  expect([done.code, done.error]).toEqual([0, ''])
  expect(holders(home, secret)).toEqual([])
  expect((await choirHere(home, ['cat', 'secret.txt', '--at', '2', '--json'])).json()).toMatchObject({
    error: { code: 'object.erased' },
  })
  expect((await choirHere(home, ['erase', 'secret.txt', '--yes', '--json'])).json()).toMatchObject({
    error: { code: 'path.unknown' },
  })
  expect((await choirHere(home, ['verify'])).code).toBe(0)
  expect(await supervisor.stop()).toBe(0)
  expect(holders(home, secret)).toEqual([])
  expect(existsSync(join(home, 'tmp'))).toBe(true)
})
