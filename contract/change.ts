import { z } from 'zod'
import { Hash } from './ids.ts'
import { LIMITS } from './limits.ts'
import { TreePath } from './path.ts'

const size = z.number().int().min(0).max(LIMITS.objectBytesMax)

/** What stands at one path. A symlink's object holds its target; a folder has none. */
export const Entry = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('file'), mode: z.enum(['644', '755']), object: Hash, size }),
  z.strictObject({ kind: z.literal('symlink'), mode: z.literal('777'), object: Hash, size }),
  z.strictObject({ kind: z.literal('folder'), mode: z.literal('755'), object: z.null(), size: z.literal(0) }),
])
export type Entry = z.infer<typeof Entry>

export const FOLDER: Entry = { kind: 'folder', mode: '755', object: null, size: 0 }

/**
 * One path's before and after. Both sides are whole entries, not only hashes, so that a change of kind or exec bit can
 * be undone from the event alone. `movedFrom` marks the arriving half of a rename; the leaving half is a change of its
 * own.
 */
export const Change = z.strictObject({
  path: TreePath,
  from: Entry.nullable(),
  to: Entry.nullable(),
  movedFrom: TreePath.nullable(),
})
export type Change = z.infer<typeof Change>

/** Inline up to a limit, else the canonical JSON of the list is the manifest object and `changes` is empty. */
export const CHANGES_SHAPE = {
  changes: z.array(Change).max(LIMITS.inlineChangesMax),
  manifest: Hash.nullable(),
}

export const Manifest = z.array(Change).max(LIMITS.changesMax)

export function sameEntry(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b
  return a.kind === b.kind && a.mode === b.mode && a.object === b.object
}
