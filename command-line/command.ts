import type { OptionName, Values } from './arguments.ts'
import type { Client } from './client.ts'

export interface Call {
  readonly client: Client
  readonly values: Values
  readonly positionals: readonly string[]
  /** Prints for a person, or the result itself for a machine. */
  show(result: unknown, text: string): void
  readonly stdout: NodeJS.WritableStream
  readonly json: boolean
}

export interface CommandLineCommand {
  readonly options: readonly OptionName[]
  /** False: the answer is no, though nothing failed. */
  run(call: Call): Promise<boolean | void>
}
