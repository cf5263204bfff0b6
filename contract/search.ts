import { z } from 'zod'

const CONTEXT_MAX = 10

/** How lines are searched for, by an Associate on its stage and by a Director in the tree. */
export const SearchInput = z.strictObject({
  text: z.string().min(1).max(500).optional(),
  pattern: z.string().min(1).max(500).optional(),
  folder: z.string().max(1024).optional(),
  glob: z.string().min(1).max(200).optional(),
  context: z.number().int().min(0).max(CONTEXT_MAX).optional(),
  ignore_case: z.boolean().optional(),
})
export type SearchInput = z.infer<typeof SearchInput>
