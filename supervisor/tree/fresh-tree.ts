import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry } from '@choiros/contract/change.ts'
import { hasCode } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { foldersAbove, type TreePath } from '@choiros/contract/path.ts'

const YIELD_EVERY = 100

export interface Lost {
  readonly paths: ReadonlyMap<TreePath, Entry>
  /** Why the last of them could not be written. */
  readonly cause: unknown
}

/**
 * Writes a whole tree into an empty folder that nobody looks into yet, so that no file needs a temporary name. One damaged picture must not keep
 * every other file from its place: what could not be read is returned.
 */
export async function writeFreshTree(
  folder: string,
  tree: ReadonlyMap<TreePath, Entry>,
  object: (hash: Hash) => Promise<Buffer>,
  written: () => void,
): Promise<Lost> {
  const paths = new Map<TreePath, Entry>()
  let cause: unknown = null
  const known = new Set<string>()
  const ensure = (path: string) => {
    if (known.has(path)) return
    mkdirSync(join(folder, path))
    known.add(path)
  }
  let count = 0
  for (const [path, entry] of tree) {
    for (const above of foldersAbove(path)) ensure(above)
    if (entry.kind === 'folder') {
      ensure(path)
      continue
    }
    try {
      writeFresh(join(folder, path), entry, await object(entry.object))
      written()
    } catch (error) {
      if (!hasCode(error, 'object.missing') && !hasCode(error, 'object.corrupt')) throw error
      paths.set(path, entry)
      cause = error
    }
    if (++count % YIELD_EVERY === 0) await nextTurn()
  }
  return { paths, cause }
}

function writeFresh(place: string, entry: Entry, bytes: Buffer): void {
  if (entry.kind === 'symlink') symlinkSync(bytes.toString('utf8'), place)
  else writeFileSync(place, bytes, { mode: entry.mode === '755' ? 0o755 : 0o644, flag: 'wx' })
}
