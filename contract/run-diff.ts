import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { TreePath } from './path.ts'

const line = z.number().int().min(1)
const count = z.number().int().min(0)

/** One line of a diff, without its ending. `unended`: the file ends here, without a newline. */
export const DiffLine = z.strictObject({
  is: z.enum(['same', 'added', 'removed']),
  text: z.string(),
  unended: z.boolean(),
})
export type DiffLine = z.infer<typeof DiffLine>

/**
 * Lines that changed, with some around them. `before` and `after`: the number of the hunk's first line on either side.
 */
export const DiffHunk = z.strictObject({ before: line, after: line, lines: z.array(DiffLine).max(LIMITS.diffLinesMax) })
export type DiffHunk = z.infer<typeof DiffHunk>

export const FileDiff = z.strictObject({
  path: TreePath,
  does: z.enum(['create', 'change', 'delete', 'move']),
  movedFrom: TreePath.nullable(),
  /** Null where lines cannot be counted: `note` says why. */
  added: count.nullable(),
  removed: count.nullable(),
  /**
   * What lines do not show, in words: that the file is binary, that it may be executed now, that its content was not
   * kept.
   */
  note: z.string().nullable(),
  hunks: z.array(DiffHunk),
  /** How many lines of the hunks are left out, because they are too many. */
  left: count,
})
export type FileDiff = z.infer<typeof FileDiff>

/**
 * What a run changed. Asked without a path, it holds all files without their hunks; asked for one path, that file
 * alone, with its hunks.
 */
export const RunDiff = z.strictObject({
  /**
   * `landed`: this is in the log. `stage`: the run ended without landing, and this was on its stage. `open`: it is
   * still going on.
   */
  from: z.enum(['landed', 'stage', 'open']),
  files: z.array(FileDiff),
  /** How many files are left out, because they are too many. */
  left: count,
})
export type RunDiff = z.infer<typeof RunDiff>
