import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sha256 } from '@choiros/contract/canonical.ts'
import { FOLDER, type Entry } from '@choiros/contract/change.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createProjector, type Projector } from './projector.ts'
import { readTree } from './survey.ts'

let base = ''
let objects: Map<Hash, Buffer>
let broken = false
let made = new Set<string>()
const path = (text: string) => text as TreePath
const tree = (...parts: string[]) => join(base, 'tree', ...parts)

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'choir-projector-'))
  objects = new Map()
  broken = false
  made = new Set()
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function keep(text: string): { object: Hash; size: number } {
  const bytes = Buffer.from(text)
  objects.set(sha256(bytes), bytes)
  return { object: sha256(bytes), size: bytes.length }
}
const file = (text: string, mode: '644' | '755' = '644'): Entry => ({ kind: 'file', mode, ...keep(text) })
const link = (target: string): Entry => ({ kind: 'symlink', mode: '777', ...keep(target) })

function open(bootId = 'boot', steps: string[] = []): Projector {
  return createProjector({
    folder: tree(),
    staging: join(base, 'staging'),
    cursorFile: join(base, 'tree.json'),
    bootId,
    object: async (hash) => {
      const bytes = objects.get(hash)
      if (bytes === undefined || broken) throw new Error('no room')
      return bytes
    },
    isFolder: (name) => made.has(name),
    reached: (point) => void steps.push(point),
  })
}

const wanted = (entries: Record<string, Entry | null>) =>
  new Map(Object.entries(entries).map(([name, entry]) => [path(name), entry]))

