import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { FOLDER, type Change, type Entry } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { applyChanges, diffTrees, type TreeMap } from '../tree.ts'
import { files } from './files.ts'
import type { Fact } from './reducer.ts'
import { createTables, fact } from './table-harness.ts'

const file = (text: string, mode: '644' | '755' = '644'): Entry => ({
  kind: 'file',
  mode,
  object: sha256(text),
  size: text.length,
})
const change = (path: string, from: Entry | null, to: Entry | null, movedFrom: string | null = null): Change => ({
  path: path as TreePath,
  from,
  to,
  movedFrom: movedFrom as TreePath | null,
})

const open = () => createTables(new Database(':memory:'), [files])

test('[RD1] changes become the present tree and every earlier version, with the events between which it stood', () => {
  const tables = open()
  tables.apply(
    fact(1, 'file.change', {}, { changes: [change('a', null, file('one')), change('d', null, FOLDER)] }),
    fact(2, 'file.change', {}, { changes: [change('a', file('one'), file('two', '755'))] }),
    fact(
      9,
      'file.change',
      {},
      { changes: [change('a', file('two', '755'), null), change('b', null, file('two', '755'), 'a')] },
    ),
  )
  expect(tables.rows('SELECT * FROM file ORDER BY path')).toEqual([
    { path: 'b', ...file('two', '755'), seq: 9, moved_from: 'a' },
    { path: 'd', ...FOLDER, seq: 1, moved_from: null },
  ])
  expect(tables.rows('SELECT * FROM file_past ORDER BY seq')).toEqual([
    { path: 'a', seq: 1, until: 2, span: 0, gone: 0, ...file('one'), moved_from: null },
    { path: 'a', seq: 2, until: 9, span: 2, gone: 1, ...file('two', '755'), moved_from: null },
  ])
})

test('[RD1] a path that comes back has a gap in its history', () => {
  const tables = open()
  tables.apply(
    fact(1, 'file.change', {}, { changes: [change('a', null, file('one'))] }),
    fact(2, 'file.change', {}, { changes: [change('a', file('one'), null)] }),
    fact(3, 'file.change', {}, { changes: [change('a', null, file('two'))] }),
  )
  expect(tables.rows('SELECT path, seq FROM file')).toEqual([{ path: 'a', seq: 3 }])
  expect(tables.rows('SELECT seq, until, gone FROM file_past')).toEqual([{ seq: 1, until: 2, gone: 1 }])
})

test('[RD1] any past tree can be read from the versions, and it does not show whether they were lived or replayed', () => {
  const entry = fc.constantFrom(null, file('one'), file('two'), file('one', '755'), FOLDER)
  const trees = fc.array(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', '\u{1f600}'), entry), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(trees, (wanted) => {
      const tables = open()
      const story: Fact[] = []
      let now: TreeMap = new Map()
      const past = wanted.map((items, index) => {
        const after = new Map(items.flatMap(([path, to]) => (to === null ? [] : [[path as TreePath, to] as const])))
        const changes = diffTrees(now, after)
        const next = fact(index + 1, 'file.change', {}, { changes })
        story.push(next)
        tables.apply(next)
        now = applyChanges(now, changes)
        return now
      })
      for (const [index, tree] of past.entries()) {
        const at = index + 1
        const rows = tables.rows(
          `SELECT path, kind, mode, object, size FROM file WHERE seq <= ${at} UNION ALL
           SELECT path, kind, mode, object, size FROM file_past WHERE seq <= ${at} AND until > ${at} AND seq > ${at} - (2 << span)`,
        ) as ({ path: TreePath } & Entry)[]
        expect(new Map(rows.map(({ path, ...is }) => [path, is]))).toEqual(tree)
        expect(rows.length).toBe(tree.size)
      }
      const replayed = open()
      replayed.replay(...story)
      expect(replayed.everything()).toEqual(tables.everything())
      expect(tables.rows('SELECT path FROM file ORDER BY path')).toEqual(
        tables.rows('SELECT path FROM file ORDER BY path COLLATE BINARY'),
      )
    }),
    { numRuns: 200 },
  )
})
