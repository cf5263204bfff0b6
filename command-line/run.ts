import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { ChoirError } from '@choiros/contract/error.ts'
import { homeFolder } from '@choiros/contract/home-folder.ts'
import { toWireError, type Progress } from '@choiros/contract/routes.ts'
import { checkOptions, parseArguments, take, type Arguments } from './arguments.ts'
import { createClient } from './client.ts'
import type { Streams } from './command.ts'
import { COMMAND_LINE } from './commands.ts'
import { connect } from './connection.ts'
import { HELP } from './help.ts'
import { stop } from './stop.ts'
import { printable } from './text.ts'

/** One command with its arguments. False: it failed, or its answer is no; whoever reads `stderr` knows why. */
export async function runCommandLine(args: readonly string[], streams: Streams): Promise<boolean> {
  try {
    checkBytes()
    return await run(parseArguments(args), streams)
  } catch (error) {
    if (args.includes('--json')) streams.stdout.write(`${JSON.stringify({ error: toWireError(error) })}\n`)
    else streams.stderr.write(`choir: ${error instanceof ChoirError ? printable(error.message) : ((error as Error).stack ?? String(error))}\n`)
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

async function run({ values, positionals }: Arguments, streams: Streams): Promise<boolean> {
  const { stdout, stderr } = streams
  const [name, ...rest] = positionals
  if (values.help || name === undefined || name === 'help') {
    stdout.write(HELP)
    return name !== undefined || values.help
  }
  const home = resolve(process.env.INIT_CWD ?? '.', values.home ?? homeFolder(process.env, homedir()))
  const show = (result: unknown, text: string) => {
    const out = values.json ? JSON.stringify(result) : text
    if (out !== '') stdout.write(`${out}\n`)
  }
  if (name === 'stop') {
    checkOptions(values, ['run', 'all'], name)
    take(rest, [])
    return stop({ home, user: values.user ?? null, computer: values.computer ?? null, run: values.run, all: values.all, show })
  }
  const command = Object.hasOwn(COMMAND_LINE, name) ? COMMAND_LINE[name] : undefined
  if (command === undefined)
    throw new ChoirError('request.invalid', `there is no command ${JSON.stringify(name.slice(0, 40))}. "choir help" shows what there is.`)
  checkOptions(values, command.options, name)
  if (!existsSync(home) && name === 'status') return showNothing(home, values.json, stdout)

  const connection = await connect(home)
  try {
    const client = createClient(connection, { user: values.user ?? null, computer: values.computer ?? null, progress: showProgress(stderr) })
    return (await command.run({ client, values, positionals: rest, show, ...streams, json: values.json })) !== false
  } finally {
    await connection.close()
  }
}

/** Asking how things stand makes nothing. */
function showNothing(home: string, json: boolean, stdout: Streams['stdout']): boolean {
  const status = { ok: true, running: false, home, computers: [] }
  stdout.write(json ? `${JSON.stringify(status)}\n` : `ChoirOS is not running\nhome: ${home}\nno computer yet: "choir computer add NAME" makes one\n`)
  return true
}

/** Node puts a replacement character where an argument is not UTF-8, and another file than was named would be written. */
function checkBytes(): void {
  if (!isUtf8(readFileSync('/proc/self/cmdline'))) throw new ChoirError('request.invalid', 'the arguments are not valid UTF-8')
}
