import { ChoirError } from '@choiros/contract/error.ts'
import { recipeViews, wishProblem } from '@choiros/core/recipes/recipes.ts'
import { nextDeeds } from '../undo/next.ts'
import { viaOf, type ComputerCommand } from './context.ts'
import { diffRun } from './run-diff.ts'
import { listPictures, showPicture } from './run-pictures.ts'

type RunCommandName =
  | 'prompt'
  | 'steer'
  | 'run.continue'
  | 'run.drop'
  | 'answer'
  | 'run.list'
  | 'run.get'
  | 'run.diff'
  | 'run.pictures'
  | 'run.picture'
  | 'stop'
  | 'recipe.list'
  | 'safe-mode'
  | 'safe-mode.get'
  | 'next'
  | 'health.pages'
  | 'health.report'

export const RUN_COMMANDS: { readonly [Name in RunCommandName]: ComputerCommand<Name> } = {
  'prompt': async ({ session, caller, user }, { text, wishes }) => {
    const problem = wishes.map(wishProblem).find((found) => found !== null) ?? null
    if (problem !== null) throw new ChoirError('request.invalid', problem)
    return session.runs.prompt({ user, source: 'user', via: viaOf(caller) }, text, wishes)
  },
  'steer': ({ session, caller, user }, { run, text }) =>
    session.runs.steer({ user, source: 'user', via: viaOf(caller) }, run, text),
  'run.continue': ({ session, caller, user }, { run }) =>
    session.runs.goOn({ user, source: 'user', via: viaOf(caller) }, run),
  'run.drop': ({ session }, { run }) => session.runs.drop(run),
  'answer': ({ session, caller, user }, { run, question, answers }) =>
    session.runs.answer({ user, source: 'user', via: viaOf(caller) }, run, question, answers),
  'run.list': async ({ computer }, { limit, before, changed }) =>
    computer.queries.runs(limit, before ?? null, changed ?? null),
  'run.get': async ({ computer }, { run }) => {
    const found = computer.queries.run(run)
    if (found === null) throw new ChoirError('run.unknown', `there is no run ${run}`)
    return found
  },
  'run.diff': diffRun,
  'run.pictures': listPictures,
  'run.picture': showPicture,
  'stop': async ({ session }, { run }) => ({ stopped: await session.runs.stop(run) }),
  'recipe.list': async ({ session, caller }) => {
    if (caller !== 'cli') session.runs.warmUp() // Somebody is about to ask for something.
    return recipeViews()
  },
  'safe-mode': async ({ session: { safeMode } }, { on }) => {
    await safeMode.set(on)
    return safeMode.view()
  },
  'next': async ({ computer, session }) => ({
    seq: computer.head().seq,
    ...nextDeeds(computer.queries),
    open: computer.queries.openRuns().map(({ run, text }) => ({ run, text })),
    safe: session.safeMode.view(),
  }),
  'safe-mode.get': async ({ session }) => session.safeMode.view(),
  'health.pages': async ({ session: { runs } }, { visible }) => {
    if (visible > 0) runs.warmUp()
    return { pending: runs.health.pages(visible) }
  },
  'health.report': async ({ session }, { land, ok, why, stack = '' }) => {
    await session.runs.health.report(land, ok, why, stack)
    return {}
  },
}
