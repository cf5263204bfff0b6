import { describe, expect, test } from 'vitest'
import { canonicalBytes, sha256 } from '@choiros/contract/canonical.ts'
import { FOLDER, type Change, type Entry } from '@choiros/contract/change.ts'
import { hasCode } from '@choiros/contract/error.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { changesIn, changesProblem, objectsOf, packChanges, parseManifest, placesProblem } from './facts.ts'
import { fact } from './reducers/table-harness.ts'
import { readTreeMap } from './tree.ts'

const file = (text: string): Entry => ({ kind: 'file', mode: '644', object: sha256(text), size: text.length })
const link = (target: string): Entry => ({ kind: 'symlink', mode: '777', object: sha256(target), size: target.length })
const change = (path: string, from: Entry | null, to: Entry | null, movedFrom: string | null = null): Change => ({
  path: path as TreePath,
  from,
  to,
  movedFrom: movedFrom as TreePath | null,
})
const many = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => change(name(index), null, file('x')))

describe('[FA1] packing changes', () => {
  test('few changes are in the event, many are in a manifest that gives them back', () => {
    const few = many(LIMITS.inlineChangesMax, (index) => `app/${index}`)
    expect(packChanges(few)).toEqual({ changes: few, manifest: null })
    const more = many(LIMITS.inlineChangesMax + 1, (index) => `app/${index}`)
    const packed = packChanges(more)
    expect(packed.changes).toEqual([])
    expect(parseManifest(packed.manifest ?? Buffer.alloc(0))).toEqual(more)
  })

  test('whatever the names are, what is in the event fits into an event', () => {
    const names = [
      (index: number) => `${'\u0001'.repeat(160)}${index}`,
      (index: number) => `${'\uffff'.repeat(80)}/${'\u{1f600}'.repeat(60)}${index}`,
      (index: number) => `${'d/'.repeat(500)}${index}`,
    ]
    for (const name of names) {
      for (const count of [50, 150, LIMITS.inlineChangesMax]) {
        const moves = many(count, name).map((made) => ({ ...made, movedFrom: made.path }))
        expect(canonicalBytes(packChanges(moves).changes).length).toBeLessThan(LIMITS.eventBytesMax * 0.9)
      }
    }
  })

  test('more than the limit is refused, not cut', () => {
    const tooMany = { length: LIMITS.changesMax + 1 } as Change[]
    expect(() => packChanges(tooMany)).toThrow(expect.toSatisfy((error) => hasCode(error, 'quota.exceeded')))
  })
})

describe('[FA2] reading an event', () => {
  test('changes come from the event or its manifest; a type that carries none has none, whatever it claims', () => {
    const changes = [change('a', null, file('x'))]
    expect(changesIn(fact(1, 'file.change', { changes, manifest: null }).event)).toEqual({ changes })
    expect(changesIn(fact(1, 'file.change', { changes: [], manifest: sha256('m') }).event)).toEqual({
      manifest: sha256('m'),
    })
    expect(changesIn(fact(1, 'message', { changes }).event)).toEqual({ changes: [] })
    expect(changesIn(fact(1, 'never.heard', { changes, manifest: sha256('m') }).event)).toEqual({ changes: [] })
  })

  test('the objects it needs are those it names and those its changes arrive at', () => {
    const event = fact(1, 'base.install', {
      manifest: sha256('m'),
      dependencies: sha256('d'),
      object: 'not a hash',
    }).event
    expect(
      objectsOf(event, [
        change('a', file('old'), file('new')),
        change('b', file('gone'), null),
        change('c', null, FOLDER),
      ]),
    ).toEqual([sha256('m'), sha256('d'), sha256('new')])
  })
})

describe('[FA3] changes of a stranger’s log', () => {
  const tree = readTreeMap(
    new Map([
      ['a' as TreePath, file('a')],
      ['d/x' as TreePath, file('x')],
    ]),
  )
  const targets = new Map(['../out', 'a', '../a'].map((target) => [sha256(target) as string, target]))
  const problem = (...changes: Change[]) =>
    changesProblem(tree, changes, (entry) => targets.get(entry.object ?? '') ?? null)

  test('that follow on from the tree are taken', () => {
    expect(
      problem(change('a', file('a'), file('b')), change('n', null, link('a')), change('d/l', null, link('../a'))),
    ).toBeNull()
  })

  test('that do not are named: twice the same path, another start, an ignored folder, a link that leads out', () => {
    expect(problem(change('n', null, file('1')), change('n', null, file('2')))).toContain('twice')
    expect(problem(change('a', file('b'), file('c')))).toContain('does not start')
    expect(problem(change('n', file('b'), null))).toContain('does not start')
    expect(problem(change('x/node_modules/n', null, file('1')))).toContain('ignored')
    expect(problem(change('l', null, link('../out')))).toContain('leaves the computer')
  })

  test('that leave something below a file are named once they are in place', () => {
    const after = readTreeMap(
      new Map([
        ['d' as TreePath, file('d')],
        ['d/x' as TreePath, file('x')],
      ]),
    )
    expect(placesProblem(after, [change('d', null, file('d'))])).toContain('is a folder')
    expect(placesProblem(after, [change('d/x', null, file('x'))])).toContain('is a file')
    expect(placesProblem(tree, [change('a', null, file('a')), change('gone', file('x'), null)])).toBeNull()
  })
})
