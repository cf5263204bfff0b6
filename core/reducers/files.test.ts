import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { FOLDER, type Change, type Entry } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { applyChanges, diffTrees, type TreeMap } from '../tree.ts'
import { files } from './files.ts'
import { createTables, fact } from './table-harness.ts'

const file = (text: string, mode: '644' | '755' = '644'): Entry => ({ kind: 'file', mode, object: sha256(text), size: text.length })
const change = (path: string, from: Entry | null, to: Entry | null, movedFrom: string | null = null): Change => ({
  path: path as TreePath,
  from,
  to,
  movedFrom: movedFrom as TreePath | null,
})

const open = () => createTables(new Database(':memory:'), [files])

test('[RD1] changes become the present tree, every version, and what is gone', () => {
  const tables = open()
  tables.apply(
    fact(1, 'file.change', {}, { changes: [change('a', null, file('one')), change('d', null, FOLDER)] }),
    fact(2, 'file.change', {}, { changes: [change('a', file('one'), file('two', '755'))] }),
    fact(3, 'file.change', {}, { changes: [change('a', file('two', '755'), null), change('b', null, file('two', '755'), 'a')] }),
  )
  expect(tables.rows('SELECT * FROM file ORDER BY path')).toEqual([
    { path: 'b', ...file('two', '755'), seq: 3 },
    { path: 'd', ...FOLDER, seq: 1 },
  ])
  expect(tables.rows('SELECT * FROM file_gone')).toEqual([{ path: 'a', seq: 3 }])
  const none = { kind: null, mode: null, object: null, size: null, moved_from: null }
  expect(tables.rows('SELECT * FROM file_version ORDER BY seq, path')).toEqual([
    { path: 'a', seq: 1, ...file('one'), moved_from: null },
    { path: 'd', seq: 1, ...FOLDER, moved_from: null },
    { path: 'a', seq: 2, ...file('two', '755'), moved_from: null },
    { path: 'a', seq: 3, ...none },
    { path: 'b', seq: 3, ...file('two', '755'), moved_from: 'a' },
  ])
})

test('[RD1] a path that comes back is no longer gone', () => {
  const tables = open()
  tables.apply(
    fact(1, 'file.change', {}, { changes: [change('a', null, file('one'))] }),
    fact(2, 'file.change', {}, { changes: [change('a', file('one'), null)] }),
    fact(3, 'file.change', {}, { changes: [change('a', null, file('two'))] }),
  )
  expect([tables.rows('SELECT path FROM file'), tables.rows('SELECT path FROM file_gone')]).toEqual([[{ path: 'a' }], []])
})

test('[RD1] any past tree can be read from the versions', () => {
  const entry = fc.constantFrom(null, file('one'), file('two'), file('one', '755'), FOLDER)
  const trees = fc.array(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', '\u{1f600}'), entry), { maxLength: 4 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(trees, (wanted) => {
      const tables = open()
      let now: TreeMap = new Map()
      const past = wanted.map((items, index) => {
        const next = new Map(items.flatMap(([path, to]) => (to === null ? [] : [[path as TreePath, to] as const])))
        const changes = diffTrees(now, next)
        tables.apply(fact(index + 1, 'file.change', {}, { changes }))
        now = applyChanges(now, changes)
        return now
      })
      for (const [index, tree] of past.entries()) {
        const rows = tables.rows(
          `SELECT path, kind, mode, object, size FROM file_version v WHERE kind IS NOT NULL
           AND seq = (SELECT max(seq) FROM file_version WHERE path = v.path AND seq <= ${index + 1})`,
        ) as ({ path: TreePath } & Entry)[]
        expect(new Map(rows.map(({ path, ...is }) => [path, is]))).toEqual(tree)
      }
      expect(tables.rows('SELECT path FROM file ORDER BY path')).toEqual(tables.rows('SELECT path FROM file ORDER BY path COLLATE BINARY'))
    }),
    { numRuns: 200 },
  )
})
