import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { ComputerName } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { findFileAt } from '@choiros/supervisor/commands/files.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { choirHere } from '../support/choir.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'
import { seedOf } from '../support/random.ts'
import { exportOf, importCopy } from '../support/transfer.ts'
import { fillHome, flipBit, write } from './damage.ts'
import { bugsOf, liveWithFlip, makeTemplate } from './flipped-home.ts'
import { createSeeded } from './seeded.ts'

removeFoldersAfterEach()

const path = (text: string) => text as TreePath
const quiet = { warn: () => {} }
const read = async (own: TestHome, name: string) => {
  const computer = await own.computer()
  return computer.objects.get(findFileAt(computer, path(name), null).object)
}

async function filled(): Promise<{ folder: string; place: string; tree: string }> {
  const folder = temporaryFolder()
  const own = openTestHome(folder)
  await fillHome(own)
  const { hash } = await own.run('tree', { at: null })
  const place = (await own.computer()).folder
  await own.close()
  return { folder, place, tree: hash }
}

describe('a damaged large object', () => {
  const spoil = (place: string) => {
    const folder = join(place, PLACES.objects)
    const large = readdirSync(folder).find((name) => statSync(join(folder, name)).size === 200_000) ?? ''
    const whole = readFileSync(join(folder, large))
    flipBit(join(folder, large), createSeeded(1))
    return whole
  }

  test('is never given out, harms no other file, and is whole again when the same bytes are written again', async () => {
    const { folder, place } = await filled()
    const whole = spoil(place)
    const own = openTestHome(folder, quiet)
    await expect(read(own, 'artifacts/large.bin')).rejects.toMatchObject({ code: 'object.corrupt' })
    expect((await read(own, 'artifacts/a.txt')).toString()).toBe('one\ntwo\nthree\n')
    expect(await own.run('verify', {})).toMatchObject({ ok: false, problems: [{ code: 'object.corrupt' }] })
    const content = { base64: whole.toString('base64') }
    await own.run('files.change', {
      operations: [{ op: 'write', path: path('artifacts/copy.bin'), content, from: null }],
    })
    expect((await read(own, 'artifacts/large.bin')).equals(whole)).toBe(true)
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    await own.close()
  })

  test('does not keep the computer from opening where its files are gone as well', async () => {
    const { folder, place } = await filled()
    spoil(place)
    rmSync(join(place, PLACES.tree), { recursive: true })
    const own = openTestHome(folder, quiet)
    await own.run('files.change', { operations: [write('artifacts/new.txt', 'new')] })
    expect(existsSync(join(place, PLACES.tree, 'artifacts/many/7.txt'))).toBe(true)
    expect(existsSync(join(place, PLACES.tree, 'artifacts/new.txt'))).toBe(true)
    expect(existsSync(join(place, PLACES.tree, 'artifacts/large.bin'))).toBe(false)
    expect(await own.run('verify', {})).toMatchObject({ ok: false })
    await own.close()
  })

  test('can be erased, after which the rest can be exported and imported', async () => {
    const { folder, place } = await filled()
    spoil(place)
    const own = openTestHome(folder, quiet)
    await expect(exportOf(own)).rejects.toMatchObject({ code: 'object.corrupt' })
    const { objects } = await own.run('erase.preview', { path: path('artifacts/large.bin') })
    await own.run('erase', { objects, reason: 'damaged' })
    expect(await own.run('verify', {})).toMatchObject({ ok: true, problems: [] })
    await importCopy(own, await exportOf(own), 'copy')
    await own.close()
  })
})

test('a damaged event is shown by nobody: whoever reads the log is told where it is damaged', async () => {
  const { folder, place } = await filled()
  const db = new Database(join(place, PLACES.log))
  db.prepare(
    "UPDATE event SET bytes = CAST(replace(CAST(bytes AS TEXT), 'a.txt', 'b.txt') AS BLOB) WHERE seq = 2",
  ).run()
  db.close()
  const outcome = await choirHere(folder, ['events', '--json'])
  const lines = outcome.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq?: number; error?: { code: string } })
  expect([outcome.code, lines.map(({ seq, error }) => seq ?? error?.code)]).toEqual([1, [1, 'log.corrupt']])
  expect((await choirHere(folder, ['verify'])).code).toBe(1)
})

