import type { Readable } from 'node:stream'
import type { OptionName, Values } from './arguments.ts'
import type { Client } from './client.ts'

/** A process has them; so has whoever runs a command inside of their own. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** What every command is given. */
export interface LocalCall extends Streams {
  readonly home: string
  readonly values: Values
  readonly positionals: readonly string[]
  /** Prints for a person, or the result itself for a machine. */
  show(result: unknown, text: string): void
  readonly json: boolean
}

export interface Call extends LocalCall {
  readonly client: Client
}

/** False: the answer is no, though nothing failed. */
type Done = Promise<boolean | void>

/** Asks the supervisor; where none runs, one is started for it. */
export type Command = (call: Call) => Done
/** Works without one: whatever state ChoirOS is in. */
export type LocalCommand = (call: LocalCall) => Done

export interface Usage {
  /** After the command's name. */
  readonly form: string
  readonly says: string
}

/**
 * A command as data: help and completion are made of it. Its code is loaded when it is called, and no other command's
 * with it: what a `status` does not need would take longer to load than it takes to ask.
 */
export type Entry = {
  readonly usage: readonly Usage[]
  readonly options: readonly OptionName[]
  /** The first of its arguments, where it is one of a few words. */
  readonly actions?: readonly string[]
  /** Its arguments are files of this machine, not of a computer. */
  readonly takesFiles?: true
} & ({ readonly load: () => Promise<Command> } | { readonly loadLocal: () => Promise<LocalCommand> })
