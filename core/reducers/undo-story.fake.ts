import { FOLDER, type Change, type Entry } from '@choiros/contract/change.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { createTables, fact } from './table-harness.ts'
import { undoStack } from './undo-stack.ts'

export const FILE: Entry = { kind: 'file', mode: '644', object: 'b'.repeat(64) as Hash, size: 1 }
export const HASH = 'a'.repeat(64)

/**
 * A history told event by event; seqs count from 1. `state` is what Undo and Redo would step through next, newest
 * first.
 */
export function tellIn(database: Parameters<typeof createTables>[0]) {
  const tables = createTables(database, [undoStack])
  let seq = 0
  let time = 0
  const append = (
    type: string,
    data: Record<string, unknown>,
    more: { run?: string; via?: Event['via']; changes?: Change[] } = {},
  ): number => {
    const next = fact(++seq, type, data, more)
    tables.apply({ ...next, event: { ...next.event, time: (time += 1000) } })
    return seq
  }
  const take = (kind: string) => (target: number) => append('undo', { kind, target, tree: HASH, windows: null })
  return {
    land: (run = 'r') => append('run.land', { summary: `run ${run}`, tree: HASH }, { run }),
    edit: (via: Event['via'] = 'cli') => append('file.change', {}, { via, changes: [change('a')] }),
    type: (path = 'a.md') =>
      append(
        'file.change',
        {},
        { via: 'desktop', changes: [{ path: path as TreePath, from: FILE, to: FILE, movedFrom: null }] },
      ),
    rest: (ms: number) => void (time += ms),
    append,
    undoStretch: take('stretch'),
    undo: take('run'),
    undoEvent: take('event'),
    undoTo: take('point'),
    redo: take('redo'),
    restore: (to: number) => append('restore', { to, tree: HASH, windows: [] }),
    revert: (land: number) => append('run.revert', { land, reason: 'bad', tree: HASH }),
    note: () => append('message', {}),
    state: () => ({
      undo: tables
        .rows('SELECT seq FROM unit WHERE undone_by IS NULL ORDER BY seq DESC')
        .map((row) => (row as { seq: number }).seq),
      redo: tables
        .rows('SELECT seq FROM undone WHERE closed_by IS NULL ORDER BY seq DESC')
        .map((row) => (row as { seq: number }).seq),
    }),
    tables,
  }
}

export const change = (path: string): Change => ({ path: path as TreePath, from: null, to: FOLDER, movedFrom: null })
