import { describe, expect, test } from 'vitest'
import { FileChange } from '@choiros/contract/events/files.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Operation } from '@choiros/contract/commands/files.ts'
import type { Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'
import { write } from './damage.ts'

removeFoldersAfterEach()

const FILES = 1500
const old = (index: number) => `old version ${index} ${'x'.repeat(200)}`
const rewriting = (index: number): Operation => ({
  op: 'write',
  path: `artifacts/f${index}.txt` as TreePath,
  content: { text: `new ${index}` },
  from: sha256(old(index)),
})
const all = <Made>(make: (index: number) => Made) => Array.from({ length: FILES }, (_, index) => make(index))

/** A computer with 1,500 old versions that nothing needs any more. */
async function withOldVersions(): Promise<TestHome> {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', { operations: all((index) => write(`artifacts/f${index}.txt`, old(index))) })
  await own.run('files.change', { operations: all(rewriting) })
  for (let index = 0; index < 30; index++)
    await own.run('files.change', { operations: [write(`artifacts/k${index}.txt`, `k ${index}`)] })
  return own
}

async function expectWhole(own: TestHome): Promise<void> {
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  const { objects, queries } = await own.computer()
  const named = queries.allEntries().flatMap(([, { object }]) => (object === null ? [] : [object]))
  expect(await Promise.all(named.map(async (object) => sha256(await objects.get(object))))).toEqual(named)
}

describe('[L3] while old bytes are taken away', { timeout: 60_000 }, () => {
  test('[L3] what is written with the same bytes and acknowledged stays', async () => {
    const own = await withOldVersions()
    let isDone = false
    const thinning = own.run('thin', { olderThanMs: 0 }).finally(() => (isDone = true))
    const written: number[] = []
    for (let index = FILES - 1; !isDone && index >= 0; index--) {
      await own.run('files.change', { operations: [write(`artifacts/back${index}.txt`, old(index))] })
      written.push(index)
    }
    expect(await thinning).toMatchObject({ versions: FILES })
    expect(written.length).toBeGreaterThan(3)
    await expectWhole(own)
    await own.close()
  })

  test('[L3] the same for large ones, which are on disk before their event: written, or refused in words', async () => {
    const own = openTestHome(temporaryFolder())
    const large = (index: number) => `${index} ${'y'.repeat(LIMITS.smallObjectBytesMax)}`
    for (let index = 0; index < 40; index++) {
      const from = index === 0 ? null : sha256(large(index - 1))
      await own.run('files.change', {
        operations: [{ ...write('artifacts/large.txt', large(index)), from } as Operation],
      })
    }
    for (let index = 0; index < 30; index++)
      await own.run('files.change', { operations: [write(`artifacts/k${index}.txt`, `k ${index}`)] })
    const thinning = own.run('thin', { olderThanMs: 0 })
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        own.run('files.change', { operations: [write(`artifacts/back${index}.txt`, large(index))] }).then(
          () => 'written',
          (error: { code: string }) => error.code,
        ),
      ),
    )
    await thinning
    expect(codes.filter((code) => code !== 'written' && code !== 'object.missing')).toEqual([])
    await expectWhole(own)
    // Sent again, it is taken.
    await own.run('files.change', { operations: [write('artifacts/again.txt', large(7))] })
    await expectWhole(own)
    await own.close()
  })

  test('[L3] [L5] a restore that was planned before is planned again', async () => {
    const own = await withOldVersions()
    const thinning = own.run('thin', { olderThanMs: 0 })
    const restoring = own.run('restore', { to: 2 as Seq })
    const [{ versions }] = await Promise.all([thinning, restoring])
    expect(versions).toBe(FILES)
    await expectWhole(own)
    await own.close()
  })

  test('[L3] an upload that was given up and is sent again is not taken away from under its file', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('files.change', { operations: [write('own.txt', 'mine')] })
    const computer = await own.computer()
    const bytes = Buffer.alloc(LIMITS.smallObjectBytesMax + 1, 7)
    const { hash } = await computer.objects.put(bytes)
    // A command found them before they went, and decides after.
    expect(await computer.objects.size(hash)).toBe(bytes.length)
    expect(await computer.collectGarbage(Date.now() + 1000, 0)).toBe(1)
    const naming = computer.change(() => ({
      draft: {
        type: FileChange.type,
        version: FileChange.version,
        data: {},
        user: computer.user,
        source: 'user',
        via: 'desktop',
        run: null,
        cause: null,
      },
      changes: [
        {
          path: 'a.bin' as TreePath,
          from: null,
          to: { kind: 'file', mode: '644', object: hash, size: bytes.length },
          movedFrom: null,
        },
      ],
    }))
    await expect(naming).rejects.toMatchObject({ code: 'object.missing' })
    await computer.objects.put(bytes)
    await own.run('files.change', {
      operations: [
        { op: 'write', path: 'a.bin' as TreePath, content: { object: hash, size: bytes.length }, from: null },
      ],
    })
    await expectWhole(own)
    await own.close()
  })

  test('[L3] a small file that was uploaded, and not sent with its command, is not taken for garbage', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('files.change', { operations: [write('own.txt', 'mine')] })
    const computer = await own.computer()
    const { hash, size } = await computer.objects.put(Buffer.from('a small upload'))
    await own.run('files.change', {
      operations: [{ op: 'write', path: 'a.bin' as TreePath, content: { object: hash, size }, from: null }],
    })
    await own.run('files.change', { operations: [write('b.txt', 'sent with its command'), write('empty.txt', '')] })
    // The same bytes, by an upload that nobody names.
    for (const text of ['sent with its command', '']) await computer.objects.put(Buffer.from(text))
    await computer.collectGarbage(Date.now() + 48 * 3600 * 1000)
    expect(await computer.objects.size(hash)).toBe(size)
    await expectWhole(own)
    await own.close()
  })
})
