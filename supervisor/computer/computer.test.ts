import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import { BaseInstall, FileChange } from '@choiros/contract/events/files.ts'
import type { Entry } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { sealEvent } from '@choiros/contract/event.ts'
import { ComputerId, ComputerName, eventIdFrom, NO_HASH, UserId, type Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { EventLog, OpenLog } from '@choiros/ports/event-log/event-log.ts'
import { openSqliteLogs } from '@choiros/ports/event-log/sqlite.ts'
import { createMemoryOwnership } from '@choiros/ports/ownership/memory.fake.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EMPTY_BASE } from './base.ts'
import { openSigner } from '../signing/signing.ts'
import type { Computer } from './computer.ts'
import type { Machine } from './machine.ts'
import { openComputer } from './open-computer.ts'
import { PLACES } from './places.ts'

const identity = { id: ComputerId.parse('computer-one'), name: ComputerName.parse('one'), user: UserId.parse('alice') }
let folder = ''
const openLog: OpenLog = (options) => openSqliteLogs(dirname(folder), PLACES)(options)
let appends: number[] = []
const opened: Computer[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'choir-computer-'))
  appends = []
  const log = await openLog({ name: basename(folder), computer: identity.id, epoch: 1 })
  const data = { name: 'one', release: '0', tree: sha256(''), dependencies: null, changes: [], manifest: null }
  const draft = {
    type: BaseInstall.type,
    version: 1,
    data,
    user: identity.user,
    source: 'system',
    via: 'system',
    run: null,
    cause: null,
  } as const
  const position = { id: eventIdFrom(1, randomBytes(10)), computer: identity.id, seq: 1 as Seq, time: 1, prev: NO_HASH }
  await log.append([sealEvent(draft, position).stored], [], 0)
  await log.close()
})
afterEach(async () => {
  for (const computer of opened.splice(0)) await computer.close().catch(() => {})
  rmSync(folder, { recursive: true, force: true })
})

function counted(log: EventLog): EventLog {
  return {
    ...log,
    append(batch, objects, after) {
      appends.push(batch.length)
      return log.append(batch, objects, after)
    },
  }
}

async function open(overrides: Partial<Machine> = {}): Promise<Computer> {
  const computer = await openComputer(folder, identity, {
    openLog: async (options) => counted(await openLog(options)),
    ownership: createMemoryOwnership().connect(),
    signer: openSigner(join(folder, 'signing.pem')),
    reached: () => {},
    now: Date.now,
    newEventId: (timeMs) => eventIdFrom(timeMs, randomBytes(10)),
    randomBytes: (count) => randomBytes(count),
    bootId: 'boot',
    snapshotEveryEvents: 50,
    base: () => EMPTY_BASE,
    warn: () => {},
    ...overrides,
  })
  opened.push(computer)
  return computer
}

function write(computer: Computer, name: string, text: string) {
  const bytes = Buffer.from(text)
  const to: Entry = { kind: 'file', mode: '644', object: sha256(bytes), size: bytes.length }
  return computer.change(({ state }) => ({
    draft: {
      type: FileChange.type,
      version: 1,
      data: {},
      user: identity.user,
      source: 'user',
      via: 'desktop',
      run: null,
      cause: null,
    },
    changes: [{ path: name as TreePath, from: state.tree.entry(name), to, movedFrom: null }],
    objects: [{ hash: sha256(bytes), bytes }],
  }))
}

