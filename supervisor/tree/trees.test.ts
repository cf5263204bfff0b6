import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Entry } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { hashTree, type TreeMap } from '@choiros/core/tree.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTrees } from './trees.ts'

let folder = ''
const objects = new Map<Hash, Buffer>()
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'choir-trees-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = (text: string, mode: '644' | '755' = '644'): Entry => {
  const bytes = Buffer.from(text)
  const object = sha256(bytes)
  objects.set(object, bytes)
  return { kind: 'file', mode, object, size: bytes.length }
}
const treeOf = (entries: Readonly<Record<string, Entry>>): TreeMap =>
  new Map(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)) as [TreePath, Entry][])
const open = () =>
  openTrees(join(folder, 'trees'), async (hash) => {
    const found = objects.get(hash)
    if (found === undefined) throw new ChoirError('object.missing', hash)
    return found
  })

test('a tree on disk is what it says: files, modes, links, folders', async () => {
  const tree = treeOf({
    'app/a.ts': file('a'),
    'app/run.sh': file('b', '755'),
    'app/empty': { kind: 'folder', mode: '755', object: null, size: 0 },
    'app/link': { ...file('a.ts'), kind: 'symlink', mode: '777' } as Entry,
    'artifacts/deep/er/x': file(''),
  })
  const made = await open().materialise(tree)
  expect(made.hash).toBe(hashTree(tree))
  const at = (path: string) => join(made.folder, path)
  expect([readFileSync(at('app/a.ts'), 'utf8'), readlinkSync(at('app/link')), readdirSync(at('app/empty'))]).toEqual([
    'a',
    'a.ts',
    [],
  ])
  expect([statSync(at('app/a.ts')).mode & 0o777, statSync(at('app/run.sh')).mode & 0o777]).toEqual([0o644, 0o755])
  expect(lstatSync(at('artifacts/deep/er/x')).size).toBe(0)
})

test('the same tree is made once, a near one shares its files and never writes to them', async () => {
  const trees = open()
  const first = await trees.materialise(treeOf({ a: file('same'), b: file('old') }))
  expect(await trees.materialise(treeOf({ a: file('same'), b: file('old') }))).toEqual(first)
  const second = await trees.materialise(treeOf({ a: file('same'), b: file('new'), c: file('same', '755') }))
  expect(statSync(join(first.folder, 'a')).ino).toBe(statSync(join(second.folder, 'a')).ino)
  expect(statSync(join(second.folder, 'c')).ino).not.toBe(statSync(join(second.folder, 'a')).ino)
  expect(readFileSync(join(first.folder, 'b'), 'utf8')).toBe('old')
})

test('fresh objects are used before they are kept; a missing one makes no tree', async () => {
  const trees = open()
  const bytes = Buffer.from('fresh')
  const object = sha256(bytes)
  const tree = treeOf({ a: { kind: 'file', mode: '644', object, size: bytes.length } })
  await expect(trees.materialise(tree)).rejects.toMatchObject({ code: 'object.missing' })
  expect(existsSync(join(folder, 'trees', hashTree(tree)))).toBe(false)
  const made = await trees.materialise(tree, new Map([[object, { hash: object, bytes }]]))
  expect(readFileSync(join(made.folder, 'a'), 'utf8')).toBe('fresh')
})

test('fresh bytes that are not what their name says make no tree', async () => {
  const { object } = file('true') as { object: Hash }
  const lie = new Map([[object, { hash: object, bytes: Buffer.from('lie') }]])
  await expect(open().materialise(treeOf({ a: file('true') }), lie)).rejects.toMatchObject({ code: 'object.corrupt' })
})

test('only a few are kept, and what another process left is gone', async () => {
  const trees = open()
  const first = await trees.materialise(treeOf({ a: file('0') }))
  for (let index = 1; index < 14; index++) await trees.materialise(treeOf({ a: file(String(index)) }))
  expect(existsSync(first.folder)).toBe(false)
  expect(readdirSync(join(folder, 'trees'))).toHaveLength(12)
  writeFileSync(join(folder, 'trees', 'left'), '')
  open()
  expect(readdirSync(join(folder, 'trees'))).toEqual([])
})

test('many at once are made one after the other, each whole', async () => {
  const trees = open()
  const made = await Promise.all(
    [0, 1, 2, 0, 1, 2].map((index) => trees.materialise(treeOf({ a: file(`at once ${index}`) }))),
  )
  expect(made.map((one) => readFileSync(join(one.folder, 'a'), 'utf8'))).toEqual(
    [0, 1, 2, 0, 1, 2].map((index) => `at once ${index}`),
  )
})
