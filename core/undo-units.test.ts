import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '@choiros/contract/event.ts'
import { createTables, fact } from './reducers/table-harness.ts'
import { STRETCH_REST_MS, undoStack } from './reducers/undo-stack.ts'
import { createSmallComputer, type Step } from './undo-harness.ts'

interface UnitRow {
  readonly seq: number
  readonly until: number
  readonly title: string
}

/**
 * A small computer whose every event also goes through the undo stack: plain undo takes back the units that it names.
 */
function createLife() {
  const computer = createSmallComputer()
  const tables = createTables(new Database(':memory:'), [undoStack])
  let time = 0
  const told = (seq: number, via: Event['via'], type = 'file.change', data: Record<string, unknown> = {}) => {
    const next = fact(seq, type, data, { via, changes: [...computer.changesOf(seq)] })
    tables.apply({ ...next, event: { ...next.event, time: (time += 1000) } })
    return seq
  }
  const newest = () =>
    tables.rows('SELECT seq, until, title FROM unit WHERE undone_by IS NULL ORDER BY seq DESC LIMIT 1')[0] as
      | UnitRow
      | undefined
  return {
    computer,
    newest,
    rest: () => void (time += STRETCH_REST_MS),
    do: (via: Event['via'], ...steps: Step[]) => told(computer.change(...steps), via),
    /** Plain undo, or the reason of its refusal. */
    async undo() {
      const unit = newest()!
      const undone = await computer.undo(unit.seq, unit.until)
      if ('conflicts' in undone) return { ...undone, unit }
      const kind = unit.until > unit.seq ? 'stretch' : 'event'
      told(undone.seq, 'frame', 'undo', { kind, target: unit.seq })
      return { seq: undone.seq, unit }
    },
    async redo() {
      const [open] = tables.rows('SELECT seq FROM undone WHERE closed_by IS NULL ORDER BY seq DESC LIMIT 1') as {
        seq: number
      }[]
      if (open === undefined) return null
      const redone = await computer.undo(open.seq)
      if ('conflicts' in redone) return redone
      told(redone.seq, 'frame', 'undo', { kind: 'redo', target: open.seq })
      return redone
    },
  }
}

const DOCUMENTS = ['one.md', 'two.md', 'three.txt', 'todo.json']

/**
 * What people do to few documents: typing, mostly, and now and then something else. Steps that are not possible are
 * left out.
 */
function step(kind: number, pick: number, mark: number): { via: Event['via']; steps: Step[] } {
  const path = DOCUMENTS[pick % DOCUMENTS.length]!
  const other = DOCUMENTS[(pick + 1) % DOCUMENTS.length]!
  if (kind < 6) return { via: 'desktop', steps: [{ write: path, content: `words ${mark}\nof ${pick}\n` }] }
  if (kind === 6) return { via: 'desktop', steps: [{ remove: path }] }
  if (kind === 7) return { via: 'desktop', steps: [{ move: path, to: `renamed-${mark}.md` }] }
  if (kind === 8) return { via: 'cli', steps: [{ write: path, content: `by command ${mark}\n` }] }
  return {
    via: 'desktop',
    steps: [
      { write: path, content: `uploaded ${mark}` },
      { write: other, content: `with it ${mark}` },
    ],
  }
}

test('[L5] plain undo walks back through everything that was done, each time to exactly the tree before it, and redo comes back whole', async () => {
  const seen = { stretches: 0, units: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: 10 }), fc.nat({ max: 3 })), { minLength: 4, maxLength: 30 }),
      async (choices) => {
        const life = createLife()
        life.do('cli', ...DOCUMENTS.map((path) => ({ write: path, content: `${path}\n` })))
        const trees = new Map<number, string>([[1, createSmallComputer().hash()]])
        for (const [index, [kind, pick]] of choices.entries()) {
          if (kind === 10) {
            life.rest()
            continue
          }
          const before = life.computer.hash()
          const { via, steps } = step(kind, pick, index)
          try {
            trees.set(life.do(via, ...steps), before)
          } catch {
            continue // Not possible as the files are by now.
          }
        }
        const end = life.computer.hash()
        const path: string[] = [end]
        for (let unit = life.newest(); unit !== undefined; unit = life.newest()) {
          const undone = await life.undo()
          expect(undone).toHaveProperty('seq')
          expect(life.computer.hash()).toBe(trees.get(unit.seq))
          path.push(life.computer.hash())
          seen.units++
          if (unit.until > unit.seq) seen.stretches++
        }
        for (const expected of path.toReversed().slice(1)) {
          expect(await life.redo()).toHaveProperty('seq')
          expect(life.computer.hash()).toBe(expected)
        }
        expect(await life.redo()).toBeNull()
      },
    ),
    { numRuns: 300 },
  )
  expect(seen.stretches).toBeGreaterThan(100)
})

test('[L5] a stretch is taken back from under what was written elsewhere in the document since, or refuses and writes nothing', async () => {
  const lines = (first: string, last: string) => `${first}\na\nb\nc\nd\n${last}\n`
  const life = createLife()
  life.do('cli', { write: 'one.md', content: lines('top', 'end') })
  const typed = life.do('desktop', { write: 'one.md', content: lines('t', 'end') })
  const until = life.do('desktop', { write: 'one.md', content: lines('typed', 'end') })
  life.do('cli', { write: 'one.md', content: lines('typed', 'added by another device') })
  expect(await life.computer.undo(typed, until)).toHaveProperty('seq')
  expect(life.computer.text('one.md')).toBe(lines('top', 'added by another device'))

  life.do('desktop', { write: 'two.md', content: 'two\n' })
  const again = life.do('desktop', { write: 'two.md', content: 'two words\n' })
  const end = life.do('desktop', { write: 'two.md', content: 'two more words\n' })
  life.do('cli', { write: 'two.md', content: 'quite other words\n' })
  const before = life.computer.hash()
  expect(await life.computer.undo(again, end)).toHaveProperty('conflicts')
  expect(life.computer.hash()).toBe(before)
})
