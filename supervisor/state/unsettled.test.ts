import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import type { Event } from '@choiros/contract/event.ts'
import { eventIdFrom, NO_HASH, type ComputerId, type Seq, type UserId } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import { openState, type State } from './state.ts'

const folder = mkdtempSync(join(tmpdir(), 'choir-unsettled-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PATHS = 5
const OBJECTS = 4
const objectOf = (number: number) => sha256(`object ${number}`)

/**
 * Few paths and fewer objects, so that they come, go, and come back within one batch; now and then something is erased.
 */
function history(events: number): Fact[] {
  const facts: Fact[] = []
  const standing = new Map<string, Entry>()
  for (let seq = 1; seq <= events; seq++) {
    const path = `folder/${(seq * 7) % PATHS}.md` as TreePath
    const from = standing.get(path) ?? null
    const to: Entry | null =
      seq % 6 === 0 ? null : { kind: 'file', mode: '644', object: objectOf((seq * 5) % OBJECTS), size: 10 }
    const isErase = seq % 17 === 0
    const changes: Change[] = isErase || (from === null && to === null) ? [] : [{ path, from, to, movedFrom: null }]
    if (!isErase && to === null) standing.delete(path)
    else if (!isErase && to !== null) standing.set(path, to)
    const erased = isErase ? [objectOf(seq % OBJECTS)] : []
    const data = isErase ? { objects: erased, list: null, why: 'room' } : { changes, manifest: null }
    const event: Event = {
      id: eventIdFrom(seq, new Uint8Array(10)),
      computer: 'c' as ComputerId,
      seq: seq as Seq,
      time: seq,
      user: 'u' as UserId,
      source: 'user',
      via: seq % 2 === 0 ? 'desktop' : 'cli',
      type: isErase ? 'erase' : 'file.change',
      version: 1,
      data,
      run: null,
      cause: null,
      prev: facts.at(-1)?.event.hash ?? NO_HASH,
      hash: sha256(`event ${seq}`),
    }
    facts.push({ event, changes, erased, bytes: 100 })
  }
  return facts
}

/** What a decision looks at. */
function seen({ queries }: State) {
  const paths = Array.from({ length: PATHS }, (_, number) => queries.tree.entry(`folder/${number}.md` as TreePath))
  return { paths, kept: Array.from({ length: OBJECTS }, (_, number) => queries.kept(objectOf(number))) }
}

const FACTS = history(120)

test('a decision sees the same whether the rows of those before it are in the tables or not', () => {
  const settled = openState(join(folder, 'settled'))
  const waiting = openState(join(folder, 'waiting'))
  for (const state of [settled, waiting]) state.begin()
  for (const fact of FACTS) {
    settled.apply(fact)
    settled.settle()
    waiting.apply(fact)
    expect(seen(waiting)).toEqual(seen(settled))
  }
  expect(waiting.tableHashes()).toEqual(settled.tableHashes())
  for (const state of [settled, waiting]) {
    state.keep()
    state.close()
  }
})

test('whoever asks for anything else gets the rows of all events so far', () => {
  const state = openState(join(folder, 'asked'))
  state.begin()
  for (const fact of FACTS) {
    state.apply(fact)
    if (fact.event.seq % 3 > 0) continue
    const { queries } = state
    expect(new Map(queries.allEntries())).toEqual(queries.entriesAt(fact.event.seq))
    expect(queries.totals().history).toBe(100 * fact.event.seq)
  }
  state.keep()
  state.close()
})

test('a batch that is taken back leaves nothing to be settled later', () => {
  const lived = openState(join(folder, 'lived'))
  const disturbed = openState(join(folder, 'disturbed'))
  for (let at = 0; at < FACTS.length; at += 10) {
    const facts = FACTS.slice(at, at + 10)
    disturbed.begin()
    for (const fact of facts.slice(0, 7)) disturbed.apply(fact)
    disturbed.rollback()
    expect(seen(disturbed)).toEqual(seen(lived))
    for (const state of [lived, disturbed]) {
      state.begin()
      for (const fact of facts) state.apply(fact)
      state.settle()
      state.keep()
    }
    // Taken back, because its condition does not hold.
    disturbed.begin()
    expect(at + 10 >= FACTS.length || !disturbed.applyIf(FACTS[at + 10] as Fact, () => false)).toBe(true)
    disturbed.keep()
  }
  expect(disturbed.tableHashes()).toEqual(lived.tableHashes())
  for (const state of [lived, disturbed]) state.close()
})
