import { chmodSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import { sameEntry, type Entry } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { foldersAbove } from '@choiros/contract/path.ts'
import { hashTree, type TreeMap } from '@choiros/core/tree.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'

/**
 * Whole trees on disk, each written once and never changed, to be mounted read-only: what a run starts from, what
 * verifiers look at, what safe mode serves.
 */
export interface Trees {
  /**
   * The folder that holds exactly this tree. Made from objects, whose hashes are checked; nothing is read from a folder
   * that anyone else can write. `fresh`: objects that the computer does not keep yet.
   */
  materialise(tree: TreeMap, fresh?: ReadonlyMap<Hash, ObjectBytes>): Promise<{ hash: Hash; folder: string }>
}

/**
 * Enough for the trees that a run uses at once (before, after, merged; three of them where three work at once), for all
 * that safe mode tries, and for one that is still looked at: none may be deleted under somebody's eyes.
 */
const KEPT_MAX = 12

export function openTrees(folder: string, object: (hash: Hash) => Promise<Buffer>): Trees {
  // Nobody needs what a run that died left behind.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o755 })
  const made = new Map<Hash, TreeMap>()
  let making: Promise<unknown> = Promise.resolve()

  const make = async (
    tree: TreeMap,
    fresh: ReadonlyMap<Hash, ObjectBytes>,
  ): Promise<{ hash: Hash; folder: string }> => {
    const hash = hashTree(tree)
    const place = join(folder, hash)
    if (made.has(hash) && existsSync(place)) {
      made.delete(hash) // Moved to the end: what was used last is kept longest.
      made.set(hash, tree)
      return { hash, folder: place }
    }
    const [nearest] = [...made].toReversed()
    const unfinished = `${place}.new`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { mode: 0o755 })
    await fill(
      unfinished,
      tree,
      nearest === undefined ? null : { folder: join(folder, nearest[0]), tree: nearest[1] },
      async (name) => fresh.get(name)?.bytes ?? object(name),
    )
    renameSync(unfinished, place)
    made.set(hash, tree)
    for (const [old] of [...made].slice(0, -KEPT_MAX)) {
      made.delete(old)
      rmSync(join(folder, old), { recursive: true, force: true })
    }
    return { hash, folder: place }
  }

  return {
    materialise(tree, fresh = new Map()) {
      const next = making.then(() => make(tree, fresh))
      making = next.catch(() => {})
      return next
    },
  }
}

/** Unchanged files are hard links to those of the nearest tree: nobody writes to either. */
async function fill(
  folder: string,
  tree: TreeMap,
  near: { folder: string; tree: TreeMap } | null,
  object: (hash: Hash) => Promise<Uint8Array>,
): Promise<void> {
  const known = new Set<string>()
  const makeFolder = (path: string) => {
    if (path === '' || path === '.' || known.has(path)) return
    known.add(path)
    mkdirSync(join(folder, path), { recursive: true, mode: 0o755 })
  }
  for (const [path, entry] of tree) {
    for (const above of foldersAbove(path)) makeFolder(above)
    makeFolder(dirname(path))
    if (entry.kind === 'folder') makeFolder(path)
    else if (near !== null && entry.kind === 'file' && sameEntry(near.tree.get(path) ?? null, entry))
      linkSync(join(near.folder, path), join(folder, path))
    else await write(join(folder, path), entry, object)
  }
}

async function write(
  file: string,
  entry: Extract<Entry, { object: Hash }>,
  object: (hash: Hash) => Promise<Uint8Array>,
): Promise<void> {
  const bytes = await object(entry.object)
  if (sha256(bytes) !== entry.object)
    throw new ChoirError('object.corrupt', `object ${entry.object} is not what its name says`)
  if (entry.kind === 'symlink') return symlinkSync(Buffer.from(bytes).toString('utf8'), file)
  writeFileSync(file, bytes, { flag: 'wx' })
  chmodSync(file, entry.mode === '755' ? 0o755 : 0o644)
}
