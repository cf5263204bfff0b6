import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { FOLDER, type Change, type Entry } from '@choiros/contract/change.ts'
import type { Operation } from '@choiros/contract/commands/files.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { comparePaths, type TreePath } from '@choiros/contract/path.ts'
import { decideOperations } from './operations.ts'
import { applyChanges, readTreeMap } from './tree.ts'

const file = (text: string, mode: '644' | '755' = '644'): Entry => ({
  kind: 'file',
  mode,
  object: sha256(text),
  size: text.length,
})
const link = (target: string): Entry => ({ kind: 'symlink', mode: '777', object: sha256(target), size: target.length })

const write = (path: string, text: string, before: string | null = null, exec?: boolean): Operation => ({
  op: 'write',
  path: path as TreePath,
  content: { text },
  from: before === null ? null : sha256(before),
  ...(exec === undefined ? {} : { exec }),
})
const makeLink = (path: string, target: string, before: string | null = null): Operation => ({
  op: 'link',
  path: path as TreePath,
  target,
  from: before === null ? null : sha256(before),
})
const makeFolder = (path: string): Operation => ({ op: 'folder', path: path as TreePath })
const remove = (path: string): Operation => ({ op: 'remove', path: path as TreePath })
const move = (path: string, to: string): Operation => ({ op: 'move', path: path as TreePath, to: to as TreePath })

type Tree = Record<string, Entry>
const mapOf = (tree: Tree) => new Map(Object.entries(tree) as [TreePath, Entry][])

const targets = new Map(['../x', '../../x', 'x', '../..'].map((target) => [sha256(target), target]))

function decide(tree: Tree, ...operations: Operation[]): Change[] {
  return decideOperations(
    readTreeMap(mapOf(tree)),
    operations,
    (operation) => {
      const text = operation.op === 'link' ? operation.target : (operation.content as { text: string }).text
      return { object: sha256(text), size: text.length }
    },
    (entry) => (entry.object === null ? null : (targets.get(entry.object) ?? null)),
  )
}

/** The tree after the operations. */
function after(tree: Tree, ...operations: Operation[]): Tree {
  return Object.fromEntries(
    [...applyChanges(mapOf(tree), decide(tree, ...operations))].sort(([a], [b]) => comparePaths(a, b)),
  )
}

/** The code that all of the operations are refused with. */
function refusal(tree: Tree, ...operations: Operation[]): string {
  try {
    decide(tree, ...operations)
    return 'accepted'
  } catch (error) {
    return error instanceof ChoirError ? error.code : String(error)
  }
}

