import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createClient } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import { ComputerName } from '@choiros/contract/ids.ts'
import { homeFolder } from '@choiros/contract/home-folder.ts'

/** `npm start`: the supervisor, then the front door, then the link. Ends both when told to, and when either ends. */
const values = readArguments()
const home = resolve(process.env.INIT_CWD ?? '.', values.home ?? homeFolder(process.env, homedir()))
const main = (room: string) => fileURLToPath(new URL(`../${room}/main.ts`, import.meta.url))
const children: ChildProcess[] = []
let stopping = false

/** Started in a group of its own: Ctrl-C reaches only this process, which ends them in order. */
async function start(room: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main(room), '--home', home, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  children.push(child)
  child.once('exit', (code) => void stop(stopping ? 0 : code === 0 ? 1 : (code ?? 1)))
  const ready = await Promise.race([once(child.stdout, 'data').then(() => true), once(child, 'exit').then(() => false)])
  child.stdout.on('data', (data: Buffer) => process.stdout.write(data))
  return ready
}

async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  for (const child of children.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

if (await start('supervisor', [])) {
  if (await start('control-plane', ['--port', values.port])) await welcome()
}

async function welcome(): Promise<void> {
  const connection = await connect(home)
  try {
    const client = createClient(connection, { user: null, computer: null, progress: () => {} })
    const { user, computers } = await client.run('status', {})
    if (computers.length === 0) await client.run('computer.add', { name: ComputerName.parse(user) })
    const { url } = await client.run('link.create', {})
    process.stdout.write(
      [
        '',
        `ChoirOS is running at http://localhost:${values.port}`,
        '',
        `  Sign in:  ${url}`,
        '',
        `The link works once; "npm run -s choir -- link${values.home === undefined ? '' : ` --home ${quoted(home)}`}" makes another. Ctrl-C stops ChoirOS; everything is kept.`,
        '',
        '',
      ].join('\n'),
    )
  } finally {
    await connection.close()
  }
}

/** As a shell takes it back. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function readArguments(): { home?: string | undefined; port: string } {
  try {
    const { values: given } = parseArgs({
      options: { home: { type: 'string' }, port: { type: 'string', default: '4000' }, host: { type: 'string', default: 'localhost' } },
      strict: true,
    })
    if (!/^\d{1,5}$/.test(given.port) || Number(given.port) < 1 || Number(given.port) > 65_535)
      throw new Error(`--port must be a number from 1 to 65535, not ${given.port}`)
    if (!['localhost', '127.0.0.1'].includes(given.host))
      throw new Error(
        `--host ${given.host} would open ChoirOS to other machines, which needs a domain and TLS and is not there yet: use localhost, and an SSH tunnel from elsewhere`,
      )
    return given
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('. ')[0]}. npm start takes --port, --host and --home.\n`)
    process.exit(1)
  }
}
