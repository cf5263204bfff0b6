import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { importCopy, exportOf } from '../support/transfer.ts'
import { base, change, file, forgeExport, link, object, type ForgedEvent } from './forged-export.ts'
import { seedOf } from '../support/random.ts'
import { createSeeded } from './seeded.ts'
import { fillHome, refusedImport } from './damage.ts'

removeFoldersAfterEach()

const path = (text: string) => text as TreePath
const at = (seq: number) => seq as Seq

describe('a file that is no export of ours is refused with a code and leaves nothing behind', () => {
  const make = (bytes: Buffer | string) => {
    const name = join(temporaryFolder(), 'file')
    writeFileSync(name, bytes)
    return name
  }
  const FILES: readonly (readonly [string, () => string])[] = [
    ['an empty file', () => make('')],
    ['a text', () => make('hello'.repeat(100))],
    ['random bytes', () => make(createSeeded(7).bytes(10_000))],
    ['a header and nothing else', () => make('SQLite format 3\0')],
    [
      'a header and random bytes',
      () => make(Buffer.concat([Buffer.from('SQLite format 3\0'), createSeeded(8).bytes(8000)])),
    ],
    [
      'a database of somebody else',
      () => {
        const name = join(temporaryFolder(), 'other.sqlite')
        new Database(name).exec('CREATE TABLE music (title TEXT); INSERT INTO music VALUES (1)').close()
        return name
      },
    ],
    [
      'the log of a computer',
      () => {
        const name = join(temporaryFolder(), 'log.sqlite')
        new Database(name)
          .exec('CREATE TABLE event (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, bytes BLOB NOT NULL) STRICT')
          .close()
        return name
      },
    ],
  ]
  for (const [name, build] of FILES) {
    test(`refused: ${name}`, async () => {
      const own = openTestHome(temporaryFolder())
      expect((await refusedImport(own, build())).code).toMatch(/^import\.(foreign|corrupt)$/)
      await own.close()
    })
  }

  test('an export that was cut off anywhere', async () => {
    const own = openTestHome(temporaryFolder())
    await fillHome(own)
    const whole = await exportOf(own)
    const { length } = readFileSync(whole)
    for (const size of [1, 15, 16, 99, 100, 4095, 4096, 4097, length / 2, length - 4097, length - 4096, length - 1].map(
      Math.floor,
    )) {
      const cut = join(temporaryFolder(), 'cut')
      copyFileSync(whole, cut)
      truncateSync(cut, size)
      expect((await refusedImport(own, cut)).code).toMatch(/^import\.(foreign|corrupt)$/)
    }
    await own.close()
  })
})

const seed = seedOf('flipped exports')
test(`an export with a flipped byte is refused with a code, or is imported as it was (seed ${seed})`, async () => {
  const own = openTestHome(temporaryFolder())
  await fillHome(own)
  const whole = await exportOf(own)
  const { hash } = await own.run('tree', { at: null })
  const random = createSeeded(seed)
  const bytes = readFileSync(whole)
  const refusals: string[] = []
  const trees: string[] = []
  for (let round = 0; round < 25; round++) {
    const flipped = Buffer.from(bytes)
    const position = random.below(flipped.length)
    flipped[position] = (flipped[position] ?? 0) ^ (1 << random.below(8))
    const name = join(temporaryFolder(), 'flipped')
    writeFileSync(name, flipped)
    const outcome = await importCopy(own, name, `flipped-${round}`).then(
      ({ name: made }) => made,
      (error: unknown) => error,
    )
    if (typeof outcome === 'string') trees.push((await own.run('tree', { at: null }, { computer: outcome })).hash)
    else refusals.push(outcome instanceof ChoirError ? outcome.code : String(outcome))
    expect(readdirSync(join(own.home.folder, 'tmp'))).toEqual([whole.split('/').at(-1)])
  }
  expect(new Set([hash, ...trees])).toEqual(new Set([hash]))
  expect(refusals.filter((code) => !/^import\.(foreign|corrupt)$|^event\.newer$/.test(code))).toEqual([])
  await own.close()
})