describe('the projector', () => {
  test('[L1] a folder that was made stays when its last file goes; one that was only there for it goes', async () => {
    made = new Set(['made'])
    const projector = open()
    await projector.project(1, wanted({ 'made': FOLDER, 'made/x': file('x'), 'given/deep/x': file('x') }))
    await projector.project(2, wanted({ 'made/x': null, 'given/deep/x': null }))
    expect(readdirSync(tree())).toEqual(['made'])
  })

  test('writes files, exec bits, links, empty files and empty folders as they are', async () => {
    const projector = open()
    const all = {
      'a/b/c.txt': file('c'),
      'a/run': file('#!', '755'),
      'a/link': link('run'),
      'empty': file(''),
      'folder': FOLDER,
    }
    await projector.project(1, wanted(all))
    expect(await readTree(tree())).toEqual(wanted(all))
    expect(statSync(tree('a/run')).mode & 0o777).toBe(0o755)
    expect(readlinkSync(tree('a/link'))).toBe('run')
    expect(readdirSync(join(base, 'staging'))).toEqual([])
  })

  test('a file may take the place of a folder, and a folder the place of a file or a link', async () => {
    const projector = open()
    await projector.project(1, wanted({ 'a/b': file('b'), 'f': file('f'), 'l': link('f') }))
    await projector.project(
      2,
      wanted({ 'a/b': null, 'a': file('now a file'), 'f': null, 'f/g': file('g'), 'l': null, 'l/m': file('m') }),
    )
    expect(await readTree(tree())).toEqual(wanted({ 'a': file('now a file'), 'f/g': file('g'), 'l/m': file('m') }))
  })

  test('deleting the last file of a folder takes the folder, unless the folder has an entry', async () => {
    const projector = open()
    await projector.project(1, wanted({ 'a/b/c': file('c'), 'd/e': file('e'), 'd': FOLDER }))
    await projector.project(2, wanted({ 'a/b/c': null, 'd/e': null, 'd': FOLDER }))
    expect(readdirSync(tree())).toEqual(['d'])
  })

  test('ignored folders are never touched', async () => {
    const projector = open()
    await projector.project(1, wanted({ 'app/main.ts': file('x') }))
    mkdirSync(tree('app/node_modules/thing'), { recursive: true })
    writeFileSync(tree('app/node_modules/thing/index.js'), 'built')
    await projector.project(2, wanted({ 'app/main.ts': null }))
    await projector.repair(() => ({ seq: 2, tree: new Map() }))
    expect(readFileSync(tree('app/node_modules/thing/index.js'), 'utf8')).toBe('built')
    expect(existsSync(tree('app/main.ts'))).toBe(false)
  })

  test('a link in the place of a folder is not followed out of the tree', async () => {
    const outside = join(base, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'precious'), 'keep me')
    const projector = open()
    await projector.project(1, wanted({ 'a/precious': file('x') }))
    rmSync(tree('a'), { recursive: true })
    symlinkSync(outside, tree('a'))
    await projector.project(2, wanted({ 'a/precious': null }))
    await projector.project(3, wanted({ 'a/new': file('new') }))
    expect(readdirSync(outside)).toEqual(['precious'])
    expect(lstatSync(tree('a')).isDirectory()).toBe(true)
  })

  test('what could not be written is written with the next change', async () => {
    const projector = open()
    broken = true
    await expect(projector.project(1, wanted({ a: file('a') }))).rejects.toThrow('no room')
    expect(projector.reachedSeq()).toBeNull()
    broken = false
    await projector.project(2, wanted({ b: file('b') }))
    expect(await readTree(tree())).toEqual(wanted({ a: file('a'), b: file('b') }))
    expect(projector.reachedSeq()).toBe(2)
  })

  test('knows where it stood after a restart, but not after the machine restarted or the folder was replaced', async () => {
    const projector = open()
    await projector.project(7, wanted({ a: file('a') }))
    await projector.close()
    expect(open().reachedSeq()).toBe(7)
    expect(open('another boot').reachedSeq()).toBeNull()
    rmSync(tree(), { recursive: true })
    expect(open().reachedSeq()).toBeNull()
  })

  test('repairs what someone else did to the folder, byte for byte', async () => {
    const projector = open()
    const all = { 'a.txt': file('a'), 'b/c.txt': file('c'), 'run': file('#!', '755') }
    await projector.project(1, wanted(all))
    writeFileSync(tree('a.txt'), 'A')
    rmSync(tree('b'), { recursive: true })
    writeFileSync(tree('stray'), 'stray')
    rmSync(tree('run'))
    writeFileSync(tree('run'), '#!')
    const found = await projector.repair(() => ({ seq: 1, tree: wanted(all) as Map<TreePath, Entry> }))
    expect(found.sort()).toEqual(['a.txt: different', 'b/c.txt: missing', 'run: different', 'stray: not in the log'])
    expect(await readTree(tree())).toEqual(wanted(all))
  })

  test('new files come first, then changed ones, then deletions', async () => {
    const projector = open()
    await projector.project(1, wanted({ old: file('old'), kept: file('1') }))
    const seen: string[] = []
    const watcher = watch(tree(), (_, name) => seen.push(`${name}${existsSync(tree(String(name))) ? '' : ' gone'}`))
    await projector.project(2, wanted({ old: null, kept: file('2'), new: file('new') }))
    await delay(50)
    watcher.close()
    expect([...new Set(seen)].map((line) => line.replace(' gone', ''))).toEqual(['new', 'kept', 'old'])
  })

  test('a changed file is touched once, at least 80 ms after it was written, for watchers that missed the second of two quick writes', async () => {
    const projector = open()
    await projector.project(1, wanted({ 'a.txt': file('1') }))
    await projector.project(2, wanted({ 'a.txt': file('2') }))
    const written = statSync(tree('a.txt')).mtimeMs
    await delay(60)
    expect(statSync(tree('a.txt')).mtimeMs).toBe(written)
    await delay(200)
    expect(statSync(tree('a.txt')).mtimeMs - written).toBeGreaterThanOrEqual(80)
  })

  test('so is a new file in a new folder, for watchers that read the folder before the file was in it; no other new file is', async () => {
    const projector = open()
    await projector.project(1, wanted({ 'apps/old/app.tsx': file('1') }))
    await delay(250)
    await projector.project(2, wanted({ 'apps/new/app.tsx': file('1'), 'apps/old/more.ts': file('1') }))
    const times = () => ['apps/new/app.tsx', 'apps/old/more.ts'].map((name) => statSync(tree(name)).mtimeMs)
    const [first, second] = times()
    await delay(250)
    const [touched, untouched] = times()
    expect([(touched ?? 0) - (first ?? 0) >= 80, untouched === second]).toEqual([true, true])
  })
})
