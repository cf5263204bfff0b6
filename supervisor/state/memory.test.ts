import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { projectMemory } from '@choiros/core/memory/memory.ts'
import { REDUCERS } from '@choiros/core/reducers/all.ts'
import { createTables, fact } from '@choiros/core/reducers/table-harness.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import { createQueries } from './queries.ts'

const TREE = sha256('tree')
const NOTHING = { event: null, tree: null, files: [] }
/** A file that every run here makes, unless another is named. */
const A_FILE = { ...NOTHING, files: [{ path: 'app/a.ts', object: null }] }

/** A life told event by event, in the real tables, read by the real queries. */
function live() {
  const database = new Database(':memory:')
  const tables = createTables(database, REDUCERS)
  const queries = createQueries(database)
  const facts: Fact[] = []
  const tree = new Map<string, Entry>()
  const append = (
    type: string,
    data: Record<string, unknown>,
    more: { run?: string; changes?: Change[] } = {},
  ): number => {
    const next = fact(facts.length + 1, type, data, more)
    facts.push(next)
    tables.apply(next)
    for (const { path, to } of next.changes)
      if (to === null) tree.delete(path)
      else tree.set(path, to)
    return next.event.seq
  }
  const put = (path: string, text: string): Change => ({
    path: path as TreePath,
    from: tree.get(path) ?? null,
    to: { kind: 'file', mode: '644', object: sha256(text), size: text.length },
    movedFrom: null,
  })
  const inverse = (seq: number): Change[] =>
    (facts[seq - 1]?.changes ?? []).map(({ path, from }) => ({
      path,
      from: tree.get(path) ?? null,
      to: from,
      movedFrom: null,
    }))
  let notes = 0
  return {
    facts,
    append,
    tables,
    queries,
    ask: (run: string, text = `wish ${run}`) => {
      const seq = append(
        'message',
        { role: 'user', text, object: null, signature: null, wishes: [], offers: [] },
        { run },
      )
      append('run.start', { base: seq }, { run })
      return seq
    },
    note: (run: string, type = 'note.observation', more: Record<string, unknown> = {}): string => {
      const note = `n${++notes}`
      const of = type === 'note.observation' ? { of: 'computer' } : {}
      append(
        type,
        { note, text: `Number ${notes} is so`, topic: `t${notes}`, by: 'associate', rests: A_FILE, ...of, ...more },
        { run },
      )
      return note
    },
    land: (run: string, path = 'app/a.ts', text = `by ${run}`) =>
      append(
        'run.land',
        { tree: TREE, verified: TREE, attestation: TREE, summary: run },
        { run, changes: [put(path, text)] },
      ),
    write: (path: string, text: string) => append('file.change', {}, { changes: [put(path, text)] }),
    undo: (target: number) =>
      append('undo', { kind: 'run', target, tree: TREE, windows: null }, { changes: inverse(target) }),
    redo: (target: number) =>
      append('undo', { kind: 'redo', target, tree: TREE, windows: null }, { changes: inverse(target) }),
    point: (to: number) => append('restore', { to, tree: TREE, windows: [] }),
    revert: (land: number, run: string, goesOn = false) =>
      append('run.revert', { land, reason: 'bad', goesOn, tree: TREE }, { run, changes: inverse(land) }),
    memory: () => projectMemory(queries.notes()),
    states: () => projectMemory(queries.notes()).map(({ note, part, state }) => `${note} ${part} ${state}`),
  }
}

