import { COMMANDS, isCommandName, type CommandName, type InputOf } from '@choiros/contract/commands.ts'
import type { Caller } from '@choiros/contract/commands/command.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { recipeViews } from '@choiros/core/recipes/recipes.ts'
import type { z } from 'zod'

/** What a page of the desktop may send. */
export type DesktopCommand = {
  [Name in CommandName]: 'desktop' extends (typeof COMMANDS)[Name]['from'][number] ? Name : never
}[CommandName]

/** How each of these commands is answered; one that is forgotten does not compile. */
export type Answers<Name extends DesktopCommand> = {
  readonly [One in Name]: (input: InputOf<One>) => z.input<(typeof COMMANDS)[One]['output']>
}

/** Refuses what the supervisor refuses a desktop, with its words. */
export function checkDesktopMay(command: string): asserts command is DesktopCommand {
  if (!isCommandName(command)) throw new ChoirError('request.invalid', `there is no command ${JSON.stringify(command)}`)
  if (!(COMMANDS[command].from as readonly Caller[]).includes('desktop'))
    throw new ChoirError('request.refused', `the desktop may not ${command}`)
}

type Kept =
  | 'files.change'
  | 'files.list'
  | 'files.stat'
  | 'tree'
  | 'window.open'
  | 'window.close'
  | 'window.settle'
  | 'window.list'

function noRun({ run }: { readonly run: string }): never {
  throw new ChoirError('run.unknown', `there is no run ${run}`)
}

/**
 * What a computer says of all but its files and windows while nothing was asked of it. An app that shows an answer must
 * find one, or whoever looks at it would mend a failure that no person meets.
 */
export const EMPTY_COMPUTER: Answers<Exclude<DesktopCommand, Kept>> = {
  'undo.list': () => [],
  'undo.preview'() {
    throw new ChoirError('undo.nothing', 'there is nothing to undo')
  },
  'redo.preview'() {
    throw new ChoirError('undo.nothing', 'there is nothing to redo')
  },
  'checkpoint.list': () => [],
  'prompt'() {
    throw new ChoirError('request.refused', 'this is a copy to look at: there are no agents here who could be asked')
  },
  'run.list': () => [],
  'run.get': noRun,
  'run.diff': noRun,
  'run.pictures': noRun,
  'run.picture': noRun,
  'run.continue': noRun,
  'run.drop': noRun,
  'steer': noRun,
  'answer': noRun,
  'stop': ({ run }) => (run === null ? { stopped: [] } : noRun({ run })),
  'recipe.list': () => recipeViews(),
  'budget.get': () => ({
    today: { tokens: 0, micros: 0 },
    computer: { tokens: 0 },
    run: null,
    // There is no model here to spend anything.
    caps: { run: 0, day: 0, computer: null, micros: null },
    priced: false,
  }),
  'mood.get': () => ({ pinned: null, now: { mood: 'CALM', why: '', by: 'rules' } }),
  'lease.list': () => [],
  'approval.list': () => ({ open: [], standing: [] }),
  'safe-mode.get': () => ({ on: false, healthy: null }),
  'render.report': () => ({ count: 1, canMend: false, change: null }),
  'render.well': () => ({}),
  'memory.list': () => [],
}
