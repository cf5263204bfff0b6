import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { points } from './points.ts'
import { createTables, fact } from './table-harness.ts'

const TREE = sha256('tree')

describe('[RD6] points', () => {
  const added = (object: string): Change => ({
    path: 'a' as TreePath,
    from: null,
    to: { kind: 'file', mode: '644', object: sha256(object), size: 1 },
    movedFrom: null,
  })

  test('checkpoints, manifests, attached objects and holes are rows', () => {
    const tables = createTables(new Database(':memory:'), [points])
    tables.apply(
      fact(1, 'file.change', { changes: [], manifest: TREE }),
      fact(2, 'checkpoint', { name: 'before', kind: 'user', tree: TREE }),
      fact(
        3,
        'erase',
        { why: 'content', tree: TREE, reason: 'private', changes: [], manifest: null },
        { erased: [sha256('x'), sha256('y')] },
      ),
      fact(4, 'message', { conversation: 'c', role: 'user', text: 'long', object: sha256('long') }),
      fact(5, 'note.observation', { report: sha256('report') }),
    )
    expect(tables.everything()).toEqual([
      ['checkpoint', [{ seq: 2, time: 1002, name: 'before', kind: 'user', tree: TREE }]],
      ['manifest', [{ seq: 1, object: TREE }]],
      [
        'attached',
        [
          { object: sha256('long'), seq: 4 },
          { object: sha256('report'), seq: 5 },
        ].sort((a, b) => (a.object < b.object ? -1 : 1)),
      ],
      ['erased', [sha256('x'), sha256('y')].sort().map((object) => ({ object, seq: 3, why: 'content' }))],
    ])
  })

  test('bytes written anew after an erase are no hole any more', () => {
    const tables = createTables(new Database(':memory:'), [points])
    tables.apply(
      fact(1, 'erase', { why: 'room' }, { erased: [sha256('x'), sha256('y')] }),
      fact(2, 'file.change', {}, { changes: [added('x')] }),
    )
    expect(tables.rows('SELECT object FROM erased')).toEqual([{ object: sha256('y') }])
  })
})