test('a damaged small object is never given out and is whole again when the same bytes are written again', async () => {
  const { folder, place } = await filled()
  const db = new Database(join(place, PLACES.log))
  db.prepare('UPDATE object SET bytes = ? WHERE bytes = ?').run(
    Buffer.from('one\ntwo\nthere\n'),
    Buffer.from('one\ntwo\nthree\n'),
  )
  db.close()
  const own = openTestHome(folder, quiet)
  await expect(read(own, 'artifacts/a.txt')).rejects.toMatchObject({ code: 'object.corrupt' })
  expect(await own.run('verify', {})).toMatchObject({ ok: false, problems: [{ code: 'object.corrupt' }] })
  await own.run('files.change', { operations: [write('artifacts/again.txt', 'one\ntwo\nthree\n')] })
  expect((await read(own, 'artifacts/a.txt')).toString()).toBe('one\ntwo\nthree\n')
  expect(await own.run('verify', {})).toMatchObject({ ok: true })
  await own.close()
})

test('files on disk that are not what the log says are put right by verify, which says so', async () => {
  const { folder, place } = await filled()
  const at = (name: string) => join(place, PLACES.tree, name)
  writeFileSync(at('artifacts/a.txt'), 'flipped')
  chmodSync(at('artifacts/many/1.txt'), 0o755)
  rmSync(at('artifacts/many/2.txt'))
  rmSync(at('artifacts/many/3.txt'))
  mkdirSync(at('artifacts/many/3.txt/inside'), { recursive: true })
  rmSync(at('artifacts/link'))
  cpSync(at('artifacts/many'), at('artifacts/link'), { recursive: true })
  writeFileSync(at('artifacts/stranger'), 'not in the log')
  writeFileSync(Buffer.concat([Buffer.from(at('artifacts/')), Buffer.from([0xff, 0xfe])]), 'a name that is not UTF-8')
  const own = openTestHome(folder, quiet)
  const { ok, mended } = await own.run('verify', {})
  expect(ok).toBe(true)
  expect(mended).toContain('artifacts/a.txt: different')
  expect(mended).toContain('artifacts/stranger: not in the log')
  expect(readFileSync(at('artifacts/a.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
  expect(readFileSync(at('artifacts/many/3.txt'), 'utf8')).toBe('file 3\n'.repeat(20))
  expect(readFileSync(at('artifacts/link'), 'utf8')).toBe('one\ntwo\nthree\n')
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  await own.close()
})

test('a folder that becomes a file in one event, and the file that becomes a folder again, are so on disk', async () => {
  const folder = temporaryFolder()
  const own = openTestHome(folder)
  await own.run('files.change', { operations: [write('a/b/one.txt', 'one'), write('a/b/two.txt', 'two')] })
  const place = join((await own.computer()).folder, PLACES.tree)
  await own.run('files.change', { operations: [{ op: 'remove', path: path('a/b') }, write('a/b', 'a file now')] })
  expect(readFileSync(join(place, 'a/b'), 'utf8')).toBe('a file now')
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  await own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null })
  expect(readFileSync(join(place, 'a/b/two.txt'), 'utf8')).toBe('two')
  await own.run('files.change', {
    operations: [
      { op: 'remove', path: path('a') },
      { op: 'link', path: path('a'), target: 'elsewhere', from: null },
    ],
  })
  expect(readdirSync(place)).toEqual(['a'])
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  await own.close()
})

describe('a damaged file of the home', () => {
  test('computer.json: the log knows whose computer it is, and what it is called', async () => {
    const folder = temporaryFolder()
    const first = openTestHome(folder)
    for (const name of ['one', 'two']) await first.run('computer.add', { name: ComputerName.parse(name) })
    await first.run('fork', { name: ComputerName.parse('three'), at: null }, { computer: 'one' })
    const before = await first.run('computer.list', {})
    await first.close()
    const [one, three, two] = before.map(({ id }) => join(folder, 'computers', id, 'computer.json'))
    writeFileSync(one ?? '', '{"id":')
    writeFileSync(two ?? '', readFileSync(two ?? '', 'utf8').replace('"id"', '"ie"'))
    rmSync(three ?? '')
    const own = openTestHome(folder)
    const after = await own.run('computer.list', {})
    expect(after.map(({ id, name, user }) => ({ id, name, user }))).toEqual(
      before.map(({ id, name, user }) => ({ id, name, user })),
    )
    for (const computer of ['one', 'two', 'three'])
      expect(await own.run('verify', {}, { computer })).toMatchObject({ ok: true })
    await own.close()
  })

  test('computer.json and owner: a flipped bit that leaves a valid name or id is found too', async () => {
    const folder = temporaryFolder()
    const first = openTestHome(folder)
    for (const name of ['one', 'two']) await first.run('computer.add', { name: ComputerName.parse(name) })
    const before = await first.run('computer.list', {})
    const owner = first.home.owner
    await first.close()
    const [one = '', two = ''] = before.map(({ id }) => join(folder, 'computers', id, 'computer.json'))
    const exchange = (file: string, text: string, other: string) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace(text, other))
    const other = `${owner.startsWith('b') ? 'c' : 'b'}${owner.slice(1)}`
    exchange(one, owner, other)
    exchange(two, '"two"', '"tvo"')
    const own = openTestHome(folder)
    expect((await own.run('computer.list', {})).map(({ name }) => name)).toEqual(['one', 'two'])
    await own.close()
    for (const half of [owner, sha256(owner)]) {
      exchange(join(folder, 'owner'), half, `${half.startsWith('b') ? 'c' : 'b'}${half.slice(1)}`)
      const again = openTestHome(folder)
      expect(again.home.owner).toBe(owner)
      await again.close()
    }
  })

  test('computer.json and owner of an older release are read as they are, and have their sums from then on', async () => {
    const folder = temporaryFolder()
    const first = openTestHome(folder)
    await first.run('computer.add', { name: ComputerName.parse('one') })
    const [{ id } = { id: '' }] = await first.run('computer.list', {})
    const owner = first.home.owner
    await first.close()
    const files = [join(folder, 'computers', id, 'computer.json'), join(folder, 'owner')] as const
    const whole = files.map((file) => readFileSync(file, 'utf8'))
    writeFileSync(files[0], whole[0]!.replace(/,"sum":"\w+"/, ''))
    writeFileSync(files[1], owner)
    const own = openTestHome(folder)
    expect((await own.run('computer.list', {})).map(({ name }) => name)).toEqual(['one'])
    await own.close()
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(whole)
  })

  for (const [name, text] of [
    ['owner', 'No Such Owner'],
    ['keys/signing.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
  ] as const) {
    test(`${name}: one sentence says which file it is`, async () => {
      const { folder } = await filled()
      writeFileSync(join(folder, name), text)
      const error: unknown = await Promise.resolve()
        .then(() => openTestHome(folder))
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ChoirError)
      expect(error).toMatchObject({ code: 'home.unusable', message: expect.stringContaining(name) as string })
    })
  }

  test('token: a new one is made, for nobody can use the damaged one', async () => {
    const { folder } = await filled()
    const token = readFileSync(join(folder, 'token'), 'utf8')
    for (const spoiled of ['', '\0\0', `${token}\n`, 'ü'.repeat(43)]) {
      writeFileSync(join(folder, 'token'), spoiled)
      const own = openTestHome(folder)
      expect(own.home.token).toMatch(/^[\w-]{43}$/)
      expect(readFileSync(join(folder, 'token'), 'utf8')).toBe(own.home.token)
      await own.close()
    }
  })
})

