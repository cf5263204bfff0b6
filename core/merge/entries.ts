import { sameEntry, type Entry } from '@choiros/contract/change.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { mergeContent } from './merge.ts'

/** How a merge reads bytes and names new ones. */
export interface MergeWorld {
  /** The bytes of an object, or null if they were erased. */
  bytes(object: Hash): Promise<Uint8Array | null>
  /** Names merged bytes that are new; they are stored with the event. */
  store(bytes: Buffer): { object: Hash; size: number }
}

/** Three-way merge of whole entries, or why it cannot be done. */
export async function mergeEntries(
  path: TreePath,
  base: Entry,
  now: Entry,
  back: Entry,
  world: MergeWorld,
): Promise<Entry | string> {
  if (sameEntry(now, base)) return back
  if (sameEntry(back, base) || sameEntry(now, back)) return now
  if (base.kind !== 'file' || now.kind !== 'file' || back.kind !== 'file')
    return 'it was changed since into something else'
  const mode = now.mode === base.mode ? back.mode : now.mode
  const content = await mergeObjects(path, base, now, back, world)
  return typeof content === 'string' ? content : { kind: 'file', mode, ...content }
}

type FileEntry = Extract<Entry, { kind: 'file' }>

async function mergeObjects(
  path: TreePath,
  base: FileEntry,
  now: FileEntry,
  back: FileEntry,
  world: MergeWorld,
): Promise<{ object: Hash; size: number } | string> {
  if (now.object === base.object) return { object: back.object, size: back.size }
  if (back.object === base.object || now.object === back.object) return { object: now.object, size: now.size }
  const [baseBytes, nowBytes, backBytes] = await Promise.all([
    world.bytes(base.object),
    world.bytes(now.object),
    world.bytes(back.object),
  ])
  if (!baseBytes || !nowBytes || !backBytes) return 'a version it needs was erased, or removed to make room'
  const merged = mergeContent(path, baseBytes, nowBytes, backBytes)
  return merged === null ? 'the same lines were changed since' : world.store(merged)
}
