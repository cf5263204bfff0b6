import { RenderError, RenderWell } from '@choiros/contract/events/faults.ts'
import { userDraft, type ComputerCommand } from './context.ts'

/** Two pages, or a component that is tried again and again, see one error: it is written down once. */
const SAME_MS = 2000

/** An app stopped working in a page. The answer says what the person can do about it by now. */
export const reportFault: ComputerCommand<'render.report'> = async (context, { app, message, stack }) => {
  const { computer, session, machine } = context
  await computer.append(({ state }) => {
    const known = state.fault(app, message)
    const isSame = known !== null && machine.now() - known.time < SAME_MS
    return isSame ? null : { draft: userDraft(context, RenderError, { app, message, stack }) }
  })
  const { queries } = computer
  const changed = queries.newestChangeBelow(`app/apps/${app}`)
  const unit = changed === null ? null : queries.unitAround(changed)
  return {
    count: queries.fault(app, message)?.count ?? 1,
    canMend: session.runs.canThink(),
    change: unit === null || unit.undone_by !== null ? null : { unit: unit.seq, title: unit.title },
  }
}

/** It works again: what was wrong with it is forgotten. */
export const reportWell: ComputerCommand<'render.well'> = async (context, { app }) => {
  await context.computer.append(({ state }) =>
    state.hasFault(app) ? { draft: userDraft(context, RenderWell, { app }) } : null,
  )
  return {}
}
