import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { change, tellIn } from './undo-story.fake.ts'

const tell = () => tellIn(new Database(':memory:'))

describe('[UN1] what can be undone', () => {
  test('landed runs, restores and every change of files are units, whoever made it; talking is none', () => {
    const story = tell()
    story.land('r1')
    story.edit('cli')
    story.edit('desktop')
    story.edit('terminal')
    story.note()
    story.restore(1)
    expect(
      story.tables.rows('SELECT seq, until, scope, type, via, run, title, about, point FROM unit ORDER BY seq'),
    ).toEqual([
      {
        seq: 1,
        until: 1,
        scope: 'runs',
        type: 'run.land',
        via: 'cli',
        run: 'r1',
        title: 'run r1',
        about: '',
        point: null,
      },
      ...(['cli', 'desktop', 'terminal'] as const).map((via, index) => {
        const seq = index + 2
        return {
          seq,
          until: seq,
          scope: 'own',
          type: 'file.change',
          via,
          run: null,
          title: 'Added “a”',
          about: 'a',
          point: null,
        }
      }),
      {
        seq: 6,
        until: 6,
        scope: 'own',
        type: 'restore',
        via: 'cli',
        run: null,
        title: 'Went back to an earlier point',
        about: '',
        point: 1,
      },
    ])
  })

  test('a change that touched nothing is no unit', () => {
    const story = tell()
    story.append('file.change', {}, { changes: [] })
    expect(story.state()).toEqual({ undo: [], redo: [] })
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
  const minus = (all: Iterable<number>, some: ReadonlySet<number>) =>
    new Set(Array.from(all).filter((item) => !some.has(item)))

  /** How the files would be: each run adds a file of its own, and an undo reverses what its target did to them. */
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
      invert: (seq: number) =>
        become(new Set([...minus(now, deeds[seq - 1]?.added ?? new Set()), ...(deeds[seq - 1]?.removed ?? [])])),
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
