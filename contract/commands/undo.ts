import { z } from 'zod'
import { Hash, Seq } from '../ids.ts'
import { Next, UndoDone, UndoPlan, UndoTarget, UndoUnit } from '../undo-view.ts'
import { change, type Command, HEAVY, look, owner, page, shortText } from './command.ts'

/** Taking back, and points to go back to. */
export const UNDO_COMMANDS = {
  'undo.preview': {
    ...look,
    cost: HEAVY,
    input: z.strictObject({ target: UndoTarget }),
    output: UndoPlan,
  },
  /** `tree`: the tree that the preview promised. If the result would be another by now, nothing is written. */
  'undo': {
    ...change,
    from: owner,
    input: z.strictObject({ target: UndoTarget, tree: Hash.nullable() }),
    output: UndoDone,
  },
  /** What can be taken back, and what was taken back already: everything that anybody did, newest first. */
  'undo.list': {
    ...look,
    cost: HEAVY,
    input: z.strictObject(page),
    output: z.array(UndoUnit),
  },
  'redo.preview': {
    ...look,
    cost: HEAVY,
    input: z.strictObject({}),
    output: UndoPlan,
  },
  /**
   * `undo`: the undo that the person was told would be taken back; refused with `undo.mismatch` where it is another by
   * now.
   */
  'redo': {
    ...change,
    from: owner,
    input: z.strictObject({ undo: Seq.optional() }),
    output: UndoDone,
  },
  /** Every open page asks this after every event, so it reads only a handful of rows. */
  'next': {
    ...look,
    from: owner,
    input: z.strictObject({}),
    output: Next,
  },
  'restore': {
    ...change,
    from: owner,
    input: z.strictObject({ to: Seq }),
    output: UndoDone,
  },
  'restore.preview': {
    ...look,
    from: owner,
    cost: HEAVY,
    input: z.strictObject({ to: Seq }),
    output: UndoPlan,
  },
  'checkpoint': {
    ...change,
    from: owner,
    input: z.strictObject({ name: shortText.nullable() }),
    output: z.strictObject({ seq: Seq, name: z.string(), tree: Hash, commit: z.string().nullable() }),
  },
  /** Oldest first; with a limit, the newest of them. `user`: those that a person has named. */
  'checkpoint.list': {
    ...look,
    input: z.strictObject({ kind: z.enum(['user', 'automatic']), ...page }).partial(),
    output: z.array(
      z.strictObject({ seq: Seq, time: z.number().int(), name: z.string(), kind: z.string(), tree: Hash }),
    ),
  },
} as const satisfies Record<string, Command>
