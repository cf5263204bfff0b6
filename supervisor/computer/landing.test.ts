import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BaseInstall } from '@choiros/contract/events/files.ts'
import { ReceiptVerifier, RunDiscard, RunRevert, RunStart } from '@choiros/contract/events/runs.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change } from '@choiros/contract/change.ts'
import { sealEvent } from '@choiros/contract/event.ts'
import {
  ComputerId,
  ComputerName,
  eventIdFrom,
  NO_HASH,
  UserId,
  type Hash,
  type RunId,
  type Seq,
} from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { hashSortedTree } from '@choiros/core/tree.ts'
import type { OpenLog } from '@choiros/ports/event-log/event-log.ts'
import { openSqliteLogs } from '@choiros/ports/event-log/sqlite.ts'
import { createMemoryOwnership } from '@choiros/ports/ownership/memory.fake.ts'
import { EMPTY_BASE } from './base.ts'
import { openSigner } from '../signing/signing.ts'
import type { Computer } from './computer.ts'
import { openComputer } from './open-computer.ts'
import { PLACES } from './places.ts'
import { landRun } from './landing.ts'

const IDENTITY = { id: ComputerId.parse('one'), name: ComputerName.parse('one'), user: UserId.parse('ada') }
let folder = ''
const openLog: OpenLog = (options) => openSqliteLogs(dirname(folder), PLACES)(options)
const opened: Computer[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'choir-landing-'))
  const log = await openLog({ name: basename(folder), computer: IDENTITY.id, epoch: 1 })
  const data = { name: 'one', release: '0', tree: hashSortedTree([]), dependencies: null, changes: [], manifest: null }
  const draft = {
    type: BaseInstall.type,
    version: 1,
    data,
    user: IDENTITY.user,
    source: 'system',
    via: 'system',
    run: null,
    cause: null,
  } as const
  const position = {
    id: eventIdFrom(1, new Uint8Array(10)),
    computer: IDENTITY.id,
    seq: 1 as Seq,
    time: 1,
    prev: NO_HASH,
  }
  await log.append([sealEvent(draft, position).stored], [], 0)
  await log.close()
})
afterEach(async () => {
  for (const computer of opened.splice(0)) await computer.close()
  rmSync(folder, { recursive: true, force: true })
})

const RUN = 'run-1' as RunId
const HELLO = Buffer.from('hello')
const HELLO_HASH = sha256(HELLO)
const ADD_HELLO: Change = {
  path: 'app/hello.txt' as TreePath,
  from: null,
  to: { kind: 'file', mode: '644', object: HELLO_HASH, size: HELLO.length },
  movedFrom: null,
}
const TREE = hashSortedTree([['app/hello.txt', ADD_HELLO.to!]])
const ATTESTATION = { hash: sha256('{}'), bytes: Buffer.from('{}') }
const VERIFIED = { tree: TREE, seen: TREE, attestation: ATTESTATION }

async function openOne(): Promise<Computer> {
  const computer = await openComputer(folder, IDENTITY, {
    openLog,
    ownership: createMemoryOwnership().connect(),
    signer: openSigner(join(folder, 'signing.pem')),
    reached: () => {},
    now: Date.now,
    newEventId: (timeMs) => eventIdFrom(timeMs, new Uint8Array(10)),
    randomBytes: (count) => new Uint8Array(count),
    bootId: 'this boot',
    snapshotEveryEvents: 20_000,
    base: () => EMPTY_BASE,
    warn: (message, cause) => console.error(message, cause),
  })
  opened.push(computer)
  return computer
}

function say(
  computer: Computer,
  definition: { type: string; version: number },
  data: Record<string, unknown>,
  changes?: readonly Change[],
) {
  return computer.change(() => ({
    draft: { ...definition, data, user: computer.user, source: 'system', via: 'system', run: RUN, cause: null },
    ...(changes && { changes }),
  }))
}

async function startVerified(computer: Computer, tree: Hash): Promise<void> {
  await say(computer, { type: RunStart.type, version: 1 }, { work: 'work-1', base: 1 })
  for (const verifier of ['transform', 'types', 'policy'])
    await say(
      computer,
      { type: ReceiptVerifier.type, version: 1 },
      { tree, verifier, ok: true, summary: 'good', tookMs: 1, report: null },
    )
}

test('a landing ends its run and puts its files in place, and a revert takes both back', async () => {
  const computer = await openOne()
  await startVerified(computer, TREE)
  const landing = {
    run: RUN,
    summary: 'says hello',
    changes: [ADD_HELLO],
    objects: [{ hash: HELLO_HASH, bytes: HELLO }],
    verified: VERIFIED,
  }
  const event = await landRun(computer, landing)
  expect(computer.queries.run(RUN)).toMatchObject({ status: 'landed' })
  expect(await readFile(join(folder, PLACES.tree, 'app/hello.txt'), 'utf8')).toBe('hello')

  const back = [{ ...ADD_HELLO, from: ADD_HELLO.to, to: null }]
  await say(
    computer,
    { type: RunRevert.type, version: 1 },
    { land: event.seq, reason: 'it broke the clock', tree: hashSortedTree([]) },
    back,
  )
  expect(computer.queries.run(RUN)).toMatchObject({ status: 'reverted' })
  expect(computer.queries.allEntries()).toEqual([])
})

test('a run ends once: what was discarded can neither land nor be discarded for another reason', async () => {
  const computer = await openOne()
  await startVerified(computer, TREE)
  await say(computer, { type: RunDiscard.type, version: 1 }, { reason: 'first' })
  await say(computer, { type: RunDiscard.type, version: 1 }, { reason: 'second' })
  expect(computer.queries.run(RUN)).toMatchObject({ status: 'discarded', reason: 'first' })
  const landing = {
    run: RUN,
    summary: 'says hello',
    changes: [ADD_HELLO],
    objects: [{ hash: HELLO_HASH, bytes: HELLO }],
    verified: VERIFIED,
  }
  await expect(landRun(computer, landing)).rejects.toMatchObject({ code: 'run.unknown' })
})
