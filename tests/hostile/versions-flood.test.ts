import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { choirHere } from '../support/choir.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'
import { write } from './damage.ts'
import { holding, rewrite } from './rewriting.ts'

removeFoldersAfterEach()

const MIB = 1024 * 1024
const DAY_MS = 24 * 60 * 60 * 1000
const path = (text: string) => text as TreePath
const QUOTAS = { ...LIMITS, versionsBytesMax: 8 * MIB }

/** Until somebody says no. Returns how often it went. */
async function flood(
  own: TestHome,
  name: string,
  size: number,
  caller: 'cli' | 'desktop',
): Promise<{ written: number; code: string }> {
  for (let written = 0; written < 1000; written++) {
    const code = await rewrite(own, name, randomBytes(size), caller).then(
      () => null,
      (error: { code: string }) => error.code,
    )
    if (code !== null) return { written, code }
  }
  return { written: 1000, code: 'never' }
}

const seqOf = async (own: TestHome) => (await own.computer()).head().seq

describe('[L8] [L11] a flood of versions', () => {
  test('[L11] ends at its quota; the person still writes a while, then deletes, undoes and makes room, and all goes on', async () => {
    const folder = temporaryFolder()
    const own = openTestHome(folder, { quotas: QUOTAS })
    await own.run('files.change', { operations: [write('own.txt', 'mine'), write('other.txt', 'other')] })
    await rewrite(own, 'large.bin', randomBytes(MIB))
    const looped = await flood(own, 'loop.bin', MIB / 2, 'desktop')
    expect(looped.code).toBe('quota.exceeded')
    expect(looped.written).toBeLessThanOrEqual(20)
    // A tenth is the person's.
    const before = await own.run('room', {})
    expect(before.versions.bytes).toBeGreaterThan(6 * MIB)
    expect(before.versions.bytes).toBeLessThanOrEqual(0.9 * 8 * MIB)
    await rewrite(own, 'own.txt', randomBytes(MIB / 4))
    expect(await flood(own, 'own.txt', MIB / 4, 'cli')).toMatchObject({ code: 'quota.exceeded' })
    await expect(
      own.run('files.change', { operations: [write('new.txt', 'new'.repeat(100_000))] }),
    ).resolves.toBeDefined() // Nothing old becomes of it.

    await own.run('files.change', { operations: [{ op: 'remove', path: path('loop.bin') }] })
    await own.run('files.change', { operations: [{ op: 'remove', path: path('large.bin') }] })
    expect((await own.run('room', {})).versions.bytes).toBeGreaterThan(8 * MIB)
    await expect(own.run('files.change', { operations: [write('more.txt', 'more')] })).rejects.toMatchObject({
      code: 'quota.exceeded',
    })
    await own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null })
    await own.run('redo', {})

    const young = await own.run('thin.preview', { olderThanMs: DAY_MS })
    expect(young).toEqual({ versions: 0, files: 0, bytes: 0, more: false })
    const plan = await own.run('thin.preview', { olderThanMs: 0 })
    expect(plan.bytes).toBeGreaterThan(0)
    const seq = await seqOf(own)
    const done = await own.run('thin', { olderThanMs: 0 })
    expect(done).toMatchObject({ seq: seq + 1, bytes: plan.bytes, versions: plan.versions })
    expect((await own.run('room', {})).versions.bytes).toBe(done.room.versions.bytes)
    await own.run('files.change', { operations: [write('more.txt', 'more')] })

    const totals = (await own.computer()).totals()
    expect(await own.run('verify', {})).toMatchObject({ ok: true, problems: [] })
    expect(await own.run('replay', { to: null })).toMatchObject({ matches: true })
    await own.close()
    const again = openTestHome(folder, { quotas: QUOTAS })
    expect((await again.computer()).totals()).toEqual(totals)
    await again.home.remake(await again.session())
    expect((await again.computer()).totals()).toEqual(totals)
    await again.close()
  })

  test('[L7] what was thinned says so to whoever wants it back; what checkpoints and the newest undos need is there', async () => {
    let nowMs = Date.now()
    const own = openTestHome(temporaryFolder(), { now: () => (nowMs += 1000) })
    const texts = Array.from({ length: 40 }, (_, index) => `version ${index}`)
    const events: Seq[] = []
    for (const text of texts) {
      events.push((await rewrite(own, 'a.txt', Buffer.from(text))).seq as Seq)
      if (text === 'version 8') await own.run('checkpoint', { name: 'mine' })
    }
    await own.run('thin', { olderThanMs: 0 })
    const [, second, third] = events as [Seq, Seq, Seq]
    await expect(own.run('undo', { target: { kind: 'event', seq: third }, tree: null })).rejects.toMatchObject({
      code: 'undo.conflict',
      message: expect.stringContaining('removed to make room'),
    })
    expect((await own.run('restore.preview', { to: second })).erased).toEqual(['a.txt'])
    expect((await own.run('restore.preview', { to: events[7] as Seq })).erased).toEqual(['a.txt'])
    // A checkpoint has all it had.
    expect((await own.run('restore.preview', { to: events[8] as Seq })).erased).toEqual([])
    for (let undo = 0; undo < 20; undo++)
      await own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null })
    expect(await holding(own, 'a.txt')).toBe(
      (await own.run('files.stat', { path: path('a.txt'), at: events[19] ?? null })).entry?.object,
    )
    const last = own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null })
    await expect(last).rejects.toMatchObject({
      message: expect.stringContaining('the version it had before was removed for good, to make room'),
    })
    await expect(last).rejects.not.toMatchObject({ message: expect.stringContaining('later work') })
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    await own.close()
  })

  test('[L11] the log ends too: programs first, then the person, who can still undo and delete', async () => {
    const own = openTestHome(temporaryFolder(), {
      quotas: { ...LIMITS, historyBytesMax: 60_000, historyReserveBytes: 100_000 },
    })
    await own.run('files.change', { operations: [write('a.txt', 'a')] })
    const fill = async (caller: 'frame' | 'desktop') => {
      for (let index = 0; index < 1000; index++) {
        const opened = own.run('window.open', { window: 'w', app: 'writer', title: 'x'.repeat(200) }, { caller })
        const code = await opened.then(
          () => null,
          (error: { code: string }) => error.code,
        )
        if (code !== null) return code
      }
      return 'never'
    }
    expect(await fill('desktop')).toBe('quota.exceeded')
    const programs = (await own.run('room', {})).history.bytes
    expect(programs).toBeLessThanOrEqual(54_000)
    expect(await fill('frame')).toBe('quota.exceeded')
    expect((await own.run('room', {})).history.bytes).toBeGreaterThan(programs)
    await own.run('files.change', { operations: [{ op: 'remove', path: path('a.txt') }] })
    await own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null })
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    await own.close()
  })
})

