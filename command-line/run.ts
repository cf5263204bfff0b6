import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { ChoirError } from '@choiros/contract/error.ts'
import { homeFolder } from '@choiros/contract/home-folder.ts'
import { toWireError, type Progress } from '@choiros/contract/routes.ts'
import { checkOptions, parseArguments, take, type Arguments } from './arguments.ts'
import type { CheckAnswer } from './client.ts'
import type { Entry, LocalCall, Streams } from './command.ts'
import { COMMAND_LINE } from './commands.ts'
import { printable } from './text.ts'

export interface RunOptions extends Streams {
  readonly checkAnswer?: CheckAnswer
}

/** Runs one command with its arguments. False: it failed, or its answer is no; `stderr` says why. */
export async function runCommandLine(args: readonly string[], options: RunOptions): Promise<boolean> {
  try {
    checkBytes()
    return await run(parseArguments(args), options)
  } catch (error) {
    if (args.includes('--json')) options.stdout.write(`${JSON.stringify({ error: toWireError(error) })}\n`)
    else
      options.stderr.write(
        `choir: ${error instanceof ChoirError ? printable(error.message) : ((error as Error).stack ?? String(error))}\n`,
      )
    return false
  }
}

function showProgress(stderr: Streams['stderr']): Progress {
  const startedMs = Date.now()
  return (what, done, total) => {
    if (!stderr.isTTY || Date.now() - startedMs < 1000) return
    stderr.write(`\r\u001b[K${what}: ${done}${total === null ? '' : ` of ${total}`}`)
  }
}

async function run(
  { values, positionals }: Arguments,
  { stdin, stdout, stderr, checkAnswer }: RunOptions,
): Promise<boolean> {
  const [name = 'help', ...rest] = values.help ? ['help'] : positionals
  const entry = Object.hasOwn(COMMAND_LINE, name) ? COMMAND_LINE[name] : undefined
  if (entry === undefined)
    throw new ChoirError(
      'request.invalid',
      `there is no command ${JSON.stringify(name.slice(0, 40))}. "choir help" shows what there is.`,
    )
  if (name !== 'help') checkOptions(values, entry.options, name)
  const home = resolve(values.home ?? homeFolder(process.env, homedir()))
  const show = (result: unknown, text: string) => {
    const out = values.json ? JSON.stringify(result) : text
    if (out !== '') stdout.write(`${out}\n`)
  }
  const call: LocalCall = { home, values, positionals: rest, show, stdin, stdout, stderr, json: values.json }
  if ('loadLocal' in entry) {
    const done = await (await entry.loadLocal())(call)
    return done !== false && (positionals.length > 0 || values.help) // Nothing was asked for: help, but no success.
  }
  if (!existsSync(home) && name === 'status') return showNothing(call)
  return ask(entry, call, checkAnswer)
}

async function ask(
  entry: Extract<Entry, { load: unknown }>,
  call: LocalCall,
  checkAnswer: CheckAnswer | undefined,
): Promise<boolean> {
  // Side by side: the supervisor greets while the command's code is read.
  const [command, { createClient }, connection] = await Promise.all([
    entry.load(),
    import('./client.ts'),
    import('./connection.ts').then(({ connect }) => connect(call.home)),
  ])
  try {
    const { user, computer } = call.values
    const client = createClient(connection, {
      user: user ?? null,
      computer: computer ?? null,
      progress: showProgress(call.stderr),
      checkAnswer,
    })
    return (await command({ ...call, client })) !== false
  } finally {
    await connection.close()
  }
}

/** Asking for the status must not create anything. */
function showNothing({ home, show, positionals }: LocalCall): boolean {
  take(positionals, [])
  const status = { ok: true, running: false, home, computers: [] }
  show(status, `ChoirOS is not running\nhome: ${home}\nno computer yet: "choir computer add NAME" makes one`)
  return true
}

/** Node replaces bytes that are not UTF-8 in an argument, so another file than the one named would be written. */
function checkBytes(): void {
  if (!isUtf8(readFileSync('/proc/self/cmdline')))
    throw new ChoirError('request.invalid', 'the arguments are not valid UTF-8')
}
