import { z } from 'zod'
import { LIMITS } from '@choiros/contract/limits.ts'
import { PlanItem } from '@choiros/contract/syscalls.ts'
import { define } from './tool.ts'

export const plan = define({
  description:
    'Writes down what you mean to do, in a few short lines, and how far you are. The person sees it. Give the whole list each time: when you begin work of several steps, and when one is done.',
  input: z.strictObject({ items: z.array(PlanItem).min(1).max(LIMITS.planItemsMax) }),
  async use({ tell }, { items }) {
    await tell(items)
    const open = items.filter(({ state }) => state !== 'done').length
    return open === 0 ? 'all done' : `${open} to do`
  },
})
