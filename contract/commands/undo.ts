import { z } from 'zod'
import { Hash, Seq } from '../ids.ts'
import { Next, UndoDone, UndoPlan, UndoTarget, UndoUnit } from '../undo-view.ts'
import { everyone, HEAVY, owner, page, shortText, type Command } from './command.ts'

/** Taking back, and points to go back to. */
export const UNDO_COMMANDS = {
  'undo.preview': {
    from: everyone,
    role: 'viewer',
    writes: false,
    rate: 'look',
    cost: HEAVY,
    computer: true,
    input: z.strictObject({ target: UndoTarget }),
    output: UndoPlan,
  },
  /** `tree`: the tree that the preview promised. If the result would be another by now, nothing is written. */
  'undo': {
    from: owner,
    role: 'editor',
    writes: true,
    rate: 'change',
    cost: 1,
    computer: true,
    input: z.strictObject({ target: UndoTarget, tree: Hash.nullable() }),
    output: UndoDone,
  },
  /** What can be taken back, and what was taken back already: everything that anybody did, newest first. */
  'undo.list': {
    from: everyone,
    role: 'viewer',
    writes: false,
    rate: 'look',
    cost: HEAVY,
    computer: true,
    input: z.strictObject(page),
    output: z.array(UndoUnit),
  },
  'redo.preview': {
    from: everyone,
    role: 'viewer',
    writes: false,
    rate: 'look',
    cost: HEAVY,
    computer: true,
    input: z.strictObject({}),
    output: UndoPlan,
  },
  /**
   * `undo`: the undo that the person was told would be taken back; refused with `undo.mismatch` where it is another by
   * now.
   */
  'redo': {
    from: owner,
    role: 'editor',
    writes: true,
    rate: 'change',
    cost: 1,
    computer: true,
    input: z.strictObject({ undo: Seq.optional() }),
    output: UndoDone,
  },
  /** Every open page asks this after every event, so it reads only a handful of rows. */
  'next': {
    from: owner,
    role: 'viewer',
    writes: false,
    rate: 'look',
    cost: 1,
    computer: true,
    input: z.strictObject({}),
    output: Next,
  },
  'restore': {
    from: owner,
    role: 'editor',
    writes: true,
    rate: 'change',
    cost: 1,
    computer: true,
    input: z.strictObject({ to: Seq }),
    output: UndoDone,
  },
  'restore.preview': {
    from: owner,
    role: 'viewer',
    writes: false,
    rate: 'look',
    cost: HEAVY,
    computer: true,
    input: z.strictObject({ to: Seq }),
    output: UndoPlan,
  },
  'checkpoint': {
    from: owner,
    role: 'editor',
    writes: true,
    rate: 'change',
    cost: 1,
    computer: true,
    input: z.strictObject({ name: shortText.nullable() }),
    output: z.strictObject({ seq: Seq, name: z.string(), tree: Hash, commit: z.string().nullable() }),
  },
  /** Oldest first; with a limit, the newest of them. `user`: those that a person has named. */
  'checkpoint.list': {
    from: everyone,
    role: 'viewer',
    writes: false,
    rate: 'look',
    cost: 1,
    computer: true,
    input: z.strictObject({ kind: z.enum(['user', 'automatic']), ...page }).partial(),
    output: z.array(
      z.strictObject({ seq: Seq, time: z.number().int(), name: z.string(), kind: z.string(), tree: Hash }),
    ),
  },
} as const satisfies Record<string, Command>
