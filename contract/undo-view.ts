import { z } from 'zod'
import { Hash, RunId, Seq } from './ids.ts'
import { TreePath } from './path.ts'

/** `healthy`: the landing that the desk serves, null where it is the release's own desktop. */
export const SafeMode = z.strictObject({ on: z.boolean(), healthy: Seq.nullable() })

export const UndoTarget = z.discriminatedUnion('kind', [
  /**
   * `any`: the newest that is still in effect, whoever did it; `runs`: of what the agents did; `desktop`: of what
   * changed the desktop's own files. `unit`: the number of what the person was told would be undone; refused with
   * `undo.mismatch` where it is another by now.
   */
  z.strictObject({ kind: z.literal('newest'), scope: z.enum(['runs', 'any', 'desktop']), unit: Seq.optional() }),
  z.strictObject({ kind: z.literal('run'), run: RunId }),
  /** An item of `undo.list`, by its number: a stretch of typing is taken back as a whole. */
  z.strictObject({ kind: z.literal('unit'), seq: Seq }),
  /** Only this event, even where it is part of a stretch. */
  z.strictObject({ kind: z.literal('event'), seq: Seq }),
  z.strictObject({ kind: z.literal('point'), seq: Seq }),
])
export type UndoTarget = z.infer<typeof UndoTarget>

export const ChangeView = z.strictObject({
  path: TreePath,
  does: z.enum(['create', 'change', 'delete', 'move']),
  movedFrom: TreePath.nullable(),
  merged: z.boolean(),
})
export type ChangeView = z.infer<typeof ChangeView>

export const Conflict = z.strictObject({ path: TreePath, why: z.string() })
export type Conflict = z.infer<typeof Conflict>

const Target = z.strictObject({ seq: Seq, type: z.string(), run: RunId.nullable(), title: z.string() })

export const UndoPlan = z.strictObject({
  target: Target,
  changes: z.array(ChangeView),
  conflicts: z.array(Conflict),
  /** Paths that cannot come back because their bytes were erased for good. */
  erased: z.array(TreePath),
  tree: Hash.nullable(),
})
export type UndoPlan = z.infer<typeof UndoPlan>

/**
 * One thing that was done and can be taken back as a whole. `until`: its last event, where it is a stretch of typing.
 */
export const UndoUnit = z.strictObject({
  seq: Seq,
  until: Seq,
  time: z.number().int(),
  type: z.string(),
  via: z.string(),
  run: RunId.nullable(),
  title: z.string(),
  /** In the person's words, where it was asked for. */
  asked: z.string().nullable(),
  undone: z.boolean(),
})
export type UndoUnit = z.infer<typeof UndoUnit>

/**
 * What a button would take back or bring back. `typing`: the document, while it is still being typed in: more typing
 * changes neither the number nor the title.
 */
const NextDeed = z.strictObject({ seq: Seq, title: z.string(), typing: TreePath.nullable() })

/**
 * What the buttons of a frame would do now, as far as the tables tell: nothing is planned for it, so a plan may still
 * find a conflict.
 */
export const Next = z.strictObject({
  /** The head that this was read at. */
  seq: z.number().int(),
  undo: NextDeed.nullable(),
  redo: NextDeed.nullable(),
  /** What Stop would stop. */
  open: z.array(z.strictObject({ run: RunId, text: z.string() })),
  safe: SafeMode,
})
export type Next = z.infer<typeof Next>

export const UndoDone = z.strictObject({
  seq: Seq,
  tree: Hash,
  target: Target,
  changes: z.array(ChangeView),
  erased: z.array(TreePath),
})