describe('what is unusual but right is imported as it is:', () => {
  const hello = object('hello')
  const note = (data: Record<string, unknown>): ForgedEvent => ({ type: 'citation.create', data })

  test('events of unknown types are kept and skipped', async () => {
    const own = openTestHome(temporaryFolder())
    const forged = forgeExport({
      events: [
        base,
        note({ text: 'x'.repeat(500_000) }),
        note({ changes: [{ path: '../../etc' }], a: [{ b: [null, 1.5] }] }),
        note({}),
      ],
    })
    await importCopy(own, forged)
    const computer = await own.computer()
    const types = (await computer.log.read({ after: 0, limit: 10 })).map(
      (stored) => (JSON.parse(stored.bytes.toString()) as { type: string }).type,
    )
    expect(types).toEqual(['base.install', 'citation.create', 'citation.create', 'citation.create', 'fork'])
    expect(await own.run('verify', {})).toMatchObject({ ok: true, problems: [] })
    expect((await own.run('tree', { at: null })).files).toEqual({})
    await own.close()
  })

  test('a large object of an event that is no file is still there a week later', async () => {
    const folder = temporaryFolder()
    const own = openTestHome(folder)
    const text = object('word '.repeat(50_000))
    const message = {
      type: 'message',
      data: { conversation: 'c', role: 'user', text: 'word', object: text.hash, signature: null, wishes: [] },
    }
    await importCopy(
      own,
      forgeExport({ events: [base, message, note({ object: hello.hash })], objects: [text, hello] }),
    )
    await own.computer()
    await own.close()
    const later = openTestHome(folder, { now: () => Date.now() + 7 * 24 * 60 * 60 * 1000 })
    expect(await later.run('verify', {})).toMatchObject({ ok: true, objects: 2 })
    await later.close()
  })

  test('a symlink to a symlink that stays inside', async () => {
    const own = openTestHome(temporaryFolder())
    await importCopy(
      own,
      forgeExport({
        events: [
          base,
          change({ path: 'a/b/up', to: link('..') }),
          change({ path: 'a/in', to: link('b/up/b') }, { path: 'loop', to: link('loop') }),
        ],
        objects: [object('..'), object('b/up/b'), object('loop')],
      }),
    )
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    await own.close()
  })

  test('a hole that the log itself explains', async () => {
    const own = openTestHome(temporaryFolder())
    const erase = {
      type: 'erase',
      data: {
        ...(change({ path: 'a', from: file('hello'), to: null }).data as object),
        objects: [hello.hash],
        tree: sha256(''),
        reason: '',
      },
    }
    await importCopy(own, forgeExport({ events: [base, change({ path: 'a', to: file('hello') }), erase] }))
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    await expect(own.run('undo', { target: { kind: 'event', seq: at(3) }, tree: null })).rejects.toMatchObject({
      code: 'undo.conflict',
    })
    await own.close()
  })

  test('but not a path that leads into a hole', async () => {
    const own = openTestHome(temporaryFolder())
    const erase = {
      type: 'erase',
      data: { changes: [], manifest: null, objects: [hello.hash], tree: sha256(''), reason: '' },
    }
    const forged = forgeExport({ events: [base, change({ path: 'a', to: file('hello') }), erase], objects: [hello] })
    expect((await refusedImport(own, forged)).code).toBe('import.corrupt')
    await own.close()
  })
})

test('a fork from before an erase has the hole, says so in its own log, and is whole otherwise', async () => {
  const own = openTestHome(temporaryFolder())
  const write = (name: string, text: string) =>
    own.run(
      'files.change',
      { operations: [{ op: 'write', path: path(name), content: { text }, from: null }] },
      { computer: 'first' },
    )
  await own.run('computer.add', { name: 'first' as never })
  await write('secret.txt', 'the secret')
  await write('kept.txt', 'kept')
  const { objects } = await own.run('erase.preview', { path: path('secret.txt') }, { computer: 'first' })
  await own.run('erase', { objects, reason: 'private' }, { computer: 'first' })
  await own.run('fork', { name: 'second' as never, at: at(3) }, { computer: 'first' })
  const { files } = await own.run('tree', { at: null }, { computer: 'second' })
  expect(Object.keys(files)).toEqual(['kept.txt'])
  expect(await own.run('verify', {}, { computer: 'second' })).toMatchObject({ ok: true, problems: [] })
  const again = await exportOf(own, 'second')
  await importCopy(own, again, 'third')
  expect(await own.run('verify', {}, { computer: 'third' })).toMatchObject({ ok: true, problems: [] })
  await own.close()
})
