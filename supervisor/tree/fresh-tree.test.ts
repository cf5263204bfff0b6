import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import { FOLDER, type Entry } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProjector } from './projector.ts'
import { readTree } from './survey.ts'

let base = ''
let objects: Map<Hash, Buffer>
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'choir-fresh-tree-'))
  objects = new Map()
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function keep(text: string): { object: Hash; size: number } {
  const bytes = Buffer.from(text)
  objects.set(sha256(bytes), bytes)
  return { object: sha256(bytes), size: bytes.length }
}

const TREE = () =>
  new Map<TreePath, Entry>([
    ['a/b/c.txt' as TreePath, { kind: 'file', mode: '644', ...keep('c') }],
    ['a/link' as TreePath, { kind: 'symlink', mode: '777', ...keep('run') }],
    ['a/run' as TreePath, { kind: 'file', mode: '755', ...keep('#!') }],
    ['empty' as TreePath, { kind: 'file', mode: '644', ...keep('') }],
    ['folder' as TreePath, FOLDER],
  ])

function open(looks: string[][] = []) {
  return createProjector({
    folder: join(base, 'tree'),
    staging: join(base, 'staging'),
    cursorFile: join(base, 'tree.json'),
    bootId: 'boot',
    async object(hash) {
      looks.push(readdirSync(join(base, 'tree')))
      const bytes = objects.get(hash)
      if (bytes === undefined) throw new ChoirError('object.missing', 'it is gone')
      return bytes
    },
    isFolder: () => false,
    reached: () => {},
  })
}

test('a tree that was not there is put in place as a whole: nobody sees a part of it', async () => {
  const looks: string[][] = []
  const projector = open(looks)
  const tree = TREE()
  await projector.repair(() => ({ seq: 7, tree }))
  expect(looks).toEqual([[], [], [], []])
  expect(await readTree(join(base, 'tree'))).toEqual(tree)
  expect(projector.reachedSeq()).toBe(7)
  expect(readdirSync(join(base, 'staging'))).toEqual([])
  await projector.close()
})

test('a large tree, which a second thread writes, is the same', async () => {
  const projector = open()
  const tree = TREE()
  for (let number = 0; number < 3000; number++) {
    const path = `many/${number % 70}/${number}.txt` as TreePath
    tree.set(path, { kind: 'file', mode: number % 2 === 0 ? '644' : '755', ...keep('x'.repeat(number)) })
  }
  await projector.repair(() => ({ seq: 7, tree }))
  expect(await readTree(join(base, 'tree'))).toEqual(tree)
  await projector.close()
})

test('a folder that was there stays the same folder, for it may be mounted somewhere', async () => {
  const tree = TREE()
  const first = open()
  await first.project(1, new Map())
  await first.close()
  const { ino } = statSync(join(base, 'tree'))
  const again = open()
  await again.repair(() => ({ seq: 7, tree }))
  expect(statSync(join(base, 'tree')).ino).toBe(ino)
  expect(await readTree(join(base, 'tree'))).toEqual(tree)
  await again.close()
})

test('an object that is gone keeps no other file from its place, and is written when it is back', async () => {
  const projector = open()
  const tree = TREE()
  const lost = tree.get('a/run' as TreePath)?.object as Hash
  const bytes = objects.get(lost) as Buffer
  objects.delete(lost)
  await expect(projector.repair(() => ({ seq: 7, tree }))).rejects.toMatchObject({ code: 'object.missing' })
  expect((await readTree(join(base, 'tree'))).size).toBe(tree.size - 1)
  expect(projector.reachedSeq()).toBe(null)
  objects.set(lost, bytes)
  await projector.project(8, new Map())
  expect(await readTree(join(base, 'tree'))).toEqual(tree)
  await projector.close()
})
