import type { Change } from '@choiros/contract/change.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Reducer } from './reducer.ts'

/**
 * A rebuild gathers so many objects before it writes them: most come and go again in between, and then cost one row.
 * Their keys are spread over the whole table, so they are written in its order: each page is written once.
 */
const GATHERED_MAX = 40_000

/**
 * How many digits of a hash name an object here: numbers make small rows in a table that is written at random places.
 * If two objects share a number, which is unlikely among a million, they are counted once.
 */
const DIGITS = 13

export function roomKey(object: Hash): number {
  return Number.parseInt(object.slice(0, DIGITS), 16)
}

/** By how many more or fewer paths each object is held. */
export type Held = Map<number, { readonly size: number; readonly live: number }>

export function noteHeld(held: Held, changes: readonly Change[]): void {
  for (const { from, to } of changes) {
    noteEntry(held, from, -1)
    noteEntry(held, to, 1)
  }
}

function noteEntry(held: Held, entry: Change['to'], by: 1 | -1): void {
  if (entry === null || entry.object === null || entry.size === 0) return
  const key = roomKey(entry.object)
  const before = held.get(key)
  held.set(key, { size: before?.size ?? entry.size, live: (before?.live ?? 0) + by })
}

/**
 * How much room the computer takes: every object that a version of a file holds, with the number of paths of the
 * present tree that hold it (`live`; none: an old version); and the bytes of the log.
 */
export const room: Reducer = {
  name: 'room',
  version: 1,
  tables: ['kept', 'history'],
  schema: `
    CREATE TABLE kept (object INTEGER PRIMARY KEY, size INTEGER NOT NULL, live INTEGER NOT NULL) STRICT;
    CREATE TABLE history (one INTEGER PRIMARY KEY CHECK (one = 1), bytes INTEGER NOT NULL) STRICT;
  `,
  statements: {
    keep: 'INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET live = live + excluded.live',
    erase: 'DELETE FROM kept WHERE object = ? AND live <= 0',
    grow: 'INSERT INTO history VALUES (1, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes',
  },
  together: ['keep'],
  start(write) {
    let gathered: Held = new Map()
    let bytes = 0
    const flush = () => {
      if (gathered.size === 0) return
      for (const key of Float64Array.from(gathered.keys()).sort()) {
        const { size, live } = gathered.get(key)!
        write('keep', key, size, live)
      }
      gathered = new Map()
    }
    return {
      apply(fact) {
        bytes += fact.bytes
        noteHeld(gathered, fact.changes)
        if (fact.erased.length > 0) {
          flush()
          for (const object of fact.erased) write('erase', roomKey(object))
        } else if (gathered.size >= GATHERED_MAX) flush()
      },
      settle() {
        flush()
        if (bytes > 0) write('grow', bytes)
        bytes = 0
      },
    }
  },
}
