import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { FOLDER, type Change } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Event } from '@choiros/contract/event.ts'
import { createTables, fact } from './table-harness.ts'
import { undoStack } from './undo-stack.ts'

const HASH = 'a'.repeat(64)

/** A history told event by event; seqs count from 1. `state` is what Undo and Redo would step through next, newest first. */
function tell() {
  const tables = createTables(new Database(':memory:'), [undoStack])
  let seq = 0
  const append = (type: string, data: Record<string, unknown>, more: { run?: string; via?: Event['via']; changes?: Change[] } = {}): number => {
    tables.apply(fact(++seq, type, data, more))
    return seq
  }
  const take = (kind: string) => (target: number) => append('undo', { kind, target, tree: HASH, windows: null })
  return {
    land: (run = 'r') => append('run.land', { summary: `run ${run}`, tree: HASH }, { run }),
    edit: (via: Event['via'] = 'cli') => append('file.change', {}, { via, changes: [change('a')] }),
    undo: take('run'),
    undoEvent: take('event'),
    undoTo: take('point'),
    redo: take('redo'),
    restore: (to: number) => append('restore', { to, tree: HASH, windows: [] }),
    revert: (land: number) => append('run.revert', { land, reason: 'bad', tree: HASH }),
    note: () => append('message', {}),
    state: () => ({
      undo: tables.rows('SELECT seq FROM unit WHERE undone_by IS NULL ORDER BY seq DESC').map((row) => (row as { seq: number }).seq),
      redo: tables.rows('SELECT seq FROM undone WHERE closed_by IS NULL ORDER BY seq DESC').map((row) => (row as { seq: number }).seq),
    }),
    tables,
  }
}

const change = (path: string): Change => ({ path: path as TreePath, from: null, to: FOLDER, movedFrom: null })

describe('[UN1] what can be undone', () => {
  test('landed runs, restores and changes by the command line are units; typing and talking are not', () => {
    const story = tell()
    story.land('r1')
    story.edit('cli')
    story.edit('desktop')
    story.edit('terminal')
    story.note()
    story.restore(1)
    expect(story.tables.rows('SELECT seq, scope, type, run, title FROM unit ORDER BY seq')).toEqual([
      { seq: 1, scope: 'runs', type: 'run.land', run: 'r1', title: 'run r1' },
      { seq: 2, scope: 'own', type: 'file.change', run: null, title: 'a' },
      { seq: 6, scope: 'own', type: 'restore', run: null, title: 'restore to 1' },
    ])
  })

  test('a change of many paths is titled by the first three', () => {
    const tables = createTables(new Database(':memory:'), [undoStack])
    tables.apply(fact(1, 'file.change', {}, { changes: ['a', 'b', 'c', 'd', 'e'].map(change) }))
    expect(tables.rows('SELECT title FROM unit')).toEqual([{ title: 'a, b, c and 2 more' }])
  })
})

describe('[UN2] undo and redo', () => {
  test('undo steps to the next older, redo comes back in the opposite order', () => {
    const story = tell()
    const [one, two, three] = [story.land(), story.land(), story.land()]
    const undoThree = story.undo(three)
    const undoTwo = story.undo(two)
    expect(story.state()).toEqual({ undo: [one], redo: [undoTwo, undoThree] })
    story.redo(undoTwo)
    expect(story.state()).toEqual({ undo: [two, one], redo: [undoThree] })
    story.redo(undoThree)
    expect(story.state()).toEqual({ undo: [three, two, one], redo: [] })
  })

  test('undo, redo and undo again is the same step twice', () => {
    const story = tell()
    const one = story.land()
    story.redo(story.undo(one))
    const again = story.undo(one)
    expect(story.state()).toEqual({ undo: [], redo: [again] })
    story.redo(again)
    expect(story.state()).toEqual({ undo: [one], redo: [] })
  })

  test('a new landing, a restore and a change by the command line clear redo; typing does not', () => {
    const clearing = [
      (story: ReturnType<typeof tell>) => story.land(),
      (story: ReturnType<typeof tell>) => story.restore(1),
      (story: ReturnType<typeof tell>) => story.edit(),
    ]
    for (const clear of clearing) {
      const story = tell()
      story.undo(story.land())
      clear(story)
      expect(story.state().redo).toEqual([])
    }
    const story = tell()
    const undo = story.undo(story.land())
    story.edit('desktop')
    story.note()
    expect(story.state().redo).toEqual([undo])
  })

  test('undo of one in the middle leaves the later ones', () => {
    const story = tell()
    const [one, two, three] = [story.land(), story.land(), story.land()]
    const undo = story.undo(two)
    expect(story.state()).toEqual({ undo: [three, one], redo: [undo] })
  })

  test('undo of an event that is no unit can be redone', () => {
    const story = tell()
    const typed = story.edit('desktop')
    const undo = story.undoEvent(typed)
    expect(story.state()).toEqual({ undo: [], redo: [undo] })
    story.redo(undo)
    expect(story.state()).toEqual({ undo: [], redo: [] })
  })
})

describe('[UN3] undo of an undo', () => {
  test('an undo of something already taken back another way changes nothing', () => {
    const story = tell()
    const one = story.land()
    const undo = story.undo(one)
    story.redo(undo)
    story.undoEvent(undo)
    expect(story.state().undo).toEqual([one])
  })
})

describe('[UN4] undo to a point', () => {
  test('takes back everything after it, as one step of redo', () => {
    const story = tell()
    const [one, two] = [story.land(), story.land()]
    const three = story.edit()
    const undo = story.undoTo(one)
    expect(story.state()).toEqual({ undo: [one], redo: [undo] })
    story.redo(undo)
    expect(story.state()).toEqual({ undo: [three, two, one], redo: [] })
  })

  test('what was taken back before it stays so when it is redone', () => {
    const story = tell()
    const [one, two] = [story.land(), story.land()]
    story.undo(two)
    const point = story.undoTo(one)
    story.redo(point)
    expect(story.state().undo).toEqual([one])
  })
})

describe('[UN5] restore and revert', () => {
  test('a reverted landing is not offered for undo or redo, and redo before it stays', () => {
    const story = tell()
    const one = story.land()
    const two = story.land()
    story.revert(two)
    expect(story.state()).toEqual({ undo: [one], redo: [] })
    const undo = story.undo(one)
    story.revert(two)
    expect(story.state()).toEqual({ undo: [], redo: [undo] })
  })

  test('a revert is remembered as what took the landing back', () => {
    const story = tell()
    const one = story.land()
    const revert = story.revert(one)
    expect(story.tables.rows('SELECT seq, undone_by FROM unit')).toEqual([{ seq: one, undone_by: revert }])
  })
})
