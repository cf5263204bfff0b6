import { expect, test } from 'vitest'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { exportOf, importCopy } from '../support/transfer.ts'
import { holding, rewrite } from './rewriting.ts'

removeFoldersAfterEach()

const path = (text: string) => text as TreePath

test('more than an event can name is one event all the same, and copies know the holes', async () => {
  const folder = temporaryFolder()
  const own = openTestHome(folder)
  const files = LIMITS.erasedInlineMax + 100
  for (let round = 0; round < 2; round++) {
    for (let start = 0; start < files; start += 1000) {
      const operations = []
      for (let index = start; index < Math.min(files, start + 1000); index++) {
        const from = round === 0 ? null : await holding(own, `f/${index}`)
        operations.push({
          op: 'write' as const,
          path: path(`f/${index}`),
          content: { text: `${round} ${index}` },
          from,
        })
      }
      await own.run('files.change', { operations })
    }
  }
  for (let index = 0; index < 20; index++) await rewrite(own, 'other.txt', Buffer.from(`${index}`))
  const done = await own.run('thin', { olderThanMs: 0 })
  expect(done.versions).toBeGreaterThan(LIMITS.erasedInlineMax)
  const { list }: { list: Hash } = JSON.parse(
    (await (await own.computer()).log.read({ after: (done.seq ?? 0) - 1, limit: 1 }))[0]?.bytes.toString() ?? '',
  ).data
  // The list is part of the log: as a file of the same bytes it neither thins nor erases away.
  const named = { op: 'write' as const, path: path('list'), content: { object: list, size: 0 }, from: null }
  await own.run('files.change', { operations: [named] })
  await own.run('files.change', { operations: [{ op: 'remove', path: path('list') }] })
  await expect(own.run('erase', { objects: [list], reason: '' })).rejects.toMatchObject({ code: 'request.refused' })
  for (let index = 0; index < 25; index++) await rewrite(own, 'other.txt', Buffer.from(`again ${index}`))
  await own.run('thin', { olderThanMs: 0 })
  expect(await own.run('verify', {})).toMatchObject({ ok: true, problems: [] })
  await importCopy(own, await exportOf(own), 'imported')
  await own.run(
    'fork',
    { name: 'forked' as never, at: null },
    { computer: (await own.computer(undefined, own.home.owner)).id },
  )
  for (const computer of ['imported', 'forked'])
    expect(await own.run('verify', {}, { computer })).toMatchObject({ ok: true, problems: [] })
  await own.close()
  const again = openTestHome(folder)
  expect(await again.run('verify', {}, { computer: again.home.owner })).toMatchObject({ ok: true, problems: [] })
  await again.close()
})