test('the command line shows the room, and thins only when told so twice', async () => {
  const home = temporaryFolder()
  const own = openTestHome(home)
  for (let index = 0; index < 30; index++) await rewrite(own, 'a.txt', Buffer.from(`${index}`.repeat(1000)))
  await own.close()
  expect((await choirHere(home, ['room'])).text).toMatch(/old versions:.*KiB of 4.0 GiB/)
  const asked = await choirHere(home, ['thin', '--older-than', '0h'])
  expect([asked.code, asked.text]).toEqual([1, expect.stringContaining('Say --yes')])
  const done = await choirHere(home, ['thin', '--older-than', '0h', '--yes'])
  expect([done.code, done.text]).toEqual([0, expect.stringContaining('given back')])
})

test('[L5] going back to a point whose versions were removed keeps what is there now, and says so before', async () => {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', {
    operations: [write('a.txt', 'old a'), write('b.txt', 'old b'), write('c.txt', 'same')],
  })
  await rewrite(own, 'a.txt', Buffer.from('new a'))
  await own.run('files.change', { operations: [{ op: 'remove', path: path('b.txt') }] })
  for (let index = 0; index < 30; index++)
    await own.run('files.change', { operations: [write(`k${index}.txt`, `k ${index}`)] })
  await own.run('thin', { olderThanMs: 0 })
  const preview = await own.run('restore.preview', { to: 2 as Seq })
  expect(preview.erased.toSorted()).toEqual(['a.txt', 'b.txt'])
  const done = await own.run('restore', { to: 2 as Seq })
  expect(done.erased.toSorted()).toEqual(['a.txt', 'b.txt'])
  const { files } = await own.run('tree', { at: null })
  expect(Object.keys(files).toSorted()).toEqual(['a.txt', 'c.txt'])
  expect(files['a.txt']?.object).toBe(sha256('new a'))
  await own.close()
})

test('a clock that once stood in the past makes nothing older than it is', async () => {
  let nowMs = Date.parse('2026-05-01')
  const own = openTestHome(temporaryFolder(), { now: () => nowMs })
  await own.run('files.change', { operations: [write('a.txt', 'version 0')] })
  for (let index = 1; index < 60; index++) {
    nowMs = index > 25 && index < 40 ? index : Date.parse('2026-05-01') + index
    await rewrite(own, 'a.txt', Buffer.from(`version ${index}`))
  }
  nowMs = Date.parse('2026-05-01') + 1000
  expect(await own.run('thin.preview', { olderThanMs: 30 * DAY_MS })).toMatchObject({ versions: 0 })
  expect((await own.run('thin.preview', { olderThanMs: 0 })).versions).toBeGreaterThan(20)
  await own.close()
})
