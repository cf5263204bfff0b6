import type { OutputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Draft } from '@choiros/contract/event.ts'
import { viewChanges } from '@choiros/core/undo.ts'
import type { Computer } from '../computer/computer.ts'
import { PERSON_RESERVE_BYTES } from '../computer/room.ts'
import type { Plan } from './plan.ts'

/** A plan is made without holding the log; if files change meanwhile it is made again, at most this often. */
const PLANS_MAX = 5

/** Makes a plan and writes what it says as one event, unless the files moved meanwhile: then the plan is made again. */
export async function carryOut(
  computer: Computer,
  makePlan: () => Promise<Plan>,
  toDraft: (plan: Plan) => Draft,
): Promise<OutputOf<'undo'>> {
  for (let attempt = 1; ; attempt++) {
    const plan = await makePlan()
    if (plan.conflicts.length > 0) throw conflictError(plan)
    let stale = false
    const draft = toDraft(plan)
    const event = await computer.change(
      (current) => {
        stale = current.filesSeq !== plan.filesSeq
        return stale ? null : { draft, changes: plan.changes, objects: plan.objects, tree: plan.tree }
      },
      { reserveBytes: PERSON_RESERVE_BYTES },
    )
    if (event !== null) {
      return {
        seq: event.seq,
        tree: plan.tree,
        target: plan.target,
        changes: viewChanges(plan.changes, plan.merged),
        erased: [...plan.erased],
      }
    }
    if (attempt === PLANS_MAX)
      throw new ChoirError(
        'undo.mismatch',
        'the files are changing too fast for that right now, so nothing was changed. Try again when it is quieter.',
      )
  }
}

function conflictError({ target, conflicts, erased }: Plan): ChoirError {
  // An erased version is nobody's later work.
  const cost = conflicts.length === erased.length ? '' : ' without losing later work'
  const shown = conflicts
    .slice(0, 5)
    .map(({ path, why }) => `${path} (${why})`)
    .join('; ')
  const more = conflicts.length > 5 ? ` and ${conflicts.length - 5} more` : ''
  return new ChoirError(
    'undo.conflict',
    `“${target.title}” cannot be taken back${cost}, so nothing was changed: ${shown}${more}`,
    {
      details: { target, conflicts },
    },
  )
}
