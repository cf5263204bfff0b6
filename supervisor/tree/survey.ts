import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sha256 } from '@choiros/contract/canonical.ts'
import { sameEntry, type Entry } from '@choiros/contract/change.ts'
import { IGNORED_NAMES, pathProblem, type TreePath } from '@choiros/contract/path.ts'

export interface Difference {
  readonly path: TreePath
  readonly problem: 'missing' | 'different' | 'not in the log'
}

/** Reads a folder as a tree, byte for byte. Ignored names are skipped; folders that hold something get no entry. */
export async function readTree(folder: string): Promise<Map<TreePath, Entry>> {
  const tree = new Map<TreePath, Entry>()
  await readInto(tree, folder, '')
  return tree
}

/**
 * How a folder differs from the tree it should hold. A folder with files in it needs no entry in the tree, but may have
 * one.
 */
export async function surveyTree(folder: string, wanted: ReadonlyMap<TreePath, Entry>): Promise<Difference[]> {
  const there = new Map<TreePath, Entry>()
  const folders = new Set<string>()
  await readInto(there, folder, '', folders)
  const differences: Difference[] = []
  for (const [path, entry] of wanted) {
    if (entry.kind === 'folder' && folders.has(path)) continue
    const found = there.get(path)
    if (found === undefined) differences.push({ path, problem: 'missing' })
    else if (!sameEntry(found, entry)) differences.push({ path, problem: 'different' })
  }
  for (const path of there.keys()) if (!wanted.has(path)) differences.push({ path, problem: 'not in the log' })
  return differences
}

async function readInto(
  tree: Map<TreePath, Entry>,
  folder: string,
  prefix: string,
  folders?: Set<string>,
): Promise<void> {
  const names = readdirSync(join(folder, prefix)).filter((name) => !IGNORED_NAMES.has(name))
  for (const name of names) {
    const path = (prefix === '' ? name : `${prefix}/${name}`) as TreePath
    if (pathProblem(path) !== null) continue
    const full = join(folder, path)
    const stat = lstatSync(full, { throwIfNoEntry: false })
    if (stat === undefined) continue // A name that is not UTF-8 cannot be looked up here, and no log can hold it.
    if (stat.isDirectory()) {
      folders?.add(path)
      const before = tree.size
      await readInto(tree, folder, path, folders)
      if (tree.size === before) tree.set(path, { kind: 'folder', mode: '755', object: null, size: 0 })
    } else if (stat.isSymbolicLink()) {
      const target = Buffer.from(readlinkSync(full, 'buffer'))
      tree.set(path, { kind: 'symlink', mode: '777', object: sha256(target), size: target.length })
    } else if (stat.isFile()) {
      const bytes = readFileSync(full)
      tree.set(path, {
        kind: 'file',
        mode: stat.mode & 0o100 ? '755' : '644',
        object: sha256(bytes),
        size: bytes.length,
      })
      if (tree.size % 200 === 0) await nextTurn()
    }
  }
}