describe('[OP1] writing', () => {
  test('creates a file, and replaces one whose version it names', () => {
    expect(decide({}, write('a/b', 'new'))).toEqual([{ path: 'a/b', from: null, to: file('new'), movedFrom: null }])
    expect(decide({ a: file('old') }, write('a', 'new', 'old'))).toEqual([
      { path: 'a', from: file('old'), to: file('new'), movedFrom: null },
    ])
  })

  test('a stale `from` is refused with the current head, and nothing of the batch is done', () => {
    const tree = { a: file('theirs') }
    expect(() => decide(tree, write('b', 'x'), write('a', 'mine', 'base'))).toThrow(
      expect.objectContaining({ code: 'file.conflict', details: { path: 'a', head: file('theirs') } }),
    )
    expect(refusal(tree, write('a', 'mine'))).toBe('file.conflict')
    expect(refusal({}, write('a', 'mine', 'base'))).toBe('file.conflict')
    expect(refusal(tree, { ...remove('a'), from: sha256('base') } as Operation)).toBe('file.conflict')
    expect(refusal(tree, { ...move('a', 'b'), from: sha256('base') } as Operation)).toBe('file.conflict')
  })

  test('a later operation sees what an earlier one did', () => {
    expect(after({}, write('a', 'one'), write('a', 'two', 'one'))).toEqual({ a: file('two') })
    expect(refusal({}, write('a', 'one'), write('a', 'two'))).toBe('file.conflict')
  })

  test('the same bytes again are no change', () => {
    expect(decide({ a: file('same') }, write('a', 'same', 'same'))).toEqual([])
  })

  test('the exec bit stays as it is unless it is named', () => {
    const tree = { a: file('old', '755') }
    expect(after(tree, write('a', 'new', 'old'))).toEqual({ a: file('new', '755') })
    expect(after(tree, write('a', 'old', 'old', false))).toEqual({ a: file('old') })
    expect(after({}, write('a', 'x', null, true))).toEqual({ a: file('x', '755') })
  })

  test('a file stands where a symlink stood if the write names that version', () => {
    expect(after({ a: link('x') }, write('a', 'text', 'x'))).toEqual({ a: file('text') })
  })

  test('nothing is written below a file or a symlink, or over a folder', () => {
    expect(refusal({ a: file('x') }, write('a/b', 'y'))).toBe('path.conflict')
    expect(refusal({ a: link('x') }, write('a/b/c', 'y'))).toBe('path.conflict')
    expect(refusal({ 'a/b': file('x') }, write('a', 'y'))).toBe('path.conflict')
    expect(refusal({ a: FOLDER }, write('a', 'y'))).toBe('path.conflict')
    expect(refusal({ a: FOLDER }, makeLink('a', 'x'))).toBe('path.conflict')
  })

  test('ignored folders are never written to, by any operation', () => {
    for (const path of ['node_modules/a', 'app/.git/config', 'dist', 'x/.vite/y']) {
      expect(
        [write(path, 'x'), makeLink(path, 'x'), makeFolder(path), move('a', path)].map((operation) =>
          refusal({ a: file('x') }, operation),
        ),
      ).toEqual(Array.from({ length: 4 }, () => 'path.ignored'))
    }
    expect(refusal({ 'a/dist.txt': file('x') }, move('a', 'dist'))).toBe('path.ignored')
  })
})

describe('[OP2] symlinks and folders', () => {
  test('a link keeps its target as an object', () => {
    expect(after({}, makeLink('d/l', '../x'))).toEqual({ 'd/l': link('../x') })
    expect(after({ l: file('x') }, makeLink('l', 'y', 'x'))).toEqual({ l: link('y') })
  })

  test('a target outside the computer is refused', () => {
    for (const target of ['../x', '/etc/passwd', 'a/../../x', ''])
      expect(refusal({}, makeLink('l', target))).toBe('link.outside')
  })

  test('[CT4] a link that is moved to where its target would leave the computer is refused', () => {
    expect(refusal({ 'a/b/l': link('../../x') }, move('a/b/l', 'a/l'))).toBe('link.outside')
    expect(refusal({ 'a/b/l': link('../../x') }, move('a/b', 'b'))).toBe('link.outside')
    expect(refusal({}, makeLink('a/l', '../x'), move('a/l', 'l'))).toBe('link.outside')
    expect(after({ 'a/b/l': link('../x') }, move('a/b/l', 'a/l'))).toEqual({ 'a/b': FOLDER, 'a/l': link('../x') })
    expect(after({ 'a/b/l': link('../../x') }, move('a/b/l', 'c/d/l'))).toMatchObject({ 'c/d/l': link('../../x') })
  })

  test('[CT4] a link whose target nobody can read moves deeper, but not up', () => {
    const unknown = link('never seen')
    expect(refusal({ 'a/l': unknown }, move('a/l', 'l'))).toBe('link.outside')
    expect(after({ 'a/l': unknown }, move('a/l', 'a/b/l'))).toEqual({ 'a/b/l': unknown })
  })

  test('a folder can be made, also where it is already, but not over a file', () => {
    expect(after({}, makeFolder('a/b'))).toEqual({ 'a/b': FOLDER })
    expect(decide({ a: FOLDER }, makeFolder('a'))).toEqual([])
    expect(refusal({ a: file('x') }, makeFolder('a'))).toBe('path.conflict')
    expect(refusal({ a: file('x') }, makeFolder('a/b'))).toBe('path.conflict')
  })
})

