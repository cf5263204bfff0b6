import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { RunDiscard, RunStart } from '@choiros/contract/events/runs.ts'
import { RunId, Seq } from '@choiros/contract/ids.ts'
import { TreePath } from '@choiros/contract/path.ts'
import { agentDraft } from '@choiros/supervisor/computer/drafts.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { openRunDrafts, type KeptStage } from '@choiros/supervisor/computer/run-drafts.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'

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
