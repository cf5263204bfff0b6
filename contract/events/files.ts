import { z } from 'zod'
import { CHANGES_SHAPE } from '../change.ts'
import { ComputerName, Hash, Seq } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { defineEvent, sentence, shortText } from './define.ts'
import { windows } from './windows.ts'

export const BaseInstall = defineEvent(
  'base.install',
  1,
  z.strictObject({
    name: ComputerName,
    release: shortText,
    tree: Hash,
    dependencies: Hash.nullable(),
    ...CHANGES_SHAPE,
  }),
)
export const FileChange = defineEvent('file.change', 1, z.strictObject(CHANGES_SHAPE))
export const RunLand = defineEvent(
  'run.land',
  1,
  z.strictObject({
    tree: Hash,
    /**
     * The tree the verifiers saw. It differs from `tree` only in paths that none of them looks at and the run did not
     * touch (L12).
     */
    verified: Hash,
    /** The signed statement of the verified tree's receipts. */
    attestation: Hash,
    summary: sentence,
    ...CHANGES_SHAPE,
  }),
)
const UNDO_SHAPE = {
  // The event that was taken back: of a stretch of typing its first one; for a redo the undo event that is itself taken
  // back.
  target: Seq,
  tree: Hash, // predicted before the event was written, compared after (L5)
  windows: windows.nullable(), // null: windows stay as they are
  ...CHANGES_SHAPE,
}
const FirstUndo = defineEvent(
  'undo',
  1,
  z.strictObject({ kind: z.enum(['run', 'event', 'point', 'redo']), ...UNDO_SHAPE }),
)
/** `stretch`: all that was typed into one document, from event `target` until its writer rested. */
export const Undo = defineEvent(
  'undo',
  2,
  z.strictObject({ kind: z.enum(['run', 'event', 'stretch', 'point', 'redo']), ...UNDO_SHAPE }),
)
export const Restore = defineEvent('restore', 1, z.strictObject({ to: Seq, tree: Hash, windows, ...CHANGES_SHAPE }))
const FirstErase = defineEvent(
  'erase',
  1,
  z.strictObject({ objects: z.array(Hash).min(1).max(4000), tree: Hash, reason: shortText, ...CHANGES_SHAPE }),
)
/**
 * `why`: because of its content, or to make room. `list`: the object that names what is erased, where that is too much
 * for `objects`, which is empty then.
 */
export const Erase = defineEvent(
  'erase',
  2,
  z.strictObject({
    why: z.enum(['content', 'room']),
    objects: z.array(Hash).max(LIMITS.erasedInlineMax),
    list: Hash.nullable(),
    tree: Hash,
    reason: shortText,
    ...CHANGES_SHAPE,
  }),
)

/**
 * The log lost events that had been acknowledged. From here on it goes without them, with as much of their files as
 * could be found elsewhere. `known`: what the witnesses knew of the lost part; it is accounted for by this event, so
 * that the next loss is still noticed.
 */
export const LogRecover = defineEvent(
  'log.recover',
  1,
  z.strictObject({
    after: z.number().int().min(0),
    known: z.array(z.strictObject({ seq: Seq, hash: Hash.nullable() })).max(20),
    tree: Hash,
    /** Paths whose newest version was found nowhere. */
    missing: z.number().int().min(0),
    ...CHANGES_SHAPE,
  }),
)

export const FILES_EVENTS = [BaseInstall, FileChange, RunLand, FirstUndo, Undo, Restore, FirstErase, Erase, LogRecover]
