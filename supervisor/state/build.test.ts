import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change } from '@choiros/contract/change.ts'
import type { Event } from '@choiros/contract/event.ts'
import { eventIdFrom, NO_HASH, type ComputerId, type Hash, type Seq, type UserId } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import { buildTables } from './build.ts'
import { TableDamage } from './damage.ts'
import { openState } from './state.ts'

const folder = mkdtempSync(join(tmpdir(), 'choir-build-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const IN_THREAD = 1_000_000
const ALONE = 0

function aFact(seq: number, prev: Hash, changes: Change[]): Fact {
  const event: Event = {
    id: eventIdFrom(seq, new Uint8Array(10)),
    computer: 'c' as ComputerId,
    seq: seq as Seq,
    time: seq,
    user: 'u' as UserId,
    source: 'user',
    via: 'cli',
    type: 'file.change',
    version: 1,
    data: { changes, manifest: null },
    run: null,
    cause: null,
    prev,
    hash: sha256(`event ${seq}`),
  }
  return { event, changes, erased: [], bytes: 1 }
}

function history(events: number): Fact[] {
  const facts: Fact[] = []
  const standing = new Map<string, Change['to']>()
  for (let seq = 1; seq <= events; seq++) {
    const path = `file ${seq % 7}` as TreePath
    const from = standing.get(path) ?? null
    const to: Change['to'] =
      seq % 11 === 0 ? null : { kind: 'file', mode: '644', object: sha256(`version ${seq}`), size: seq }
    standing.set(path, to)
    const changes = from === null && to === null ? [] : [{ path, from, to, movedFrom: null }]
    facts.push(aFact(seq, facts.at(-1)?.event.hash ?? NO_HASH, changes))
  }
  return facts
}

test('tables built by one thread or by two are those that were lived through', async () => {
  const facts = history(500)
  const lived = openState(join(folder, 'lived'))
  for (const fact of facts) lived.replay([fact])
  const expected = { cursor: lived.cursor(), tables: lived.tableHashes() }
  lived.close()
  for (const [name, events] of Object.entries({ ALONE, IN_THREAD })) {
    await buildTables(join(folder, name), { events }, async (build) => {
      for (let at = 0; at < facts.length; at += 60) await build.replay(facts.slice(at, at + 60))
    })
    const built = openState(join(folder, name))
    expect({ cursor: built.cursor(), tables: built.tableHashes() }).toEqual(expected)
    built.close()
  }
})

test('tables that were not on disk when the power went are not used', async () => {
  const build = () =>
    buildTables(join(folder, 'marked'), { events: ALONE, bootId: 'one boot' }, async (target) =>
      target.replay(history(20)),
    )
  await build()
  expect(() => openState(join(folder, 'marked'), { bootId: 'the next' })).toThrow(TableDamage)
  const same = openState(join(folder, 'marked'), { bootId: 'one boot' })
  await same.onDisk()
  same.close()
  const next = openState(join(folder, 'marked'), { bootId: 'the next' })
  expect(next.cursor().seq).toBe(20)
  next.close()
})

test('a build that fails, here or in the other thread, leaves no file', async () => {
  const file = join(folder, 'failed')
  const [first, second] = history(2)
  for (const events of [ALONE, IN_THREAD]) {
    const skipped = buildTables(file, { events }, async (build) => build.replay([second as Fact]))
    await expect(skipped).rejects.toThrow('event 2 does not follow 0')
    expect(existsSync(file)).toBe(false)
  }
  const unfit = { ...(first as Fact), event: { ...(first as Fact).event, type: 'checkpoint', data: { name: null } } }
  for (const events of [ALONE, IN_THREAD]) {
    await expect(buildTables(file, { events }, async (build) => build.replay([unfit]))).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_NOTNULL',
    })
    expect(existsSync(file)).toBe(false)
  }
})
