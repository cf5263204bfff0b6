import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TreePath } from '@choiros/contract/path.ts'
import { createRemoteLogs } from '@choiros/ports/event-log/remote.fake.ts'
import { createMemoryOwnership } from '@choiros/ports/ownership/memory.fake.ts'
import { removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { openTestHome } from '../support/open-home.ts'

removeFoldersAfterEach()

const write = (path: string, text: string) => ({
  op: 'write' as const,
  path: path as TreePath,
  content: { text },
  from: null,
})

test('[L3] who lost a computer to somebody else writes no more to it, is told so, and gets it back when the other lets go', async () => {
  const place = createMemoryOwnership()
  const openLog = createRemoteLogs(() => 1)
  const quiet = { warn: () => {} }
  const own = openTestHome(temporaryFolder(), { ownership: place.connect(), openLog, ...quiet })
  await own.run('files.change', { operations: [write('mine.txt', 'mine')] })
  const before = await own.computer()
  const { id } = before

  place.revoke(id)
  const other = place.connect()
  const { epoch } = await other.take(id)
  const log = await openLog({ name: id, computer: id, epoch })
  await log.append([], [{ hash: before.head().hash, bytes: Buffer.from('a sign of life') }], before.head().seq)
  await expect(
    before.change(() => null).then(() => own.run('files.change', { operations: [write('late.txt', 'late')] })),
  ).rejects.toMatchObject({
    code: expect.stringMatching(/^(computer\.held|supervisor\.stopping)$/) as string,
  })
  await delay(50)
  await expect(own.run('files.change', { operations: [write('late.txt', 'late')] })).rejects.toMatchObject({
    code: 'computer.held',
  })

  await other.close()
  await own.run('files.change', { operations: [write('again.txt', 'again')] })
  expect((await own.run('files.list', { path: null, at: null })).map(({ path }) => path)).toEqual([
    'again.txt',
    'mine.txt',
  ])
  expect(await own.run('verify', {})).toMatchObject({ ok: true })
  await own.close()
})
