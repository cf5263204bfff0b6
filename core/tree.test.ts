import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { FOLDER, type Entry } from '@choiros/contract/change.ts'
import { comparePaths, type TreePath } from '@choiros/contract/path.ts'
import { editTree } from './tree-edit.ts'
import {
  applyChanges,
  diffTrees,
  hashAfterChanges,
  hashTree,
  hasBelow,
  isFolder,
  listAt,
  placeProblem,
  readTreeMap,
  type TreeMap,
} from './tree.ts'

const path = (text: string) => text as TreePath
const file = (text: string, mode: '644' | '755' = '644'): Entry => ({
  kind: 'file',
  mode,
  object: sha256(text),
  size: text.length,
})
const link = (target: string): Entry => ({ kind: 'symlink', mode: '777', object: sha256(target), size: target.length })

function treeOf(entries: Record<string, Entry>): Map<TreePath, Entry> {
  return new Map(Object.entries(entries) as [TreePath, Entry][])
}

const sorted = (tree: TreeMap) => [...tree].sort(([a], [b]) => comparePaths(a, b))

const anyEntry = fc.oneof(
  fc.constantFrom('a', 'b', 'c').map((text) => file(text)),
  fc.constant(file('a', '755')),
  fc.constant(link('a')),
  fc.constant(FOLDER),
)
const anyPath = fc
  .array(fc.constantFrom('a', 'b', 'a!', '\u{1f600}', '\uffff'), { minLength: 1, maxLength: 3 })
  .map((parts) => path(parts.join('/')))
const anyTree = fc.array(fc.tuple(anyPath, anyEntry), { maxLength: 12 }).map((entries) => new Map(entries))

describe('[TR1] a tree’s hash', () => {
  const tree = treeOf({
    'a.txt': file('one'),
    'run.sh': file('two', '755'),
    'docs/link': link('../a.txt'),
    'empty': FOLDER,
  })

  test('does not depend on the order in which the paths came', () => {
    expect(hashTree(new Map([...tree].reverse()))).toBe(hashTree(tree))
  })

  test('changes with a path, a kind, a mode and an object, and with nothing else', () => {
    const variants = [
      treeOf({ ...Object.fromEntries(tree), 'a.txt': file('other') }),
      treeOf({ ...Object.fromEntries(tree), 'run.sh': file('two') }),
      treeOf({ ...Object.fromEntries(tree), 'docs/link': file('../a.txt') }),
      treeOf({ ...Object.fromEntries(tree), more: FOLDER }),
      new Map([...tree].slice(1)),
      new Map(),
    ]
    expect(new Set([tree, ...variants].map(hashTree)).size).toBe(7)
    const sizes = treeOf({ ...Object.fromEntries(tree), 'a.txt': { ...file('one'), size: 999 } as Entry })
    expect(hashTree(sizes)).toBe(hashTree(tree))
  })

  test('is not fooled by a name that looks like the next line', () => {
    const trick = treeOf({ [`a\nb\u0001file`]: file('x') })
    expect(hashTree(trick)).not.toBe(hashTree(treeOf({ a: file('x'), b: file('x') })))
  })

  test('after changes is the hash of the changed tree', () => {
    fc.assert(
      fc.property(anyTree, anyTree, (from, to) => {
        const changes = diffTrees(from, to)
        expect(hashAfterChanges(sorted(from), changes)).toBe(hashTree(to))
      }),
      { numRuns: 2000 },
    )
  })

  test('of 100,000 paths is taken in pieces and equals itself', () => {
    const large = new Map(
      Array.from({ length: 100_000 }, (_, index) => [path(`app/${index % 100}/${index}`), file('x')] as const),
    )
    expect(hashAfterChanges(sorted(large), [])).toBe(hashTree(large))
  })
})