describe('[MM6] the memory follows what it rests on', () => {
  test('an observation is supposed, asserted when its run lands, falls with an undo and comes back with redo', () => {
    const life = live()
    life.ask('r1')
    life.note('r1')
    expect(life.states()).toEqual(['n1 hypothesize stands'])
    const land = life.land('r1')
    expect(life.states()).toEqual(['n1 assert stands'])
    const undo = life.undo(land)
    expect(life.states()).toEqual(['n1 hypothesize fallen'])
    life.redo(undo)
    expect(life.states()).toEqual(['n1 assert stands'])
    expect(life.memory()[0]).toMatchObject({ run: 'r1', asked: 'wish r1' })
  })

  test('it falls when its run is reverted, and stands when the same run has mended it and landed again', () => {
    const life = live()
    life.ask('r1')
    life.note('r1')
    life.revert(life.land('r1'), 'r1', true)
    expect(life.states()).toEqual(['n1 hypothesize fallen'])
    life.land('r1', 'app/a.ts', 'mended')
    expect(life.states()).toEqual(['n1 assert stands'])
  })

  test('it falls when everything goes back to a point before its run, and not to one after it', () => {
    const life = live()
    const before = life.write('artifacts/x.md', 'x')
    life.ask('r1')
    life.note('r1')
    const after = life.land('r1')
    life.write('artifacts/x.md', 'y')
    life.point(after)
    expect(life.states()).toEqual(['n1 assert stands'])
    life.point(before)
    expect(life.states()).toEqual(['n1 hypothesize fallen'])
  })

  test('an import makes it all supposed, until the person says here that it is so; a fork does not', () => {
    const after = (how: string) => {
      const life = live()
      life.ask('r1', 'I prefer tea')
      life.note('r1')
      life.land('r1')
      life.append('fork', { name: 'other', how, origin: { computer: 'x', seq: 1, hash: TREE } })
      return life
    }
    expect(
      after('fork')
        .memory()
        .map(({ part }) => part),
    ).toEqual(['assert', 'believe'])
    const life = after('import')
    expect(life.memory().map(({ part, imported }) => [part, imported])).toEqual([
      ['hypothesize', true],
      ['hypothesize', true],
    ])
    const said = life.memory()[1]
    life.append('memory.correct', { note: said?.note, text: said?.text })
    expect(life.memory()[1]).toMatchObject({ part: 'believe', why: 'you said that it is so', imported: false })
    life.ask('r2', 'I prefer coffee')
    expect(life.memory()[0]).toMatchObject({ part: 'believe', imported: false })
  })

  test('one that speaks of a file holds while the file is as it landed', () => {
    const life = live()
    life.ask('r1')
    life.note('r1', 'note.observation', {
      rests: {
        ...NOTHING,
        files: [
          { path: 'app/a.ts', object: null },
          { path: 'app/none.ts', object: null },
        ],
      },
    })
    life.land('r1', 'app/a.ts', 'landed')
    expect(life.states()).toEqual(['n1 assert stands'])
    life.write('app/a.ts', 'by hand')
    expect(life.states()).toEqual(['n1 hypothesize fallen'])
    life.write('app/a.ts', 'landed')
    expect(life.states()).toEqual(['n1 assert stands'])
    life.write('app/none.ts', 'there is one now')
    expect(life.states()).toEqual(['n1 hypothesize fallen'])
  })

  test('what the person said of themselves stays, with its message, whatever becomes of the run', () => {
    const life = live()
    const said = life.ask('r1', 'make it dark. I prefer dark screens')
    life.undo(life.land('r1'))
    expect(life.memory()).toMatchObject([
      { part: 'believe', state: 'stands', text: 'I prefer dark screens', by: 'person', seq: said, run: 'r1' },
    ])
  })

  test('edits of the person: correct, forget, add, and back again', () => {
    const life = live()
    const said = () => life.memory().map(({ text, state }) => `${text} ${state}`)
    life.ask('r1', 'I prefer tea')
    const [entry] = life.memory()
    const correct = life.append('memory.correct', { note: entry!.note, text: 'I prefer coffee' })
    expect(said()).toEqual(['I prefer coffee stands'])
    const forget = life.append('memory.forget', { notes: [entry!.note, 'unknown'] })
    expect(said()).toEqual(['I prefer coffee forgotten'])
    life.append('memory.back', { note: entry!.note, edit: forget })
    life.append('memory.back', { note: entry!.note, edit: correct })
    expect(said()).toEqual(['I prefer tea stands'])
    life.append('memory.add', { note: 'mine', part: 'drive', text: 'I want to rest', topic: '' })
    expect(said()).toEqual(['I want to rest stands', 'I prefer tea stands'])
  })
})

describe('[MM7] [L11] the memory is bounded', () => {
  test('of a flood of notes the strongest and newest stay, and nothing of the person goes for it', () => {
    const life = live()
    life.ask('r0', 'I prefer tea')
    life.append('memory.add', { note: 'mine', part: 'believe', text: 'I am me', topic: '' })
    life.ask('r1')
    const first = life.note('r1')
    life.note('r1', 'note.status')
    life.land('r1')
    for (let index = 0; index < 2 * LIMITS.memoryEntriesMax; index++) life.note('r2', 'note.conjecture')
    const rows = life.queries.notes()
    expect(rows.filter(({ by }) => by !== 'person')).toHaveLength(LIMITS.memoryEntriesMax)
    expect(rows.filter(({ by }) => by === 'person')).toHaveLength(2)
    expect(rows.map(({ note }) => note)).toContain(first)
    expect(rows.map(({ kind }) => kind)).not.toContain('status')
    expect(life.tables.rows('SELECT count(*) AS count FROM memory_file')).toEqual([{ count: LIMITS.memoryEntriesMax }])
  })

  test('long notes are fewer', () => {
    const life = live()
    life.ask('r1')
    for (let index = 0; index < 150; index++)
      life.note('r1', 'note.hypothesis', { text: 'ü'.repeat(LIMITS.noteCharsMax) })
    const [{ bytes } = { bytes: 0 }] = life.tables.rows('SELECT sum(bytes) AS bytes FROM memory') as { bytes: number }[]
    expect(bytes).toBeLessThanOrEqual(LIMITS.memoryBytesMax)
    expect(bytes).toBeGreaterThan(LIMITS.memoryBytesMax / 2)
  })

  test('a person who says much keeps what they wrote by hand, and edits of one entry are not endless', () => {
    const life = live()
    life.append('memory.add', { note: 'mine', part: 'believe', text: 'I am me', topic: '' })
    for (let index = 0; index < 300; index++) life.ask(`r${index}`, `I prefer number ${index}`)
    for (let index = 0; index < 100; index++) life.append('memory.correct', { note: 'mine', text: `I am ${index}` })
    expect(life.queries.notes()).toHaveLength(LIMITS.memoryEntriesMax)
    expect(life.memory().find(({ note }) => note === 'mine')).toMatchObject({ text: 'I am 99', state: 'stands' })
    expect(life.tables.rows('SELECT count(*) AS count FROM memory_edit')).toEqual([{ count: LIMITS.memoryEditsMax }])
  })
})

