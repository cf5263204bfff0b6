import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { ChoirError } from '@choiros/contract/error.ts'
import { homeFolder } from '@choiros/contract/home-folder.ts'
import { toWireError, type Progress } from '@choiros/contract/routes.ts'
import { checkOptions, parseArguments, take, type Arguments } from './arguments.ts'
import { createClient } from './client.ts'
import { COMMAND_LINE } from './commands.ts'
import { connect } from './connection.ts'
import { HELP } from './help.ts'
import { stop } from './stop.ts'
import { printable } from './text.ts'

function showProgress(): Progress {
  const startedMs = Date.now()
  return (what, done, total) => {
    if (!process.stderr.isTTY || Date.now() - startedMs < 1000) return
    process.stderr.write(`\r\u001b[K${what}: ${done}${total === null ? '' : ` of ${total}`}`)
  }
}

async function run({ values, positionals }: Arguments): Promise<boolean> {
  const [name, ...rest] = positionals
  if (values.help || name === undefined || name === 'help') {
    process.stdout.write(HELP)
    return name !== undefined || values.help
  }
  const home = resolve(process.env.INIT_CWD ?? '.', values.home ?? homeFolder(process.env, homedir()))
  const show = (result: unknown, text: string) => {
    const out = values.json ? JSON.stringify(result) : text
    if (out !== '') process.stdout.write(`${out}\n`)
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
  if (!existsSync(home) && name === 'status') return showNothing(home, values.json)

  const connection = await connect(home)
  try {
    const client = createClient(connection, { user: values.user ?? null, computer: values.computer ?? null, progress: showProgress() })
    return (await command.run({ client, values, positionals: rest, show, stdout: process.stdout, json: values.json })) !== false
  } finally {
    await connection.close()
  }
}

/** Asking how things stand makes nothing. */
function showNothing(home: string, json: boolean): boolean {
  const status = { ok: true, running: false, home, computers: [] }
  process.stdout.write(
    json ? `${JSON.stringify(status)}\n` : `ChoirOS is not running\nhome: ${home}\nno computer yet: "choir computer add NAME" makes one\n`,
  )
  return true
}

/** Node puts a replacement character where an argument is not UTF-8, and another file than was named would be written. */
function checkBytes(): void {
  if (!isUtf8(readFileSync('/proc/self/cmdline'))) throw new ChoirError('request.invalid', 'the arguments are not valid UTF-8')
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1)) // `choir events | head` is no failure.
  try {
    checkBytes()
    process.exitCode = (await run(parseArguments(args))) ? 0 : 1
  } catch (error) {
    process.exitCode = 1
    if (args.includes('--json')) process.stdout.write(`${JSON.stringify({ error: toWireError(error) })}\n`)
    else process.stderr.write(`choir: ${error instanceof ChoirError ? printable(error.message) : ((error as Error).stack ?? String(error))}\n`)
  }
}

await main()