describe('[TR2] a tree’s hash is that of what lies on a disk', () => {
  test('a folder that holds something is the same with and without an entry of its own', () => {
    const bare = treeOf({ 'd/x': file('x'), 'd-e/y': file('y'), 'd.txt': file('t') })
    expect(hashTree(treeOf({ ...Object.fromEntries(bare), 'd': FOLDER, 'd-e': FOLDER }))).toBe(hashTree(bare))
    expect(hashTree(treeOf({ 'a': FOLDER, 'a/b': FOLDER, 'a/b/c': file('x') }))).toBe(
      hashTree(treeOf({ 'a/b/c': file('x') })),
    )
  })

  test('an empty folder counts, also beside names that begin like it', () => {
    const beside = treeOf({ 'd-e/y': file('y'), 'd.txt': file('t'), 'd0': file('z'), 'de/f': file('x') })
    expect(hashTree(treeOf({ ...Object.fromEntries(beside), d: FOLDER }))).not.toBe(hashTree(beside))
    expect(hashTree(treeOf({ 'a/b': FOLDER }))).not.toBe(hashTree(treeOf({ 'a/c': FOLDER })))
  })

  test('equals the hash of the tree as a disk would give it back', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const seen = [...tree].filter(([at, entry]) => entry.kind !== 'folder' || !hasBelow(readTreeMap(tree), at))
        expect(hashTree(tree)).toBe(hashTree(new Map(seen)))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('[TR3] differences', () => {
  test('applied to the one tree they give the other, and nothing else', () => {
    fc.assert(
      fc.property(anyTree, anyTree, (from, to) => {
        const changes = diffTrees(from, to)
        expect(applyChanges(from, changes)).toEqual(to)
        expect(changes.map((change) => change.path)).toEqual(changes.map((change) => change.path).sort(comparePaths))
        expect(diffTrees(to, applyChanges(from, changes))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  test('changes that start from something else are a bug, not an overwrite', () => {
    expect(() =>
      applyChanges(treeOf({ a: file('now') }), [{ path: path('a'), from: file('then'), to: null, movedFrom: null }]),
    ).toThrow('not what the change starts from')
  })
})

describe('[TR4] an edited tree', () => {
  test('reads as if the edits had been made, and remembers what changed', () => {
    const edits = fc.array(fc.tuple(anyPath, fc.option(anyEntry)), { maxLength: 60 })
    fc.assert(
      fc.property(anyTree, edits, (base, puts) => {
        const edit = editTree(readTreeMap(base))
        const model = new Map(base)
        for (const [at, entry] of puts) {
          edit.put(at, entry)
          if (entry === null) model.delete(at)
          else model.set(at, entry)
        }
        for (const folder of ['', 'a', 'b', 'a/a', 'a!']) {
          expect(new Map(edit.below(folder))).toEqual(new Map(readTreeMap(model).below(folder)))
          expect(hasBelow(edit, folder)).toBe(hasBelow(readTreeMap(model), folder))
          expect([edit.entry(folder), isFolder(edit, folder)]).toEqual([
            model.get(path(folder)) ?? null,
            isFolder(readTreeMap(model), folder),
          ])
        }
        expect(edit.changes()).toEqual(diffTrees(base, model))
      }),
      { numRuns: 2000 },
    )
  })

  test('a folder of thousands that is emptied one by one is empty at the end, not before', () => {
    const names = Array.from({ length: 3000 }, (_, index) => path(`d/${index}`))
    const edit = editTree(readTreeMap(new Map(names.map((name) => [name, file('x')]))))
    const left = names.map((name) => {
      edit.put(name, null)
      return hasBelow(edit, 'd')
    })
    expect(left.indexOf(false)).toBe(2999)
    edit.put(path('d/new'), file('y'))
    expect(hasBelow(edit, 'd')).toBe(true)
  })

  test('an edit that was taken back is no change', () => {
    const edit = editTree(readTreeMap(treeOf({ a: file('x') })))
    edit.put(path('a'), null)
    edit.put(path('b'), file('y'))
    edit.put(path('a'), file('x'))
    edit.put(path('b'), null)
    expect(edit.changes()).toEqual([])
  })

  test('a rename names its source only where the source is gone', () => {
    const moved = editTree(readTreeMap(treeOf({ a: file('x') })))
    moved.put(path('a'), null)
    moved.put(path('b'), file('x'), path('a'))
    expect(moved.changes().map((change) => [change.path, change.movedFrom])).toEqual([
      ['a', null],
      ['b', 'a'],
    ])
    moved.put(path('a'), file('new'))
    expect(moved.changes().map((change) => [change.path, change.movedFrom])).toEqual([
      ['a', null],
      ['b', null],
    ])
  })
})

test('[TR5] nothing lies below a file or a symlink, and no file where a folder is', () => {
  const tree = readTreeMap(treeOf({ 'f': file('x'), 'l': link('f'), 'd/x': file('y'), 'e': FOLDER }))
  expect(placeProblem(tree, 'f/x', file('z'))).toBe('f is a file, not a folder')
  expect(placeProblem(tree, 'l/x/y', file('z'))).toBe('l is a symlink, not a folder')
  expect(placeProblem(tree, 'd', file('z'))).toBe('d is a folder')
  expect([
    placeProblem(tree, 'd', FOLDER),
    placeProblem(tree, 'e/x', file('z')),
    placeProblem(tree, 'new/x', file('z')),
    placeProblem(tree, 'f', link('z')),
  ]).toEqual([null, null, null, null])
})

test('a folder is listed with what lies right in it, a file by itself, and nothing is no empty folder', () => {
  const tree = readTreeMap(treeOf({ 'd/a': file('x'), 'd/e/b': file('y'), 'd/f': FOLDER, 'g': file('z') }))
  expect([...listAt(tree, path('d'))]).toEqual([
    ['d/a', file('x')],
    ['d/e', FOLDER],
    ['d/f', FOLDER],
  ])
  expect([...listAt(tree, null).keys()]).toEqual(['d', 'g'])
  expect([...listAt(tree, path('g'))]).toEqual([['g', file('z')]])
  expect([...listAt(tree, path('d/f'))]).toEqual([])
  expect(() => listAt(tree, path('d/none'))).toThrow('there is nothing at "d/none"')
})
