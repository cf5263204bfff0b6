import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { choirHere } from '../support/choir.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { write } from './damage.ts'

removeFoldersAfterEach()

const quiet = { warn: () => {} }
const folderOf = (home: string) => join(home, 'computers', readdirSync(join(home, 'computers'))[0] ?? '')
const placeOf = (home: string, place: keyof typeof PLACES) => join(folderOf(home), PLACES[place])
const walOf = (home: string) => `${placeOf(home, 'log')}-wal`

/**
 * A home as a kill -9 leaves it: copied while it is open, after everything was acknowledged. The first part of its log
 * is out of the write-ahead file.
 */
async function killedHome(events = 12): Promise<{ folder: string; tree: string; head: number }> {
  const folder = temporaryFolder()
  const first = openTestHome(folder, quiet)
  await first.run('files.change', {
    operations: [write('artifacts/early.txt', 'early\n'), write('artifacts/changed.txt', 'before\n')],
  })
  await first.close()
  const own = openTestHome(folder, quiet)
  for (let index = 0; index < events; index++)
    await own.run('files.change', { operations: [write(`artifacts/${index}.txt`, `file ${index}\n`)] })
  const { hash } = await own.run('tree', { at: null })
  const head = (await own.computer()).head().seq
  await new Promise((resolve) => setTimeout(resolve, 50)) // The tables are committed after a while.
  const killed = join(temporaryFolder(), 'home')
  cpSync(folder, killed, { recursive: true })
  await own.close()
  return { folder: killed, tree: hash, head }
}

const DAMAGES: Readonly<Record<string, (home: string) => void>> = {
  'removed': (home) => rmSync(walOf(home)),
  'cut': (home) => truncateSync(walOf(home), Math.floor(statSync(walOf(home)).size / 3)),
  'cut to nothing': (home) => truncateSync(walOf(home), 0),
  'with one byte flipped': (home) => {
    const bytes = readFileSync(walOf(home))
    bytes[5000] = (bytes[5000] ?? 0) ^ 1
    writeFileSync(walOf(home), bytes)
  },
}

describe('acknowledged events that are gone with the write-ahead file', () => {
  for (const [how, spoil] of Object.entries(DAMAGES)) {
    test(`${how}: it is said, nothing more is written and no file is deleted`, async () => {
      const { folder, head } = await killedHome()
      spoil(folder)
      const own = openTestHome(folder, quiet)
      await expect(own.run('tree', { at: null })).rejects.toMatchObject({
        code: 'log.truncated',
        details: { known: head },
      })
      expect(await own.run('verify', {})).toMatchObject({ ok: false, problems: [{ code: 'log.truncated' }] })
      await own.close()
      for (let index = 0; index < 12; index++)
        expect(existsSync(join(placeOf(folder, 'tree'), `artifacts/${index}.txt`))).toBe(true)
    })
  }
})

describe('[L3] a loss that something else knows of', () => {
  /** Everything but one witness is taken away, so that it stands alone. */
  const WITNESSES: Readonly<Record<string, readonly (keyof typeof PLACES | 'heads')[]>> = {
    'the record of this home': ['state', 'treeCursor', 'head'],
    'the tables': ['heads', 'treeCursor', 'head'],
    'the files': ['heads', 'state', 'head'],
  }
  for (const [who, others] of Object.entries(WITNESSES)) {
    test(`is found by ${who} alone`, async () => {
      const { folder } = await killedHome()
      rmSync(walOf(folder))
      for (const other of others) {
        if (other === 'heads') rmSync(join(folder, 'heads'), { recursive: true })
        else for (const suffix of ['', '-wal', '-shm']) rmSync(placeOf(folder, other) + suffix, { force: true })
      }
      const own = openTestHome(folder, quiet)
      await expect(own.run('tree', { at: null })).rejects.toMatchObject({
        code: 'log.truncated',
        message: expect.stringContaining(who) as string,
      })
      await own.close()
    })
  }

  test('is found by the record outside of it where an older copy of the whole folder takes its place', async () => {
    const folder = temporaryFolder()
    const first = openTestHome(folder, quiet)
    await first.run('files.change', { operations: [write('artifacts/early.txt', 'early\n')] })
    await first.close()
    const copy = join(temporaryFolder(), 'older')
    cpSync(folderOf(folder), copy, { recursive: true })
    const second = openTestHome(folder, quiet)
    await second.run('files.change', { operations: [write('artifacts/later.txt', 'later\n')] })
    await second.close()
    const place = folderOf(folder)
    rmSync(place, { recursive: true })
    cpSync(copy, place, { recursive: true })
    const own = openTestHome(folder, quiet)
    await expect(own.run('tree', { at: null })).rejects.toMatchObject({ code: 'log.truncated' })
    expect(await own.run('recover', {})).toMatchObject({ events: 0, changes: [], missing: [] })
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    await own.run('files.change', { operations: [write('artifacts/again.txt', 'again\n')] })
    await own.close()
    const again = openTestHome(folder, quiet)
    expect(await again.run('verify', {})).toMatchObject({ ok: true })
    await again.close()
  })
})