describe('the log writer', () => {
  test('a hundred concurrent callers share one append, and each sees what the ones before it did', async () => {
    const computer = await open()
    const events = await Promise.all(
      Array.from({ length: 100 }, (_, index) => write(computer, 'one-file.txt', `version ${index}`)),
    )
    expect(appends).toEqual([100])
    expect(events.map((event) => event?.seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2))
    expect(computer.queries.tree.entry('one-file.txt')?.object).toBe(sha256('version 99'))
  })

  test('an append resolves after its reducers applied it: read your writes', async () => {
    const computer = await open()
    await write(computer, 'a.txt', 'a')
    expect(computer.queries.tree.entry('a.txt')?.object).toBe(sha256('a'))
    expect(computer.head()).toEqual(await computer.log.head())
  })

  test('one refused command does not harm those beside it', async () => {
    const computer = await open()
    const refused = computer.append(() => {
      throw new ChoirError('file.conflict', 'no')
    })
    const results = await Promise.allSettled([write(computer, 'a.txt', 'a'), refused, write(computer, 'b.txt', 'b')])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(appends).toEqual([2])
  })

  test('a bug in a rule fails its batch, writes nothing, and the next command works', async () => {
    const computer = await open()
    const buggy = computer.append(() => {
      throw new TypeError('a bug')
    })
    await expect(buggy).rejects.toThrow('a bug')
    expect(appends).toEqual([])
    expect((await write(computer, 'a.txt', 'a'))?.seq).toBe(2)
  })

  test('after a failed append the log is read again before anything is written', async () => {
    let fail = false
    const computer = await open({
      openLog: async (options) => {
        const log = await openLog(options)
        return {
          ...log,
          async append(batch, objects, after) {
            await log.append(batch, objects, after)
            if (fail) throw new Error('the answer was lost')
          },
        }
      },
    })
    fail = true
    await expect(write(computer, 'a.txt', 'a')).rejects.toThrow('the answer was lost')
    fail = false
    await write(computer, 'b.txt', 'b')
    expect([...computer.queries.tree.below('')].map(([name]) => name)).toEqual(['a.txt', 'b.txt'])
    expect(computer.head().seq).toBe(3)
    await computer.shown()
    expect(readdirSync(join(folder, PLACES.tree)).sort()).toEqual(['a.txt', 'b.txt'])
  })

  test('after close everything is refused, and what was queued before is written', async () => {
    const computer = await open()
    const last = write(computer, 'a.txt', 'a')
    await computer.close()
    expect((await last)?.seq).toBe(2)
    await expect(write(computer, 'b.txt', 'b')).rejects.toMatchObject({ code: 'supervisor.stopping' })
  })
})

describe('recovery', () => {
  test('snapshots are taken as the log grows, at most two are kept, and a rebuild starts from the newest', async () => {
    const computer = await open()
    for (let index = 0; index < 180; index++) await write(computer, `f${index}.txt`, String(index))
    await computer.close()
    const snapshots = readdirSync(join(folder, PLACES.snapshots))
    expect([1, 2]).toContain(snapshots.length)
    rmSync(join(folder, PLACES.state))
    let pages = 0
    const again = await open({ reached: (point) => void (pages += point === 'rebuild.page.after' ? 1 : 0) })
    expect(again.queries.totals().files).toBe(180)
    expect(pages).toBeLessThanOrEqual(1) // No page, where the last snapshot was taken after the last event.
  })

  test('a damaged snapshot is not used', async () => {
    const computer = await open()
    for (let index = 0; index < 60; index++) await write(computer, `f${index}.txt`, String(index))
    const hashes = computer.tableHashes()
    await computer.close()
    for (const name of readdirSync(join(folder, PLACES.snapshots)))
      writeFileSync(join(folder, PLACES.snapshots, name), 'damaged')
    rmSync(join(folder, PLACES.state))
    expect((await open()).tableHashes()).toEqual(hashes)
  })

  test('tables that are damaged, or of another log, are made again', async () => {
    const computer = await open()
    await write(computer, 'a.txt', 'a')
    const hashes = computer.tableHashes()
    await computer.close()
    writeFileSync(join(folder, PLACES.state), 'not a database')
    expect((await open()).tableHashes()).toEqual(hashes)
  })

  test('a computer that did not close well holds itself no longer: it can be opened again', async () => {
    const ownership = createMemoryOwnership().connect()
    const failing = async (options: Parameters<OpenLog>[0]) => {
      const log = await openLog(options)
      return { ...log, close: () => log.close().then(() => Promise.reject(new Error('the disk is gone'))) }
    }
    const computer = await open({ ownership, openLog: failing })
    await expect(open({ ownership })).rejects.toMatchObject({ code: 'computer.held' })
    await expect(computer.close()).rejects.toThrow('the disk is gone')
    expect((await open({ ownership })).head().seq).toBe(1)
  })

  test('garbage collection takes only large objects that are old and that nothing names', async () => {
    const computer = await open()
    const named = await computer.objects.put(Buffer.alloc(100_000, 1))
    const old = await computer.objects.put(Buffer.alloc(100_000, 2))
    const young = await computer.objects.put(Buffer.alloc(100_000, 3))
    const to: Entry = { kind: 'file', mode: '644', object: named.hash, size: named.size }
    await computer.change(() => ({
      draft: {
        type: FileChange.type,
        version: 1,
        data: {},
        user: identity.user,
        source: 'user',
        via: 'desktop',
        run: null,
        cause: null,
      },
      changes: [{ path: 'named.bin' as TreePath, from: null, to, movedFrom: null }],
    }))
    const longAgo = new Date(Date.now() - 48 * 3600 * 1000)
    for (const { hash } of [named, old]) utimesSync(join(folder, PLACES.objects, hash), longAgo, longAgo)
    expect(await computer.collectGarbage(Date.now())).toBe(1)
    expect([named, old, young].map(({ hash }) => existsSync(join(folder, PLACES.objects, hash)))).toEqual([
      true,
      false,
      true,
    ])
  })
})
