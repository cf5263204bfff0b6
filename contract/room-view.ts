import { z } from 'zod'
import { Seq } from './ids.ts'

const bytes = z.number().int().min(0)
const Part = z.strictObject({ bytes, max: bytes })

/**
 * How much room a computer takes, and how much it may take: its files, the versions that only its history holds, and
 * the log of its history.
 */
export const RoomView = z.strictObject({
  files: z.strictObject({ ...Part.shape, count: bytes, countMax: bytes }),
  versions: Part,
  history: Part,
})
export type RoomView = z.infer<typeof RoomView>

/** Versions that were replaced longer ago than this may go. The maximum is a hundred years, more than anyone needs. */
export const ThinInput = z.strictObject({
  olderThanMs: z
    .number()
    .int()
    .min(0)
    .max(100 * 365 * 24 * 3600 * 1000),
})

/** What thinning removes for good. `more`: it is so much that thinning must be repeated. */
export const ThinPlan = z.strictObject({ versions: bytes, files: bytes, bytes, more: z.boolean() })
export type ThinPlan = z.infer<typeof ThinPlan>

/** `seq`: null where there was nothing to take. */
export const Thinned = z.strictObject({ seq: Seq.nullable(), ...ThinPlan.shape, room: RoomView })
