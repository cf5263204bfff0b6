import { expect, test } from 'vitest'
import { changeWords, type ChangedPath } from './change-words.ts'

const FILE = { kind: 'file', object: 'a' }
const FOLDER = { kind: 'folder', object: null }
const made = (path: string): ChangedPath => ({ path, from: null, to: FILE, movedFrom: null })
const changed = (path: string): ChangedPath => ({ path, from: FILE, to: FILE, movedFrom: null })
const deleted = (path: string): ChangedPath => ({ path, from: FILE, to: null, movedFrom: null })
const moved = (from: string, path: string): ChangedPath[] => [deleted(from), { path, from: null, to: FILE, movedFrom: from }]
const folder = (path: string): ChangedPath => ({ path, from: null, to: FOLDER, movedFrom: null })

test.each<[string, readonly ChangedPath[]]>([
  ['Renamed list.txt to shopping.txt', moved('artifacts/list.txt', 'artifacts/shopping.txt')],
  ['Renamed list.txt to shopping.txt', moved('artifacts/list.txt', 'artifacts/shopping.txt').toReversed()],
  ['Moved list.txt to artifacts/old/list.txt', moved('artifacts/list.txt', 'artifacts/old/list.txt')],
  ['Moved list.txt to artifacts/old/list.txt', [...moved('artifacts/x/list.txt', 'artifacts/old/list.txt'), folder('artifacts/x')]],
  ['Moved 2 files in artifacts/b', [...moved('artifacts/a/1', 'artifacts/b/1'), ...moved('artifacts/a/2', 'artifacts/b/2')]],
  ['Deleted list.txt', [deleted('artifacts/list.txt'), folder('artifacts')]],
  ['Deleted 2 files in artifacts', [deleted('artifacts/a.txt'), deleted('artifacts/b.txt')]],
  ['Made plan.md', [made('artifacts/plan.md')]],
  ['Made photos', [folder('artifacts/photos')]],
  ['Changed plan.md', [changed('artifacts/plan.md')]],
  ['Changed 2 files', [changed('artifacts/a.txt'), made('app/b.txt')]],
  ['Changed nothing', []],
])('%s', (words, changes) => {
  expect(changeWords(changes)).toBe(words)
})
