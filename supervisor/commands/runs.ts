import type { CommandName } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { recipeViews, wishProblem } from '@choiros/core/recipes/recipes.ts'
import type { RunService } from '../runs/service.ts'
import { viaOf, type ComputerCommand } from './context.ts'
import { diffRun } from './run-diff.ts'

export type RunCommandName = Extract<
  CommandName,
  | 'prompt'
  | 'steer'
  | 'answer'
  | 'run.list'
  | 'run.get'
  | 'run.diff'
  | 'stop'
  | 'recipe.list'
  | 'safe-mode'
  | 'safe-mode.get'
  | 'health.pages'
  | 'health.report'
>

/** The commands about runs. `service` throws where there are no sandboxes to run anything in. */
export function runCommands(service: () => RunService): { readonly [Name in RunCommandName]: ComputerCommand<Name> } {
  return {
    'prompt': async ({ computer, caller, user }, { text, wishes }) => {
      const problem = wishes.map(wishProblem).find((found) => found !== null) ?? null
      if (problem !== null) throw new ChoirError('request.invalid', problem)
      return service()
        .of(computer)
        .prompt({ user, source: 'user', via: viaOf(caller) }, text, wishes)
    },
    'steer': ({ computer, caller, user }, { run, text }) =>
      service()
        .of(computer)
        .steer({ user, source: 'user', via: viaOf(caller) }, run, text),
    'answer': ({ computer, caller, user }, { run, question, answers }) =>
      service()
        .of(computer)
        .answer({ user, source: 'user', via: viaOf(caller) }, run, question, answers),
    'run.list': async ({ computer }, { limit, before, changed }) => computer.state.queries.runs(limit, before ?? null, changed ?? null),
    'run.get': async ({ computer }, { run }) => {
      const found = computer.state.queries.run(run)
      if (found === null) throw new ChoirError('run.unknown', `there is no run ${run}`)
      return found
    },
    'run.diff': diffRun,
    'stop': async ({ computer }, { run }) => ({ stopped: await service().of(computer).stop(run) }),
    'recipe.list': async () => recipeViews(),
    'safe-mode': async ({ computer }, { on }) => {
      await service().setSafeMode(computer, on)
      return service().safeMode(computer)
    },
    'safe-mode.get': async ({ computer }) => service().safeMode(computer),
    'health.pages': async ({ computer }, { visible }) => {
      const runs = service().of(computer)
      if (visible > 0) runs.warmUp()
      return { pending: runs.health.pages(visible) }
    },
    'health.report': async ({ computer }, { land, ok, why }) => {
      await service().of(computer).health.report(land, ok, why)
      return {}
    },
  }
}
