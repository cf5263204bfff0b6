import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { createTables, fact } from './table-harness.ts'
import { windows } from './windows.ts'

describe('[RD5] windows', () => {
  const geometry = (x: number) => ({ x, y: 0, width: 0.5, height: 0.5, state: 'normal' })
  const openAt = (seq: number, window: string) => fact(seq, 'window.open', { window, app: 'writer', title: window })
  const shownAt = (tables: ReturnType<typeof createTables>, seq: number) =>
    tables.rows(
      `SELECT window FROM window_version v WHERE app IS NOT NULL AND seq = (SELECT max(seq) FROM window_version WHERE window = v.window AND seq <= ${seq}) ORDER BY window`,
    )

  test('open, settled per class of device, closed; and every earlier arrangement is kept', () => {
    const tables = createTables(new Database(':memory:'), [windows])
    tables.apply(
      openAt(1, 'a'),
      openAt(2, 'b'),
      fact(3, 'window.settle', { window: 'a', device: 'wide', geometry: geometry(0.1) }),
      fact(4, 'window.settle', { window: 'a', device: 'narrow', geometry: geometry(0.2) }),
      fact(5, 'window.close', { window: 'b' }),
      fact(6, 'window.settle', { window: 'b', device: 'wide', geometry: geometry(0.3) }),
    )
    expect(tables.rows('SELECT * FROM window')).toEqual([
      {
        window: 'a',
        app: 'writer',
        title: 'a',
        wide: JSON.stringify(geometry(0.1)),
        narrow: JSON.stringify(geometry(0.2)),
      },
    ])
    expect([shownAt(tables, 1), shownAt(tables, 4), shownAt(tables, 6)]).toEqual([
      [{ window: 'a' }],
      [{ window: 'a' }, { window: 'b' }],
      [{ window: 'a' }],
    ])
  })

  test('a window that is opened again keeps its place', () => {
    const tables = createTables(new Database(':memory:'), [windows])
    tables.apply(
      openAt(1, 'a'),
      fact(2, 'window.settle', { window: 'a', device: 'wide', geometry: geometry(0.1) }),
      openAt(3, 'a'),
    )
    expect(tables.rows('SELECT wide FROM window')).toEqual([{ wide: JSON.stringify(geometry(0.1)) }])
  })

  test('a restore replaces the arrangement; an undo does only where it carries one', () => {
    const tables = createTables(new Database(':memory:'), [windows])
    const arrangement = [{ window: 'c', app: 'files', title: 'c', wide: geometry(0.4), narrow: null }]
    tables.apply(openAt(1, 'a'), openAt(2, 'c'), fact(3, 'undo', { kind: 'run', target: 1, windows: null }))
    expect(shownAt(tables, 3)).toEqual([{ window: 'a' }, { window: 'c' }])
    tables.apply(fact(4, 'restore', { to: 1, windows: arrangement }))
    expect(tables.rows('SELECT window, app, wide FROM window')).toEqual([
      { window: 'c', app: 'files', wide: JSON.stringify(geometry(0.4)) },
    ])
    expect([shownAt(tables, 3), shownAt(tables, 4)]).toEqual([[{ window: 'a' }, { window: 'c' }], [{ window: 'c' }]])
    tables.apply(fact(5, 'undo', { kind: 'event', target: 4, windows: [] }))
    expect([shownAt(tables, 4), shownAt(tables, 5)]).toEqual([[{ window: 'c' }], []])
  })
})
