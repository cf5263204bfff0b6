import type { Readable } from 'node:stream'
import type { OptionName, Values } from './arguments.ts'
import type { Client } from './client.ts'

/** A process has them; so has whoever runs a command inside of their own. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

export interface Call extends Streams {
  readonly client: Client
  readonly values: Values
  readonly positionals: readonly string[]
  /** Prints for a person, or the result itself for a machine. */
  show(result: unknown, text: string): void
  readonly json: boolean
}

export interface CommandLineCommand {
  readonly options: readonly OptionName[]
  /** False: the answer is no, though nothing failed. */
  run(call: Call): Promise<boolean | void>
}
