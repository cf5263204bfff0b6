import { z } from 'zod'
import { fileDiff } from '@choiros/core/merge/diff-text.ts'
import { touchedPaths } from './check.ts'
import { define } from './tool.ts'

export const diff = define({
  description: 'Shows what you have changed so far, compared with what the task started from; of one file with path.',
  input: z.strictObject({ path: z.string().min(1).max(1024).optional() }),
  use({ stage, base }, { path }) {
    const paths = touchedPaths(stage, base).filter((one) => path === undefined || one === path)
    if (paths.length === 0) return path === undefined ? 'nothing was changed yet' : `${path} was not changed`
    return paths.map((one) => fileDiff(one, base.read(one), stage.read(one)).text).join('\n')
  },
})
