import { fileURLToPath } from 'node:url'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import { take } from './arguments.ts'
import type { LocalCommand } from './command.ts'

const LAUNCHER = fileURLToPath(new URL('../scripts/launch.ts', import.meta.url))

/** Becomes the launcher: Ctrl-C and kill reach it as they would reach this process. */
export const start: LocalCommand = async ({ home, values, positionals, json }) => {
  take(positionals, [])
  if (json)
    throw new ChoirError(
      'request.invalid',
      '"choir start" runs until it is stopped and has no answer for --json; "choir status --json" does',
    )
  const args = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    LAUNCHER,
    '--home',
    home,
    ...(values.port === undefined ? [] : ['--port', values.port]),
  ]
  assert(process.execve !== undefined, 'every Linux can replace a process')
  process.execve(process.execPath, args, process.env)
}