describe('a recovery', () => {
  for (const [how, spoil] of Object.entries(DAMAGES)) {
    test(`with the write-ahead file ${how} brings back every file, and the log says what was lost`, async () => {
      const { folder, tree, head } = await killedHome()
      spoil(folder)
      const own = openTestHome(folder, quiet)
      const plan = await own.run('recover.preview', {})
      expect(plan).toMatchObject({ known: head, missing: [] })
      expect(await own.run('recover.preview', {})).toEqual(plan)
      const done = await own.run('recover', {})
      expect(done).toMatchObject(plan)
      expect((await own.run('tree', { at: null })).hash).toBe(tree)
      expect(await own.run('verify', {})).toMatchObject({ ok: true, problems: [], mended: [] })
      await expect(own.run('recover', {})).rejects.toMatchObject({ code: 'request.refused' })
      await own.run('files.change', { operations: [write('artifacts/after.txt', 'after\n')] })
      await own.run('fork', { name: 'copy' as never, at: null })
      await own.close()
      const again = openTestHome(folder, quiet)
      expect(await again.run('verify', {}, { computer: 'copy' })).toMatchObject({ ok: true })
      await again.close()
    })
  }

  test('with one byte flipped puts the lost events back as they were', async () => {
    const { folder, head } = await killedHome()
    DAMAGES['with one byte flipped']?.(folder)
    const own = openTestHome(folder, quiet)
    const plan = await own.run('recover.preview', {})
    expect([plan.head + plan.events, plan.changes]).toEqual([head, []])
    expect(await own.run('recover', {})).toMatchObject({ seq: head })
    await own.close()
  })

  test('brings back what was changed and deleted, says which bytes are nowhere, and sees the next loss', async () => {
    const folder = temporaryFolder()
    const first = openTestHome(folder, quiet)
    await first.run('files.change', { operations: [write('artifacts/a.txt', 'a\n'), write('artifacts/b.txt', 'b\n')] })
    await first.close()
    const own = openTestHome(folder, quiet)
    const { entry } = await own.run('files.stat', { path: 'artifacts/a.txt' as never, at: null })
    await own.run('files.change', {
      operations: [{ ...write('artifacts/a.txt', 'a changed\n'), from: entry?.object ?? null } as never],
    })
    await own.run('files.change', { operations: [{ op: 'remove', path: 'artifacts/b.txt' as never }] })
    await own.run('files.change', { operations: [write('artifacts/gone.txt', 'gone\n')] })
    await (await own.computer()).shown()
    await new Promise((resolve) => setTimeout(resolve, 100)) // The tables are committed after a while.
    const killed = join(temporaryFolder(), 'home')
    cpSync(folder, killed, { recursive: true })
    await own.close()
    rmSync(walOf(killed))
    rmSync(join(placeOf(killed, 'tree'), 'artifacts/gone.txt'))
    const after = openTestHome(killed, quiet)
    expect(await after.run('recover', {})).toMatchObject({
      changes: [
        { path: 'artifacts/a.txt', does: 'change' },
        { path: 'artifacts/b.txt', does: 'delete' },
      ],
      missing: ['artifacts/gone.txt'],
    })
    expect(Object.keys((await after.run('tree', { at: null })).files)).toEqual(['artifacts/a.txt'])
    await after.run('files.change', { operations: [write('artifacts/next.txt', 'next\n')] })
    const again = join(temporaryFolder(), 'home')
    cpSync(killed, again, { recursive: true })
    await after.close()
    rmSync(walOf(again))
    const last = openTestHome(again, quiet)
    await expect(last.run('tree', { at: null })).rejects.toMatchObject({ code: 'log.truncated' })
    await last.close()
  })

  test('of a log that is gone as a whole begins it anew with every file', async () => {
    const { folder, tree } = await killedHome()
    for (const suffix of ['', '-wal', '-shm']) rmSync(placeOf(folder, 'log') + suffix, { force: true })
    const own = openTestHome(folder, quiet)
    await expect(own.run('tree', { at: null })).rejects.toMatchObject({ code: 'log.truncated' })
    await own.run('recover', {})
    expect((await own.run('tree', { at: null })).hash).toBe(tree)
    expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
    await own.close()
  })

  test('is refused where nothing is lost', async () => {
    const own = openTestHome(temporaryFolder(), quiet)
    await own.run('files.change', { operations: [write('a', 'a')] })
    await expect(own.run('recover.preview', {})).rejects.toMatchObject({ code: 'request.refused' })
    await own.close()
  })
})

test('a printed receipt finds an older copy of the whole home, and is told from a forged one', async () => {
  const folder = temporaryFolder()
  const first = openTestHome(folder, quiet)
  await first.run('files.change', { operations: [write('artifacts/early.txt', 'early\n')] })
  await first.close()
  const older = join(temporaryFolder(), 'home')
  cpSync(folder, older, { recursive: true })
  const own = openTestHome(folder, quiet)
  await own.run('files.change', { operations: [write('artifacts/later.txt', 'later\n')] })
  await own.close()
  const { code, text } = await choirHere(folder, ['receipt'])
  expect(code).toBe(0)
  expect(await choirHere(folder, ['receipt', '--check', '-'], text)).toMatchObject({
    code: 0,
    text: expect.stringContaining('it holds') as string,
  })
  const here = openTestHome(folder, quiet)
  const forged = text.replace(/event: \d+/, 'event: 2')
  expect(await here.run('receipt.check', { text: forged })).toMatchObject({
    holds: false,
    why: expect.stringContaining('signature') as string,
  })
  await expect(here.run('receipt.check', { text: 'nonsense' })).rejects.toMatchObject({ code: 'request.invalid' })
  await here.close()
  const there = openTestHome(older, quiet)
  expect(await there.run('receipt.check', { text })).toMatchObject({
    holds: false,
    why: expect.stringContaining('older copy') as string,
  })
  await there.close()
})