describe('[OP3] removing', () => {
  test('takes a file, and leaves the folder that a person saw it in', () => {
    expect(after({ 'd/e/a': file('x') }, remove('d/e/a'))).toEqual({ 'd/e': FOLDER })
    expect(after({ 'd/a': file('x'), 'd/b': file('y') }, remove('d/a'))).toEqual({ 'd/b': file('y') })
    expect(after({ a: file('x') }, remove('a'))).toEqual({})
  })

  test('takes a folder with everything in it, with or without an entry of its own', () => {
    expect(after({ 'd/a': file('x'), 'd/e/b': link('x'), 'd-e': file('y') }, remove('d'))).toEqual({ 'd-e': file('y') })
    expect(after({ 'd': FOLDER, 'd/e': FOLDER }, remove('d'))).toEqual({})
    expect(after({ 'p/d/a': file('x') }, remove('p/d'))).toEqual({ p: FOLDER })
  })

  test('of nothing is refused with path.unknown', () => {
    expect(refusal({ ab: file('x') }, remove('a'))).toBe('path.unknown')
    expect(refusal({ a: file('x') }, remove('a'), remove('a'))).toBe('path.unknown')
  })
})

describe('[OP4] moving', () => {
  test('a file is one thing in two changes: it arrives naming where it came from', () => {
    expect(decide({ a: file('x', '755') }, move('a', 'b'))).toEqual([
      { path: 'a', from: file('x', '755'), to: null, movedFrom: null },
      { path: 'b', from: null, to: file('x', '755'), movedFrom: 'a' },
    ])
  })

  test('a folder takes along everything in it, and the folder it left stays', () => {
    expect(after({ 'p/d/a': file('x'), 'p/d/e/b': link('x'), 'p/d/f': FOLDER }, move('p/d', 'q'))).toEqual({
      'p': FOLDER,
      'q/a': file('x'),
      'q/e/b': link('x'),
      'q/f': FOLDER,
    })
  })

  test('onto itself changes nothing; into itself, onto something and of nothing is refused', () => {
    const tree = { 'd/a': file('x'), 'e': FOLDER, 'f': file('y') }
    expect(decide(tree, move('d', 'd'))).toEqual([])
    expect(decide(tree, move('f', 'f'))).toEqual([])
    expect(
      [
        move('d', 'd/e'),
        move('d', 'e'),
        move('d', 'f'),
        move('f', 'd'),
        move('f', 'd/a'),
        move('f', 'd/a/b'),
        move('d/a', 'd'),
      ].map((operation) => refusal(tree, operation)),
    ).toEqual(Array.from({ length: 7 }, () => 'path.conflict'))
    expect(refusal(tree, move('nothing', 'g'))).toBe('path.unknown')
  })

  test('a longer name than a path may have is refused', () => {
    const deep = `${'a'.repeat(250)}/`.repeat(3)
    expect(refusal({ [`d/${deep}x`]: file('x') }, move('d', 'e'.repeat(255) + '/' + 'f'.repeat(255)))).toBe(
      'path.invalid',
    )
  })

  test('two names are swapped in one batch', () => {
    const tree = { a: file('one'), b: file('two') }
    expect(decide(tree, move('a', 't'), move('b', 'a'), move('t', 'b'))).toEqual([
      { path: 'a', from: file('one'), to: file('two'), movedFrom: null },
      { path: 'b', from: file('two'), to: file('one'), movedFrom: null },
    ])
  })

  test('twice in one batch is one move from where it began', () => {
    expect(
      decide({ a: file('x') }, move('a', 'b'), move('b', 'c')).map((change) => [change.path, change.movedFrom]),
    ).toEqual([
      ['a', null],
      ['c', 'a'],
    ])
    expect(decide({ a: file('x') }, move('a', 'b'), move('b', 'a'))).toEqual([])
  })

  test('and writing in one batch is still a move', () => {
    expect(decide({ a: file('x') }, move('a', 'b'), write('b', 'y', 'x'))).toEqual([
      { path: 'a', from: file('x'), to: null, movedFrom: null },
      { path: 'b', from: null, to: file('y'), movedFrom: 'a' },
    ])
  })

  test('a name that is taken again in the same batch makes it a copy', () => {
    expect(
      decide({ a: file('x') }, move('a', 'b'), write('a', 'new')).map((change) => [change.path, change.movedFrom]),
    ).toEqual([
      ['a', null],
      ['b', null],
    ])
  })
})
