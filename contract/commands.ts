import type { z } from 'zod'
import { COMPUTERS_COMMANDS } from './commands/computers.ts'
import { DESKTOP_COMMANDS } from './commands/desktop.ts'
import { FILES_COMMANDS } from './commands/files.ts'
import { KEEPING_COMMANDS } from './commands/keeping.ts'
import { MEMORY_COMMANDS } from './commands/memory.ts'
import { MODELS_COMMANDS } from './commands/models.ts'
import { POLICY_COMMANDS } from './commands/policy.ts'
import { RUNS_COMMANDS } from './commands/runs.ts'
import { UNDO_COMMANDS } from './commands/undo.ts'
import type { Command } from './commands/command.ts'

/** Every command: who may send it, how it is counted against rates, what it takes and gives. */
export const COMMANDS = {
  ...COMPUTERS_COMMANDS,
  ...FILES_COMMANDS,
  ...UNDO_COMMANDS,
  ...KEEPING_COMMANDS,
  ...RUNS_COMMANDS,
  ...MODELS_COMMANDS,
  ...POLICY_COMMANDS,
  ...DESKTOP_COMMANDS,
  ...MEMORY_COMMANDS,
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof COMMANDS
export type InputOf<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['input']>
export type OutputOf<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['output']>

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}
