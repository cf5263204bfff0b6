import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { RunDiscard, RunStart } from '@choiros/contract/events/runs.ts'
import { RunId, Seq } from '@choiros/contract/ids.ts'
import { TreePath } from '@choiros/contract/path.ts'
import { agentDraft } from '@choiros/supervisor/computer/drafts.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { openRunDrafts, type KeptStage } from '@choiros/supervisor/computer/run-drafts.ts'
import { DISK_RESERVE_BYTES } from '@choiros/supervisor/computer/room.ts'
import { endOpenWork } from '@choiros/supervisor/after-crash/end-open.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'
import { mountSmallDisk } from './small-disk.ts'

removeFoldersAfterEach()

function stageOf(text: string): KeptStage {
  const bytes = Buffer.from(text)
  const hash = sha256(bytes)
  const to = { kind: 'file', mode: '644', object: hash, size: bytes.length } as const
  const change = { path: TreePath.parse('app/a.txt'), from: null, to, movedFrom: null }
  return { base: Seq.parse(1), changes: [change], objects: new Map([[hash, { hash, bytes }]]) }
}

test('[L11] there are only so many drafts, of so many bytes: the oldest go, in the log too, and none is beyond its limit', async () => {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', {
    operations: [{ op: 'write', path: TreePath.parse('artifacts/a.txt'), content: { text: 'a' }, from: null }],
  })
  const computer = await own.computer()
  const drafts = openRunDrafts(computer)
  const leave = async (name: string, text: string) => {
    const run = RunId.parse(name)
    await computer.append(() => ({ draft: agentDraft(computer, run, RunStart, { base: Seq.parse(1) }, 'system') }))
    drafts.save(run, stageOf(text))
    await computer.append(() => ({ draft: agentDraft(computer, run, RunDiscard, { reason: 'red' }, 'system') }))
    await drafts.keep(run)
    return run
  }
  const first = await leave('first', 'one')
  expect(drafts.read(first)).toEqual(stageOf('one'))
  for (let count = 0; count < 24; count++) await leave(`r${count}`, `text ${count}`)
  const kept = () => computer.queries.runs(200).filter(({ draft }) => draft !== null)
  expect([kept().length, readdirSync(join(computer.folder, PLACES.drafts)).length]).toEqual([20, 20])
  expect(drafts.read(first)).toBeNull()
  await leave('large', 'x'.repeat(13 * 1024 * 1024))
  expect(drafts.read(RunId.parse('large'))).toBeNull()
  for (let count = 0; count < 6; count++) await leave(`l${count}`, `${count}${'x'.repeat(11 * 1024 * 1024)}`)
  expect(kept().length).toBeLessThan(6)
  expect(await own.run('verify', {})).toMatchObject({ ok: true })
  await own.close()
})

test('what is erased for good is in no draft any more, nor what was made of it; other drafts stay', async () => {
  const own = openTestHome(temporaryFolder())
  const path = TreePath.parse('artifacts/secret.txt')
  await own.run('files.change', { operations: [{ op: 'write', path, content: { text: 'my secret' }, from: null }] })
  const computer = await own.computer()
  const drafts = openRunDrafts(computer)
  const from = { kind: 'file', mode: '644', object: sha256('my secret'), size: 9 } as const
  const leave = async (name: string, stage: KeptStage) => {
    const run = RunId.parse(name)
    await computer.append(() => ({ draft: agentDraft(computer, run, RunStart, { base: Seq.parse(1) }, 'system') }))
    drafts.save(run, stage)
    await computer.append(() => ({ draft: agentDraft(computer, run, RunDiscard, { reason: 'red' }, 'system') }))
    await drafts.keep(run)
    return run
  }
  const [made] = stageOf('my secret, and more').changes
  const edited = await leave('edited', { ...stageOf('my secret, and more'), changes: [{ ...made!, path, from }] })
  const copied = await leave('copied', stageOf('my secret'))
  const other = await leave('other', stageOf('something else'))
  const { objects } = await own.run('erase.preview', { path })
  await own.run('erase', { objects, reason: 'mine' })
  expect([edited, copied, other].map((run) => drafts.read(run) === null)).toEqual([true, true, false])
  expect(readdirSync(join(computer.folder, PLACES.drafts))).toEqual(['other.json'])
  expect(computer.queries.run(edited)?.draft ?? null).toBeNull()
  await own.close()
})

const MEBIBYTE = 1024 * 1024

async function begin(own: TestHome) {
  await own.run('files.change', {
    operations: [{ op: 'write', path: TreePath.parse('artifacts/a.txt'), content: { text: 'a' }, from: null }],
  })
  const computer = await own.computer()
  const run = RunId.parse('r1')
  await computer.append(() => ({ draft: agentDraft(computer, run, RunStart, { base: Seq.parse(1) }, 'system') }))
  return { computer, run, drafts: openRunDrafts(computer), folder: join(computer.folder, PLACES.drafts) }
}

test('[L8] a draft takes nothing of the room that is kept for the person, and a full disk ends no run', async () => {
  const disk = mountSmallDisk(64)
  const own = openTestHome(join(disk.folder, 'home'))
  try {
    const { run, drafts, folder } = await begin(own)
    drafts.save(run, stageOf('small'))
    disk.fillUpTo(DISK_RESERVE_BYTES + 2 * MEBIBYTE)
    drafts.save(run, stageOf('x'.repeat(9 * MEBIBYTE)))
    expect(disk.freeBytes()).toBeGreaterThan(DISK_RESERVE_BYTES)
    disk.fillUpTo(0)
    drafts.save(run, stageOf('y'.repeat(MEBIBYTE)))
    expect(readdirSync(folder)).toEqual([`${run}.json`])
    disk.makeRoom()
    expect(drafts.read(run)).toEqual(stageOf('small'))
  } finally {
    await own.close()
    disk.unmount()
  }
})

test('[L4] what a crash left right after a run ended is its draft all the same; halves of files are nobody’s', async () => {
  const own = openTestHome(temporaryFolder())
  const { computer, run, drafts, folder } = await begin(own)
  drafts.save(run, stageOf('one'))
  await computer.append(() => ({ draft: agentDraft(computer, run, RunDiscard, { reason: 'red' }, 'system') }))
  for (const name of ['r2.json.partial', 'unknown.json', 'Not a run.json']) writeFileSync(join(folder, name), '{')
  await endOpenWork(computer, () => {})
  expect(computer.queries.run(run)).toMatchObject({ draft: { files: 1 } })
  expect(readdirSync(folder)).toEqual([`${run}.json`])
  await endOpenWork(computer, () => {})
  expect(drafts.read(run)).toEqual(stageOf('one'))
  await own.close()
})
