import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createClient } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import { ComputerName } from '@choiros/contract/ids.ts'
import { choirCommand, DEFAULT_PORT, homeFolder, homeOption } from '@choiros/contract/home-folder.ts'
import { createPart } from './keeper.ts'
import { SMALL_HEAP } from './small-heap.mjs'

/**
 * `npm start`: starts the supervisor, then the front door, then prints the link. Keeps both running, and ends both when
 * told to.
 */
const values = readArguments()
const home = resolve(values.home ?? homeFolder(process.env, homedir()))
const say = (line: string) => process.stderr.write(`choiros: ${line}\n`)
let stopping = false

const part = (room: string, name: string, args: readonly string[], returned: () => void) =>
  createPart({
    name,
    command: [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      SMALL_HEAP,
      fileURLToPath(new URL(`../${room}/main.ts`, import.meta.url)),
      '--home',
      home,
      '--kept',
      ...args,
    ],
    environment: environmentOf(room),
    say,
    returned,
    dismissed: () => void stop(0),
  })
// A supervisor that was started again does not know the front door yet.
const supervisor = part('supervisor', 'the supervisor', [], () => frontDoor.tell('announce'))
const frontDoor = part('control-plane', 'the front door', ['--port', values.port], () => {})

/** Only the supervisor gets a model's key. */
function environmentOf(room: string): NodeJS.ProcessEnv {
  if (room === 'supervisor') return process.env
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CHOIR_MODEL_')))
}

async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  await frontDoor.end()
  await supervisor.end()
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

if ((await supervisor.start()) && (await frontDoor.start())) await welcome()
else await stop(1)

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
        `The link works once; "${choirCommand(process.env)} link${homeOption(home, homedir())}" makes another. Ctrl-C stops ChoirOS; everything is kept.`,
        '',
        '',
      ].join('\n'),
    )
  } finally {
    await connection.close()
  }
}

function readArguments(): { home?: string | undefined; port: string } {
  try {
    const { values: given } = parseArgs({
      options: {
        home: { type: 'string' },
        port: { type: 'string', default: String(DEFAULT_PORT) },
        host: { type: 'string', default: 'localhost' },
      },
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
    process.stderr.write(`${(error as Error).message.split('. ')[0]}. It takes --port, --host and --home.\n`)
    process.exit(1)
  }
}
