import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change, Entry } from '@choiros/contract/change.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { DiffHunk } from '@choiros/contract/run-diff.ts'
import { diffTexts, doesWhat, noteOn, tellChanges } from './diff-view.ts'
import { splitLines } from '../everywhere/diff.ts'

const SIGNS = { same: ' ', added: '+', removed: '-' } as const
const shown = ({ before, after, lines }: DiffHunk) => [
  `${before} ${after}`,
  ...lines.map(({ is, text, unended }) => `${SIGNS[is]}${text}${unended ? '⏎' : ''}`),
]
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\n`)

describe('lines of two texts', () => {
  test('a change comes with three lines around it, and neighbours share a hunk', () => {
    const before = numbers(30)
    const after = before.with(4, 'five\n').with(9, 'ten\n').with(24, 'twenty-five\n')
    const { added, removed, hunks, left } = diffTexts(before.join(''), after.join(''))
    expect([added, removed, left]).toEqual([3, 3, 0])
    expect(hunks.map(shown)).toEqual([
      ['2 2', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13'],
      ['22 22', ' 22', ' 23', ' 24', '-25', '+twenty-five', ' 26', ' 27', ' 28'],
    ])
  })

  test('what is new or gone as a whole, and a last line without an ending', () => {
    expect(diffTexts('', 'a\nb').hunks.map(shown)).toEqual([['1 1', '+a', '+b⏎']])
    expect(diffTexts('a\n', '').hunks.map(shown)).toEqual([['1 1', '-a']])
    expect(diffTexts('a', 'a\n').hunks.map(shown)).toEqual([['1 1', '-a⏎', '+a']])
    expect(diffTexts('a\n', 'a\n')).toEqual({ added: 0, removed: 0, hunks: [], left: 0 })
  })

  test('a line that is inserted moves the numbers of the other side', () => {
    const before = numbers(20)
    expect(
      diffTexts(before.join(''), ['new\n', ...before.with(15, 'x\n')].join('')).hunks.map((hunk) => [
        hunk.before,
        hunk.after,
      ]),
    ).toEqual([
      [1, 1],
      [13, 14],
    ])
  })

  test('more lines than anyone reads are counted, not shown, and no line is endless', () => {
    const { added, hunks, left } = diffTexts('', numbers(LIMITS.diffLinesMax + 50).join(''))
    expect([added, hunks[0]?.lines.length, left]).toEqual([LIMITS.diffLinesMax + 50, LIMITS.diffLinesMax, 50])
    expect(diffTexts('', `${'x'.repeat(1_000_000)}\n`).hunks[0]?.lines[0]?.text).toHaveLength(
      LIMITS.diffLineCharsMax + 1,
    )
  })

  test('the hunks of any two texts turn the one into the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = splitLines(before)
        for (const hunk of diffTexts(before, after).hunks.toReversed()) {
          const side = (not: string) =>
            hunk.lines.filter(({ is }) => is !== not).map((line) => `${line.text}${line.unended ? '' : '\n'}`)
          expect(lines.splice(hunk.before - 1, side('added').length, ...side('removed'))).toEqual(side('added'))
        }
        expect(lines.join('')).toBe(after)
      }),
    )
  })
})

const file = (text: string, mode: '644' | '755' = '644'): Entry => ({
  kind: 'file',
  mode,
  object: sha256(text),
  size: text.length,
})
const folder: Entry = { kind: 'folder', mode: '755', object: null, size: 0 }
const change = (path: string, from: Entry | null, to: Entry | null, movedFrom: string | null = null): Change => ({
  path: path as TreePath,
  from,
  to,
  movedFrom: movedFrom as TreePath | null,
})
const told = (...changes: Change[]) =>
  tellChanges(changes).map((one) => [doesWhat(one), one.movedFrom, one.path, noteOn(one)])

describe('changes as a person tells them', () => {
  test('a rename is one thing, whether it is known by name or by its bytes', () => {
    expect(told(change('a', file('x'), null), change('b', null, file('x')))).toEqual([['move', 'a', 'b', null]])
    expect(told(change('a', file('x'), null), change('b', null, file('y'), 'a'))).toEqual([['move', 'a', 'b', null]])
    expect(told(change('a', file('x'), null), change('b', null, file('x')), change('c', null, file('x'), 'a'))).toEqual(
      [
        ['create', null, 'b', null],
        ['move', 'a', 'c', null],
      ],
    )
  })

  test('empty files are not taken for each other', () => {
    expect(told(change('a', file(''), null), change('b', null, file('')))).toEqual([
      ['delete', null, 'a', null],
      ['create', null, 'b', null],
    ])
  })

  test('exec bits and kinds are said in words', () => {
    expect(told(change('a', file('x'), file('x', '755')))).toEqual([['change', null, 'a', 'may be executed now']])
    expect(told(change('a', file('x', '755'), file('y')))).toEqual([
      ['change', null, 'a', 'may not be executed any more'],
    ])
    expect(told(change('a', null, file('x', '755')))).toEqual([['create', null, 'a', 'may be executed']])
    expect(told(change('a', file('x'), folder))).toEqual([['change', null, 'a', 'was a file and is a folder now']])
  })

  test('a folder is told only where nothing inside of it is', () => {
    expect(told(change('a', null, folder), change('a/b', null, file('x')), change('c', null, folder))).toEqual([
      ['create', null, 'a/b', null],
      ['create', null, 'c', 'a folder'],
    ])
  })
})
