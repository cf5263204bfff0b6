import { z } from 'zod'
import { Hash, Seq } from './ids.ts'
import { TreePath } from './path.ts'

/** What is known of events that a log has lost, and what of them can be brought back. */
export const Recovery = z.strictObject({
  /** Where the log ends. */
  head: z.number().int().min(0),
  /** The newest event that any witness knows of. */
  known: Seq,
  witnesses: z.array(z.strictObject({ who: z.string(), seq: Seq })),
  /** Lost events that can be put back as they were, from bytes that SQLite was about to drop. */
  events: z.number().int().min(0),
  /** What else comes back, as one new event. */
  changes: z.array(z.strictObject({ path: TreePath, does: z.enum(['create', 'change', 'delete', 'move']) })),
  /** Files of the lost part whose bytes are nowhere any more. */
  missing: z.array(TreePath),
  /** What the person had asked for in the lost part, as the tables remember it. */
  asked: z.array(z.string()),
})
export type Recovery = z.infer<typeof Recovery>

/** A signed statement that a log had reached a point, for a person to keep where this machine cannot change it. */
export const Receipt = z.strictObject({ seq: Seq, hash: Hash, time: z.number().int(), text: z.string() })

/** `holds`: the log still holds that event. `why`: what is wrong otherwise, in a sentence. */
export const ReceiptVerdict = z.strictObject({ holds: z.boolean(), seq: Seq, why: z.string().nullable() })
