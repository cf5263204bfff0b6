import { z } from 'zod'
import { Hash } from './ids.ts'

/** A picture of a run, without its bytes. */
export const RunPictureView = z.strictObject({
  moment: z.enum(['before', 'after']),
  /** Whose window is open; null: the desktop without windows. */
  app: z.string().nullable(),
  object: Hash,
  bytes: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
})
export type RunPictureView = z.infer<typeof RunPictureView>
