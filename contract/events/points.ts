import { z } from 'zod'
import { ComputerId, ComputerName, Hash, Seq } from '../ids.ts'
import { defineEvent, shortText } from './define.ts'

export const Checkpoint = defineEvent(
  'checkpoint',
  1,
  z.strictObject({ name: shortText, kind: z.enum(['user', 'automatic']), tree: Hash }),
)
/** The first event of its own in a computer that was forked or imported; everything before it belongs to `origin`. */
export const Fork = defineEvent(
  'fork',
  1,
  z.strictObject({
    name: ComputerName,
    how: z.enum(['fork', 'import']),
    origin: z.strictObject({ computer: ComputerId, seq: Seq, hash: Hash }),
  }),
)

export const POINTS_EVENTS = [Checkpoint, Fork]
