import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { nextDeeds } from '@choiros/supervisor/undo/next.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openTestHome, type TestHome } from '../support/open-home.ts'

/**
 * What the buttons say comes from the tables alone; what they do is planned from the log. The two must never mean
 * different things.
 */
describe('what Undo and Redo would take', () => {
  let home: TestHome
  const newest = { kind: 'newest', scope: 'any' } as const
  const next = async () => nextDeeds((await home.computer()).queries)
  const stat = async (path: string) =>
    (await home.run('files.stat', { path: path as TreePath, at: null })).entry?.object ?? null
  const write = async (path: string, text: string, caller: 'cli' | 'desktop' = 'cli') =>
    home.run(
      'files.change',
      { operations: [{ op: 'write', path: path as TreePath, content: { text }, from: await stat(path) }] },
      { caller },
    )
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error as { code: string }).code,
    )

  beforeAll(async () => {
    home = openTestHome(temporaryFolder())
    await home.run('computer.add', { name: 'ana' as never })
  })
  afterAll(async () => {
    await home.close()
    removeFolders()
  })

  test('a write tells the version it has made, also where it changes nothing', async () => {
    const made = await write('artifacts/a.md', 'one\n')
    expect([made.written, made.changes]).toEqual([[await stat('artifacts/a.md')], 1])
    const again = await write('artifacts/a.md', 'one\n')
    expect([again.written, again.changes]).toEqual([made.written, 0])
  })

  test('[L5] the names on the buttons are those of the plans, whatever was done last', async () => {
    const steps: (() => Promise<unknown>)[] = [
      () => write('artifacts/a.md', 'one two\n', 'desktop'),
      () => write('artifacts/a.md', 'one two three\n', 'desktop'),
      () => write('artifacts/system/theme.json', '{}\n', 'desktop'),
      () =>
        home.run('files.change', {
          operations: [{ op: 'move', path: 'artifacts/a.md' as TreePath, to: 'artifacts/b.md' as TreePath }],
        }),
      () => home.run('undo', { target: newest, tree: null }),
      () => home.run('undo', { target: newest, tree: null }),
      () => home.run('undo', { target: newest, tree: null }),
      () => home.run('redo', {}),
      () => home.run('checkpoint', { name: 'friday' }),
      () => write('artifacts/c.txt', 'x'),
      async () => home.run('restore', { to: (await home.run('checkpoint.list', {})).at(-1)!.seq }),
      async () =>
        home.run('undo', {
          target: { kind: 'point', seq: (await home.run('checkpoint.list', {}))[0]!.seq },
          tree: null,
        }),
      () => home.run('redo', {}),
    ]
    for (const [index, step] of steps.entries()) {
      await step()
      const { undo, redo } = await next()
      const planned = await home.run('undo.preview', { target: newest }).then(
        ({ target }) => target,
        () => null,
      )
      const again = await home.run('redo.preview', {}).then(
        ({ target }) => target,
        () => null,
      )
      expect([index, undo?.seq, undo?.title, redo?.seq, redo?.title]).toEqual([
        index,
        planned?.seq,
        planned?.title,
        again?.seq,
        again?.title,
      ])
    }
  })

  test('while a document is typed in, more of that changes neither number nor name', async () => {
    await write('artifacts/c.txt', 'first')
    await write('artifacts/c.txt', 'first l', 'desktop')
    const before = await next()
    await write('artifacts/c.txt', 'first le', 'desktop')
    expect(before.undo?.typing).toBe('artifacts/c.txt')
    expect(await next()).toEqual(before)
    await write('artifacts/d.txt', 'other')
    expect((await next()).undo?.typing).toBeNull()
  })

  test('[L5] what was named is taken back, or nothing', async () => {
    const named = (await next()).undo!
    await write('artifacts/e.txt', 'since')
    expect(await refusal(home.run('undo', { target: { ...newest, unit: named.seq }, tree: null }))).toBe(
      'undo.mismatch',
    )
    expect(await stat('artifacts/e.txt')).not.toBeNull()
    const { seq } = await home.run('undo', { target: { ...newest, unit: (await next()).undo!.seq }, tree: null })
    expect(await refusal(home.run('redo', { undo: (seq - 1) as Seq }))).toBe('undo.mismatch')
    await home.run('redo', { undo: seq })
    expect(await stat('artifacts/e.txt')).not.toBeNull()
  })

  test('the newest of the desktop’s own files is found behind everything else', async () => {
    await write('app/shell.css', 'a {}')
    await write('artifacts/f.txt', 'more')
    const { target } = await home.run('undo.preview', { target: { kind: 'newest', scope: 'desktop' } })
    expect(target.title).toBe('Added “app/shell.css”')
    await home.run('undo', { target: { kind: 'unit', seq: target.seq }, tree: null })
    expect(await refusal(home.run('undo.preview', { target: { kind: 'newest', scope: 'desktop' } }))).toBe(
      'undo.nothing',
    )
  })
})
