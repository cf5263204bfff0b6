import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FOLDER, type Change, type Entry } from '@choiros/contract/change.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Event } from '@choiros/contract/event.ts'
import { createTables, fact } from './table-harness.ts'
import { STEP_REST_MS, STRETCH_MAX_MS, STRETCH_REST_MS, undoStack } from './undo-stack.ts'

const FILE: Entry = { kind: 'file', mode: '644', object: 'b'.repeat(64) as Hash, size: 1 }
const HASH = 'a'.repeat(64)

/** A history told event by event; seqs count from 1. `state` is what Undo and Redo would step through next, newest first. */
function tell() {
  const tables = createTables(new Database(':memory:'), [undoStack])
  let seq = 0
  let time = 0
  const append = (type: string, data: Record<string, unknown>, more: { run?: string; via?: Event['via']; changes?: Change[] } = {}): number => {
    const next = fact(++seq, type, data, more)
    tables.apply({ ...next, event: { ...next.event, time: (time += 1000) } })
    return seq
  }
  const take = (kind: string) => (target: number) => append('undo', { kind, target, tree: HASH, windows: null })
  return {
    land: (run = 'r') => append('run.land', { summary: `run ${run}`, tree: HASH }, { run }),
    edit: (via: Event['via'] = 'cli') => append('file.change', {}, { via, changes: [change('a')] }),
    type: (path = 'a.md') =>
      append('file.change', {}, { via: 'desktop', changes: [{ path: path as TreePath, from: FILE, to: FILE, movedFrom: null }] }),
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
      undo: tables.rows('SELECT seq FROM unit WHERE undone_by IS NULL ORDER BY seq DESC').map((row) => (row as { seq: number }).seq),
      redo: tables.rows('SELECT seq FROM undone WHERE closed_by IS NULL ORDER BY seq DESC').map((row) => (row as { seq: number }).seq),
    }),
    tables,
  }
}

const change = (path: string): Change => ({ path: path as TreePath, from: null, to: FOLDER, movedFrom: null })

describe('[UN1] what can be undone', () => {
  test('landed runs, restores and every change of files are units, whoever made it; talking is none', () => {
    const story = tell()
    story.land('r1')
    story.edit('cli')
    story.edit('desktop')
    story.edit('terminal')
    story.note()
    story.restore(1)
    expect(story.tables.rows('SELECT seq, until, scope, type, via, run, title, about, point FROM unit ORDER BY seq')).toEqual([
      { seq: 1, until: 1, scope: 'runs', type: 'run.land', via: 'cli', run: 'r1', title: 'run r1', about: '', point: null },
      ...(['cli', 'desktop', 'terminal'] as const).map((via, index) => {
        const seq = index + 2
        return { seq, until: seq, scope: 'own', type: 'file.change', via, run: null, title: 'Added “a”', about: 'a', point: null }
      }),
      { seq: 6, until: 6, scope: 'own', type: 'restore', via: 'cli', run: null, title: 'Went back to an earlier point', about: '', point: 1 },
    ])
  })

  test('a change that touched nothing is no unit', () => {
    const story = tell()
    story.append('file.change', {}, { changes: [] })
    expect(story.state()).toEqual({ undo: [], redo: [] })
  })
})

