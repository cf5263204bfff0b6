import { z } from 'zod'
import { ComputerName, Hash, Seq } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { TreePath } from '../path.ts'
import { Receipt, ReceiptVerdict, Recovery } from '../recovery.ts'
import { RoomView, ThinInput, ThinPlan, Thinned } from '../room-view.ts'
import { type Command, HEAVY, homeChange, homeLook, look, owner, unicode } from './command.ts'
import { ComputerView } from './computers.ts'

const Tables = z.record(z.string(), Hash)

const Problem = z.strictObject({ code: z.string(), message: z.string() })
export type Problem = z.infer<typeof Problem>

/** What keeps a history whole, small and provable. */
export const KEEPING_COMMANDS = {
  'fork': {
    ...homeChange,
    computer: true,
    input: z.strictObject({ name: ComputerName, at: Seq.nullable() }),
    output: ComputerView,
  },
  'erase.preview': {
    ...homeLook,
    cost: HEAVY,
    computer: true,
    input: z.strictObject({ path: TreePath }),
    /**
     * `paths` are deleted with their bytes; `shared` are other files that hold some of the same bytes, which therefore
     * stay.
     */
    output: z.strictObject({ objects: z.array(Hash), paths: z.array(TreePath), shared: z.array(TreePath) }),
  },
  'erase': {
    ...homeChange,
    writes: true,
    computer: true,
    input: z.strictObject({ objects: z.array(Hash).min(1).max(4000), reason: unicode.max(LIMITS.nameCharsMax) }),
    output: z.strictObject({ seq: Seq, objects: z.number().int(), tree: Hash }),
  },
  /** How much room the computer takes, and how much it may take. */
  'room': {
    ...look,
    from: owner,
    input: z.strictObject({}),
    output: RoomView,
  },
  /**
   * Old versions that nothing needs any more are removed for good. Needed are the files as they are, and what the
   * person's checkpoints, the newest undos and safe mode would bring back.
   */
  'thin.preview': {
    ...homeLook,
    cost: HEAVY,
    computer: true,
    input: ThinInput,
    output: ThinPlan,
  },
  'thin': {
    ...homeChange,
    writes: true,
    computer: true,
    input: ThinInput,
    output: Thinned,
  },
  'verify': {
    ...homeLook,
    cost: HEAVY,
    computer: true,
    input: z.strictObject({}),
    output: z.strictObject({
      ok: z.boolean(),
      problems: z.array(Problem),
      /**
       * What was damaged and was put right from the log: tables and files. Nothing is lost, but the disk may be
       * failing.
       */
      mended: z.array(z.string()),
      events: z.number().int(),
      objects: z.number().int(),
      head: z.strictObject({ seq: z.number().int(), hash: Hash }).nullable(),
      tree: Hash.nullable(),
      tables: Tables,
    }),
  },
  'recover.preview': {
    ...homeLook,
    cost: HEAVY,
    computer: true,
    input: z.strictObject({}),
    output: Recovery,
  },
  /** Goes on without the lost events, with as much of them as could be found. */
  'recover': {
    ...homeChange,
    writes: true,
    computer: true,
    input: z.strictObject({}),
    output: z.strictObject({ seq: Seq, ...Recovery.shape }),
  },
  'receipt': {
    ...look,
    from: owner,
    input: z.strictObject({}),
    output: Receipt,
  },
  'receipt.check': {
    ...look,
    from: owner,
    input: z.strictObject({ text: unicode.max(4000) }),
    output: ReceiptVerdict,
  },
  'replay': {
    ...homeLook,
    cost: HEAVY,
    computer: true,
    input: z.strictObject({ to: Seq.nullable() }),
    output: z.strictObject({ seq: z.number().int(), tree: Hash, tables: Tables, matches: z.boolean().nullable() }),
  },
} as const satisfies Record<string, Command>
