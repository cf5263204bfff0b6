import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { describe, expect, test } from 'vitest'
import { rebaseChanges } from './rebase.ts'
import { readTreeMap } from './tree.ts'

const objects = new Map<Hash, Buffer>()
const file = (text: string, mode: '644' | '755' = '644'): Entry => {
  const bytes = Buffer.from(text)
  const object = sha256(bytes)
  objects.set(object, bytes)
  return { kind: 'file', mode, object, size: bytes.length }
}
const FOLDER: Entry = { kind: 'folder', mode: '755', object: null, size: 0 }
const change = (path: string, from: Entry | null, to: Entry | null): Change => ({
  path: path as TreePath,
  from,
  to,
  movedFrom: null,
})
const rebase = (changes: readonly Change[], now: Readonly<Record<string, Entry>>) => {
  const sorted = Object.entries(now).sort(([a], [b]) => (a < b ? -1 : 1))
  return rebaseChanges(changes, {
    tree: readTreeMap(new Map(sorted.map(([path, entry]) => [path as TreePath, entry]))),
    bytes: async (object) => objects.get(object) ?? null,
    store(bytes) {
      const object = sha256(bytes)
      objects.set(object, bytes)
      return { object, size: bytes.length }
    },
  })
}
const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const text = (lines: Readonly<Record<number, string>> = {}) =>
  `${LINES.map((line, index) => lines[index] ?? line).join('\n')}\n`

describe('a run’s changes on top of what the person did meanwhile', () => {
  test('where nothing moved they are what they were', async () => {
    const changes = [
      change('app/a', file('1'), file('2')),
      change('app/b', null, file('3')),
      change('app/c', file('4'), null),
    ]
    expect(await rebase(changes, { 'app/a': file('1'), 'app/c': file('4'), 'other': file('x') })).toEqual({
      changes,
      conflicts: [],
    })
  })

  test('other lines of one file are merged, and the change starts from what is there', async () => {
    const mine = file(text({ 0: 'mine' }))
    const { changes, conflicts } = await rebase([change('app/a', file(text()), file(text({ 7: 'theirs' })))], {
      'app/a': mine,
    })
    expect(conflicts).toEqual([])
    expect(changes).toEqual([change('app/a', mine, file(text({ 0: 'mine', 7: 'theirs' })))])
  })

  test('other keys of one JSON file are merged', async () => {
    const mine = file('{"a":1,"mine":1}\n')
    const { changes } = await rebase([change('x.json', file('{"a":1}\n'), file('{"a":1,"theirs":2}\n'))], {
      'x.json': mine,
    })
    const [merged] = changes.map(({ to }) => JSON.parse(objects.get(to?.object as Hash)?.toString() ?? '') as unknown)
    expect(merged).toEqual({ a: 1, mine: 1, theirs: 2 })
  })

  test('the same lines are a conflict, and the other changes are not lost sight of', async () => {
    const changes = [change('app/a', file(text()), file(text({ 3: 'theirs' }))), change('app/b', null, file('new'))]
    const rebased = await rebase(changes, { 'app/a': file(text({ 3: 'mine' })) })
    expect(rebased.conflicts).toEqual([{ path: 'app/a', why: expect.stringContaining('same lines') as string }])
    expect(rebased.changes).toEqual([changes[1]])
  })

  test('what the person did themselves needs no change', async () => {
    expect(
      await rebase([change('app/a', file('1'), file('2')), change('app/b', file('1'), null)], { 'app/a': file('2') }),
    ).toEqual({
      changes: [],
      conflicts: [],
    })
  })

  test('deleted here and changed there, made twice, changed here and deleted there: conflicts in words', async () => {
    const { changes, conflicts } = await rebase(
      [change('deleted', file('1'), file('2')), change('made', null, file('2')), change('changed', file('1'), null)],
      { made: file('3'), changed: file('3') },
    )
    expect(changes).toEqual([])
    expect(conflicts.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      'deleted: you deleted or moved it meanwhile',
      'made: you made it meanwhile',
      'changed: you changed it meanwhile',
    ])
  })

  test('a new file where there is now a folder, or in what is now a file, is a conflict', async () => {
    const { changes, conflicts } = await rebase([change('a', null, file('1')), change('b/c', null, file('1'))], {
      'a/x': file('2'),
      'b': file('2'),
    })
    expect(changes).toEqual([])
    expect(conflicts.map(({ path }) => path)).toEqual(['a', 'b/c'])
  })

  test('what the run itself takes away is not in its own way', async () => {
    const toFolder = [change('a', file('1'), null), change('a/b', null, file('2'))]
    expect(await rebase(toFolder, { a: file('1'), mine: file('x') })).toEqual({ changes: toFolder, conflicts: [] })
    const toFile = [change('a', null, file('2')), change('a/b', file('1'), null)]
    expect(await rebase(toFile, { 'a/b': file('1'), 'mine': file('x') })).toEqual({ changes: toFile, conflicts: [] })
  })

  test('a mode and a content go together; a folder and a link are taken or refused whole', async () => {
    const mine = file(text({ 0: 'mine' }))
    expect((await rebase([change('a', file(text()), file(text(), '755'))], { a: mine })).changes).toEqual([
      change('a', mine, file(text({ 0: 'mine' }), '755')),
    ])
    expect((await rebase([change('a', FOLDER, null)], { a: FOLDER })).changes).toHaveLength(1)
    const link = { ...file('target'), kind: 'symlink', mode: '777' } as Entry
    expect((await rebase([change('a', link, file('x'))], { a: file('mine') })).conflicts).toHaveLength(1)
  })
})