describe('[UN7] a stretch of typing', () => {
  const units = (story: ReturnType<typeof tell>) => story.tables.rows('SELECT seq, until, title FROM unit ORDER BY seq')

  test('what is typed into one document is one unit, whatever is said or moved on the screen meanwhile', () => {
    const story = tell()
    story.type()
    story.note()
    story.append('window.settle', {})
    story.rest(STRETCH_REST_MS - 3000)
    story.type()
    expect(units(story)).toEqual([{ seq: 1, until: 4, title: 'Typing in “a.md”' }])
  })

  test.each<[string, (story: ReturnType<typeof tell>) => void]>([
    ['a rest', (story) => story.rest(STRETCH_REST_MS)],
    ['a clock that was set back', (story) => story.rest(-5000)],
    ['typing in another document', (story) => story.type('b.md')],
    ['a deletion', (story) => story.edit('desktop')],
    ['the command line', (story) => story.edit('cli')],
    ['a landed run', (story) => story.land()],
    ['a checkpoint', (story) => story.append('checkpoint', {})],
    ['a window that opens', (story) => story.append('window.open', {})],
    ['a window that closes', (story) => story.append('window.close', {})],
    ['an undo', (story) => story.undo(1)],
    ['something erased', (story) => story.append('erase', {}, { changes: [change('x')] })],
  ])('it is ended by %s', (_, end) => {
    const story = tell()
    story.type()
    story.type()
    end(story)
    const next = story.type()
    expect(units(story).filter((unit) => (unit as { title: string }).title === 'Typing in “a.md”')).toEqual([
      { seq: 1, until: 2, title: 'Typing in “a.md”' },
      { seq: next, until: next, title: 'Typing in “a.md”' },
    ])
  })

  test('however steadily it goes on, one undo never takes more than ten minutes of it', () => {
    const story = tell()
    for (let ms = 0; ms < 3 * STRETCH_MAX_MS; ms += 31_000) {
      story.type()
      story.rest(30_000)
    }
    expect(units(story)).toHaveLength(3)
  })

  test('in an app’s own data only a quick burst is one: an item ticked later is a step of its own', () => {
    const story = tell()
    for (let digit = 0; digit < 3; digit++) story.type('todo.json')
    story.rest(STEP_REST_MS)
    story.type('todo.json')
    expect(units(story)).toEqual([
      { seq: 1, until: 3, title: 'Changed “todo.json”' },
      { seq: 4, until: 4, title: 'Changed “todo.json”' },
    ])
  })

  test('it is undone and redone whole; one event of it by itself leaves it', () => {
    const story = tell()
    const one = story.type()
    const two = story.type()
    story.undoEvent(one)
    story.undoEvent(two)
    expect(story.state().undo).toEqual([one])
    const undo = story.undoStretch(one)
    expect(story.state().undo).toEqual([])
    story.redo(undo)
    expect(story.state().undo).toEqual([one])
  })

  test('a restart in the middle of it does not show', () => {
    const facts = [1, 2, 3].map((seq) =>
      fact(seq, 'file.change', {}, { via: 'desktop', changes: [{ path: 'a.md' as TreePath, from: FILE, to: FILE, movedFrom: null }] }),
    )
    const database = new Database(':memory:')
    createTables(database, [undoStack]).apply(facts[0]!)
    const again = { ...undoStack, schema: '', indexes: '' }
    const after = createTables(database, [again])
    after.apply(facts[1]!, facts[2]!)
    expect(after.rows('SELECT seq, until FROM unit')).toEqual([{ seq: 1, until: 3 }])
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

  test('whatever is done anew clears redo; talking does not', () => {
    const clearing = [
      (story: ReturnType<typeof tell>) => story.land(),
      (story: ReturnType<typeof tell>) => story.restore(1),
      (story: ReturnType<typeof tell>) => story.edit(),
      (story: ReturnType<typeof tell>) => story.edit('desktop'),
      (story: ReturnType<typeof tell>) => story.type(),
    ]
    for (const clear of clearing) {
      const story = tell()
      story.undo(story.land())
      clear(story)
      expect(story.state().redo).toEqual([])
    }
    const story = tell()
    const undo = story.undo(story.land())
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
    const erased = story.append('erase', {}, { changes: [change('x')] })
    const undo = story.undoEvent(erased)
    expect(story.state()).toEqual({ undo: [], redo: [undo] })
    story.redo(undo)
    expect(story.state()).toEqual({ undo: [], redo: [] })
  })
})

describe('[UN3] undo of an undo', () => {
  test('brings back what it had taken, and the undone undo is no longer there to be redone', () => {
    const story = tell()
    const one = story.land()
    const undo = story.undo(one)
    const second = story.undoEvent(undo)
    expect(story.state()).toEqual({ undo: [one], redo: [second] })
  })

  test('redone, it is as if only the first undo had been: its redo is there again', () => {
    const story = tell()
    const one = story.land()
    const undo = story.undo(one)
    story.redo(story.undoEvent(undo))
    expect(story.state()).toEqual({ undo: [], redo: [undo] })
    story.redo(undo)
    expect(story.state()).toEqual({ undo: [one], redo: [] })
  })

  test('undo of a redo takes the run back again', () => {
    const story = tell()
    const one = story.land()
    const redo = story.redo(story.undo(one))
    const second = story.undoEvent(redo)
    expect(story.state()).toEqual({ undo: [], redo: [second] })
    story.redo(second)
    expect(story.state()).toEqual({ undo: [one], redo: [] })
  })

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

  test('what had been undone since the point is in effect again, and its redo is gone with it', () => {
    const story = tell()
    const [one, two] = [story.land(), story.land()]
    const undoOne = story.undo(one)
    const point = story.undoTo(two)
    expect(story.state()).toEqual({ undo: [two, one], redo: [point] })
    story.redo(point)
    expect(story.state()).toEqual({ undo: [two], redo: [undoOne] })
  })

  test('what was not in effect at the point stays out of effect', () => {
    const story = tell()
    const [one, two] = [story.land(), story.land()]
    const undoOne = story.undo(one)
    story.redo(undoOne)
    const point = story.undoTo(undoOne)
    expect(story.state()).toEqual({ undo: [two], redo: [point] })
    story.redo(point)
    expect(story.state()).toEqual({ undo: [two, one], redo: [] })
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
  test('a restore takes back the runs after its point, and undoing it brings them again', () => {
    const story = tell()
    const [one, two] = [story.land(), story.land()]
    const restore = story.restore(one)
    expect(story.state()).toEqual({ undo: [restore, one], redo: [] })
    const undo = story.undoEvent(restore)
    expect(story.state()).toEqual({ undo: [two, one], redo: [undo] })
    story.redo(undo)
    expect(story.state()).toEqual({ undo: [restore, one], redo: [] })
  })

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

describe('[UN6] after any history', () => {
  const minus = (all: Iterable<number>, some: ReadonlySet<number>) => new Set(Array.from(all).filter((item) => !some.has(item)))

  /** What the files would say: each run adds a file of its own, and an undo turns round what its target did to them. */
  function createFiles() {
    const deeds: { added: Set<number>; removed: Set<number>; now: Set<number> }[] = []
    let now = new Set<number>()
    const become = (next: Set<number>) => {
      deeds.push({ added: minus(next, now), removed: minus(now, next), now: next })
      now = next
    }
    return {
      land: (seq: number) => become(new Set([...now, seq])),
      goTo: (seq: number) => become(deeds[seq - 1]?.now ?? new Set()),
      invert: (seq: number) => become(new Set([...minus(now, deeds[seq - 1]?.added ?? new Set()), ...(deeds[seq - 1]?.removed ?? [])])),
      now: () => [...now].sort((a, b) => b - a),
    }
  }

  test('the runs in effect are exactly those whose files are there', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 6 }), fc.nat()), { minLength: 5, maxLength: 40 }), (choices) => {
        const story = tell()
        const files = createFiles()
        for (const [index, [kind, pick]] of choices.entries()) {
          const seq = index + 1
          const state = story.state()
          const any = 1 + (pick % Math.max(1, index))
          const target = state.undo[pick % Math.max(1, state.undo.length)]
          if (kind === 0 && index > 0) {
            story.undoEvent(any)
            files.invert(any)
          } else if (kind === 1 && index > 0) {
            story.undoTo(any)
            files.goTo(any)
          } else if (kind === 2 && state.redo[0] !== undefined) {
            story.redo(state.redo[0])
            files.invert(state.redo[0])
          } else if (kind < 5 && target !== undefined) {
            story.undo(target)
            files.invert(target)
          } else {
            story.land()
            files.land(seq)
          }
          expect(story.state().undo).toEqual(files.now())
        }
      }),
      { numRuns: 1000 },
    )
  })
})
