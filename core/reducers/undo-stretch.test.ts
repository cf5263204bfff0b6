import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TreePath } from '@choiros/contract/path.ts'
import { createTables, fact } from './table-harness.ts'
import { STEP_REST_MS, STRETCH_MAX_MS, STRETCH_REST_MS, undoStack } from './undo-stack.ts'
import { change, FILE, HASH, tellIn } from './undo-story.fake.ts'

const tell = () => tellIn(new Database(':memory:'))

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

  test('lived letter by letter, replayed at once or with batches that were taken back, the rows are the same', () => {
    const deeds = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 3 })), { maxLength: 40 })
    fc.assert(
      fc.property(deeds, fc.nat({ max: 40 }), (choices, settled) => {
        let time = 0
        const facts = choices.map(([kind, rest], index) => {
          time += [500, 1500, 40_000, 4 * 60_000][rest]!
          const typed = {
            path: ['a.md', 'b.md', 'c.json'][kind % 3] as TreePath,
            from: FILE,
            to: FILE,
            movedFrom: null,
          }
          const next =
            kind < 6
              ? fact(index + 1, 'file.change', {}, { via: 'desktop', changes: [typed] })
              : kind === 6
                ? fact(index + 1, 'undo', {
                    kind: 'stretch',
                    target: Math.max(1, index - 1),
                    tree: HASH,
                    windows: null,
                  })
                : fact(index + 1, 'window.open', {})
          return { ...next, event: { ...next.event, time } }
        })
        const lived = createTables(new Database(':memory:'), [undoStack])
        lived.apply(...facts)
        const replayed = createTables(new Database(':memory:'), [undoStack])
        replayed.replay(...facts.slice(0, settled))
        replayed.replay(...facts.slice(settled))
        expect(replayed.everything()).toEqual(lived.everything())
        const retried = createTables(new Database(':memory:'), [undoStack])
        for (const [index, next] of facts.entries()) {
          if (index % 3 === settled % 3) retried.takeBack(...facts.slice(index, index + 1 + (settled % 4)))
          retried.apply(next)
        }
        expect(retried.everything()).toEqual(lived.everything())
      }),
      { numRuns: 500 },
    )
  })

  test('a restart in the middle of it does not show', () => {
    const facts = [1, 2, 3].map((seq) =>
      fact(
        seq,
        'file.change',
        {},
        { via: 'desktop', changes: [{ path: 'a.md' as TreePath, from: FILE, to: FILE, movedFrom: null }] },
      ),
    )
    const database = new Database(':memory:')
    createTables(database, [undoStack]).apply(facts[0]!)
    const again = { ...undoStack, schema: '', indexes: '' }
    const after = createTables(database, [again])
    after.apply(facts[1]!, facts[2]!)
    expect(after.rows('SELECT seq, until FROM unit')).toEqual([{ seq: 1, until: 3 }])
  })
})
