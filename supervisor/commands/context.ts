import type { DraftData } from '@choiros/contract/catalog.ts'
import type { EventDefinition } from '@choiros/contract/events/define.ts'
import type { Caller } from '@choiros/contract/commands/command.ts'
import type { CommandName, COMMANDS, InputOf, OutputOf } from '@choiros/contract/commands.ts'
import type { Draft, Via } from '@choiros/contract/event.ts'
import type { UserId } from '@choiros/contract/ids.ts'
import type { Progress } from '@choiros/contract/routes.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import type { Home } from '../home/home.ts'
import type { ComputerSession } from '../session/session.ts'

/** Who asks, for which user, and what a command works with. */
export interface Context {
  readonly home: Home
  readonly machine: Machine
  readonly user: UserId
  readonly caller: Caller
  readonly progress: Progress
}

export interface ComputerContext extends Context {
  readonly session: ComputerSession
  readonly computer: Computer
  /** The tables were just made again from the log: if they are still wrong, the log or a reducer is to blame. */
  readonly remade?: boolean
}

export type ComputerCommandName = {
  [Name in CommandName]: (typeof COMMANDS)[Name]['computer'] extends true ? Name : never
}[CommandName]
export type HomeCommandName = Exclude<CommandName, ComputerCommandName>

export type ComputerCommand<Name extends CommandName> = (
  context: ComputerContext,
  input: InputOf<Name>,
) => Promise<OutputOf<Name>>
export type HomeCommand<Name extends CommandName> = (context: Context, input: InputOf<Name>) => Promise<OutputOf<Name>>

/** An event that the person causes by a command. */
export function userDraft<Definition extends EventDefinition>(
  context: Context,
  definition: Definition,
  data: DraftData<Definition>,
): Draft {
  return {
    type: definition.type,
    version: definition.version,
    data,
    user: context.user,
    source: 'user',
    via: viaOf(context.caller),
    run: null,
    cause: null,
  }
}

/** What an event says about where it came from. No command of the gateway itself writes an event of the person. */
export function viaOf(caller: Caller): Via {
  return caller === 'gateway' ? 'system' : caller
}
