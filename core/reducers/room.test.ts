import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Fact } from './reducer.ts'
import { room, roomKey } from './room.ts'
import { createTables, fact } from './table-harness.ts'

const entry = (content: string): Entry => ({ kind: 'file', mode: '644', object: sha256(content), size: content.length })
const change = (path: string, from: string | null, to: string | null): Change => ({
  path: path as TreePath,
  from: from === null ? null : entry(from),
  to: to === null ? null : entry(to),
  movedFrom: null,
})
const create = () => createTables(new Database(':memory:'), [room])
const old = (tables: ReturnType<typeof create>) =>
  tables.rows('SELECT coalesce(sum(size), 0) AS bytes FROM kept WHERE live <= 0')[0]

describe('[RD9] room', () => {
  test('bytes become old with the last path that holds them, and come back with the first', () => {
    const tables = create()
    tables.apply(fact(1, 'file.change', {}, { changes: [change('a', null, 'one'), change('b', null, 'one')] }))
    expect(old(tables)).toEqual({ bytes: 0 })
    tables.apply(fact(2, 'file.change', {}, { changes: [change('a', 'one', 'other')] }))
    expect(old(tables)).toEqual({ bytes: 0 })
    tables.apply(fact(3, 'file.change', {}, { changes: [change('b', 'one', null)] }))
    expect(old(tables)).toEqual({ bytes: 3 })
    tables.apply(fact(4, 'undo', {}, { changes: [change('b', null, 'one')] }))
    expect(old(tables)).toEqual({ bytes: 0 })
  })

  test('what is erased takes no room, and written again it does', () => {
    const tables = create()
    tables.apply(
      fact(1, 'file.change', {}, { changes: [change('a', null, 'one')] }),
      fact(2, 'file.change', {}, { changes: [change('a', 'one', 'two')] }),
    )
    tables.apply(fact(3, 'erase', {}, { erased: [sha256('one')] }))
    expect(old(tables)).toEqual({ bytes: 0 })
    tables.apply(
      fact(4, 'file.change', {}, { changes: [change('a', 'two', 'one')] }),
      fact(5, 'file.change', {}, { changes: [change('a', 'one', null)] }),
    )
    expect(old(tables)).toEqual({ bytes: 6 })
  })

  test('the log grows by every event', () => {
    const tables = create()
    tables.apply(fact(1, 'message', {}, { bytes: 100 }), fact(2, 'never.heard', {}, { bytes: 23 }))
    expect(tables.rows('SELECT bytes FROM history')).toEqual([{ bytes: 123 }])
  })

  test('lived event by event or replayed at once, the rows are the same, and count what is old', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 5 })), { maxLength: 40 }),
        fc.nat({ max: 40 }),
        (deeds, settled) => {
          const present = new Map<string, string>()
          const ever = new Map<string, number>()
          const facts: Fact[] = deeds.map(([file, content], index) => {
            const path = `file ${file}`
            const from = present.get(path) ?? null
            const to = content === 0 ? null : 'x'.repeat(content)
            if (content === 5 && from === null) {
              const gone = [...ever.keys()].filter((text) => ![...present.values()].includes(text))
              for (const text of gone) ever.delete(text)
              return fact(index + 1, 'erase', {}, { erased: gone.map((text) => sha256(text)), bytes: 1 })
            }
            if (from === to) return fact(index + 1, 'message', {}, { bytes: 1 })
            if (to === null) present.delete(path)
            else present.set(path, to)
            if (to !== null) ever.set(to, to.length)
            return fact(index + 1, 'file.change', {}, { changes: [change(path, from, to)], bytes: 1 })
          })
          const lived = create()
          lived.apply(...facts)
          const replayed = create()
          replayed.replay(...facts.slice(0, settled))
          replayed.replay(...facts.slice(settled))
          expect(replayed.everything()).toEqual(lived.everything())
          const live = new Set(present.values())
          expect(old(lived)).toEqual({
            bytes: [...ever].filter(([text]) => !live.has(text)).reduce((sum, [, size]) => sum + size, 0),
          })
        },
      ),
      { numRuns: 500 },
    )
  })

  test('a key is a whole number that every engine holds exactly', () => {
    expect(Number.isSafeInteger(roomKey('f'.repeat(64) as never))).toBe(true)
  })
})