type Step = (life: ReturnType<typeof live>, pick: (limit: number) => number) => void
const STEPS: Readonly<Record<string, Step>> = {
  says: (life, pick) =>
    void life.ask(`r${pick(4)}`, ['I prefer tea', 'make it dark', 'never use red. I like short answers'][pick(3)]),
  notes: (life, pick) =>
    void life.note(`r${pick(4)}`, ['note.observation', 'note.hypothesis', 'note.request.verify'][pick(3)], {
      topic: ['', 'a', 'b'][pick(3)],
      rests: { ...NOTHING, files: pick(2) === 0 ? [] : [{ path: `app/${'ab'[pick(2)]}.ts`, object: null }] },
    }),
  lands: (life, pick) => void life.land(`r${pick(4)}`, `app/${'ab'[pick(2)]}.ts`, `text ${pick(3)}`),
  writes: (life, pick) => void life.write(`app/${'ab'[pick(2)]}.ts`, `text ${pick(3)}`),
  undoes(life) {
    const newest = life.queries.newestUnit('any')
    if (newest !== null) life.undo(newest.seq)
  },
  redoes(life) {
    const open = life.queries.openUndo()
    if (open !== null) life.redo(open.seq)
  },
  restores: (life, pick) => void (life.facts.length > 0 && life.point(1 + pick(life.facts.length))),
  corrects(life, pick) {
    const entries = life.memory()
    const entry = entries[pick(Math.max(1, entries.length))]
    if (entry !== undefined) life.append('memory.correct', { note: entry.note, text: `It is ${pick(3)}` })
  },
  forgets(life, pick) {
    const entries = life.memory()
    const entry = entries[pick(Math.max(1, entries.length))]
    if (entry !== undefined) life.append('memory.forget', { notes: [entry.note] })
  },
  bringsBack(life) {
    const entry = life.memory().find(({ edit }) => edit !== null)
    if (entry !== undefined) life.append('memory.back', { note: entry.note, edit: entry.edit })
  },
}

const told = fc.array(
  fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 })),
  { maxLength: 40 },
)

function tell(story: readonly (readonly [string, readonly number[]])[]) {
  const life = live()
  for (const [step, numbers] of story) {
    const left = [...numbers]
    STEPS[step]!(life, (limit) => (left.shift() ?? 0) % limit)
  }
  return life
}

describe('[MM8] whatever happens', () => {
  test('[L2] a replay, all at once, gives the same tables and the same memory', () => {
    fc.assert(
      fc.property(told, (story) => {
        const life = tell(story)
        const database = new Database(':memory:')
        const again = createTables(database, REDUCERS)
        again.replay(...life.facts)
        expect(again.everything()).toEqual(life.tables.everything())
        expect(projectMemory(createQueries(database).notes())).toEqual(life.memory())
      }),
      { numRuns: 60 },
    )
  })

  test('[L5] an undo and its redo leave the memory as it was', () => {
    fc.assert(
      fc.property(told, (story) => {
        const life = tell(story)
        const newest = life.queries.newestUnit('any')
        if (newest === null) return
        const before = life.memory()
        life.redo(life.undo(newest.seq))
        expect(life.memory()).toEqual(before)
      }),
      { numRuns: 100 },
    )
  })

  test('forgetting and bringing back leaves it as it was, and nothing of an undone run is told to agents', () => {
    fc.assert(
      fc.property(told, (story) => {
        const life = tell(story)
        const undone = new Set(
          life.queries
            .notes()
            .flatMap(({ landed, inEffect, note, by, kind, edits }) =>
              landed !== null &&
              !inEffect &&
              by !== 'person' &&
              kind !== 'believe' &&
              kind !== 'drive' &&
              edits.every(({ back }) => back)
                ? [note]
                : [],
            ),
        )
        expect(life.memory().filter(({ note, state }) => undone.has(note) && state === 'stands')).toEqual([])
        const before = life.memory()
        const entry = before.find(({ state }) => state === 'stands')
        if (entry === undefined) return
        const edit = life.append('memory.forget', { notes: [entry.note] })
        expect(life.memory().find(({ note }) => note === entry.note)?.state).toBe('forgotten')
        life.append('memory.back', { note: entry.note, edit })
        expect(life.memory()).toEqual(before)
      }),
      { numRuns: 100 },
    )
  })
})