test('a value of the tables that has become one of another type is no reason to refuse anything: they are made again', async () => {
  const { folder, place, tree } = await filled()
  const file = join(place, PLACES.state)
  rmSync(`${file}.seal`) // As after a crash: nothing vouches for them.
  const strict = (db: Database.Database, from: string, to: string) => {
    db.unsafeMode().pragma('writable_schema = ON')
    db.prepare("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'file'").run(from, to)
    db.close()
  }
  strict(new Database(file), 'STRICT, WITHOUT', 'WITHOUT')
  const loose = new Database(file)
  expect(loose.prepare("UPDATE file SET object = x'63' WHERE path = 'artifacts/a.txt'").run().changes).toBe(1)
  strict(loose, ') WITHOUT', ') STRICT, WITHOUT')
  const own = openTestHome(folder, quiet)
  expect(await own.run('files.stat', { path: path('artifacts/a.txt'), at: null })).toMatchObject({
    entry: { kind: 'file' },
  })
  expect((await own.run('tree', { at: null })).hash).toBe(tree)
  expect((await read(own, 'artifacts/a.txt')).toString()).toBe('one\ntwo\nthree\n')
  await own.close()
})

const seed = seedOf('flipped bytes')
test(
  `random bits of log and tables: whole, or refused with a code while verify says no (seed ${seed})`,
  { timeout: 120_000 },
  async () => {
    const template = await makeTemplate()
    const random = createSeeded(seed)
    const wrong: string[] = []
    for (let round = 0; round < 6; round++) {
      const inLog = round % 2 === 0
      const verdict = await liveWithFlip(template, (place) => [join(place, inLog ? PLACES.log : PLACES.state)], random)
      wrong.push(...bugsOf(verdict))
      if (verdict.verify?.ok !== false && verdict.tree !== template.tree)
        wrong.push(`${verdict.where}: another tree, and verify is content`)
      if (!inLog && verdict.verify?.ok !== true) wrong.push(`${verdict.where}: ${JSON.stringify(verdict.verify)}`)
      if (!verdict.other.ok) wrong.push(`${verdict.where}: the other computer is harmed`)
    }
    expect(wrong).toEqual([])
  },
)
