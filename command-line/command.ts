import type { Readable } from 'node:stream'
import type { OptionName, Values } from './arguments.ts'
import type { Client } from './client.ts'

/** A process has these streams; a caller that runs a command inside its own process passes them. */
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

/** False: nothing failed, but the answer is no. */
type Done = Promise<boolean | void>

/** Asks the supervisor; if none runs, one is started for the command. */
export type Command = (call: Call) => Done
/** Needs no supervisor, so it works in whatever state ChoirOS is. */
export type LocalCommand = (call: LocalCall) => Done

export interface Usage {
  /** The arguments, as help prints them after the command's name. */
  readonly form: string
  readonly says: string
}

/**
 * A command as data: help and completion are made from it. Its code is loaded when it is called, and no other command's
 * code with it: loading what `status` does not need would take longer than asking.
 */
export type Entry = {
  readonly usage: readonly Usage[]
  readonly options: readonly OptionName[]
  /** The possible first arguments, if they are a few fixed words. */
  readonly actions?: readonly string[]
  /** Its arguments are files of this machine, not of a computer. */
  readonly takesFiles?: true
} & ({ readonly load: () => Promise<Command> } | { readonly loadLocal: () => Promise<LocalCommand> })
