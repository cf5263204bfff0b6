import { expect, test } from 'vitest'
import { FOLDER, type Change, type Entry } from '@choiros/contract/change.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { deedWords, editWords } from './deed-words.ts'

const FILE: Entry = { kind: 'file', mode: '644', object: 'b'.repeat(64) as Hash, size: 1 }

function change(path: string, from: Entry | null, to: Entry | null, movedFrom: string | null = null): Change {
  return { path: path as TreePath, from, to, movedFrom: movedFrom as TreePath | null }
}

test('a deed is said as a person would say it', () => {
  expect([
    deedWords([change('artifacts/notes/list.txt', FILE, null)]),
    deedWords([change('artifacts/photo.png', null, FILE)]),
    deedWords([change('artifacts/b.md', null, FILE, 'artifacts/a.md'), change('artifacts/a.md', FILE, null)]),
    deedWords([change('artifacts/old/a.md', null, FILE, 'artifacts/a.md'), change('artifacts/a.md', FILE, null)]),
    deedWords([change('artifacts/system/accent.json', null, FILE)]),
    deedWords([change('app/shell/taskbar.tsx', FILE, FILE)]),
    editWords('artifacts/Letter.md'),
    editWords('artifacts/todo.json'),
  ]).toEqual([
    'Deleted “list.txt”',
    'Added “photo.png”',
    'Renamed “a.md” to “b.md”',
    'Moved “a.md” to “old”',
    'Changed the accent colour',
    'Changed “app/shell/taskbar.tsx”',
    'Typing in “Letter.md”',
    'Changed “todo.json”',
  ])
})

test('a folder is one thing, with all that is in it; several things are counted', () => {
  const inside = ['a', 'b', 'c'].map((name) => change(`artifacts/trip/${name}`, FILE, null))
  expect(deedWords([change('artifacts/trip', FOLDER, null), ...inside])).toBe('Deleted “trip”')
  expect(deedWords(inside)).toBe('Deleted 3 files: “a” and others')
  expect(deedWords([...inside, change('artifacts/new', null, FILE)])).toBe('Changed 4 files: “a” and others')
})

test('an empty folder that a deletion leaves, or an arrival fills, is no deed', () => {
  expect(deedWords([change('artifacts', null, FOLDER), change('artifacts/list.txt', FILE, null)])).toBe(
    'Deleted “list.txt”',
  )
  expect(deedWords([change('artifacts/trip', FOLDER, null), change('artifacts/trip/list.txt', null, FILE)])).toBe(
    'Added “list.txt”',
  )
})
