import { once } from 'node:events'
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { ChoirError } from '@choiros/contract/error.ts'
import { DEFAULT_PORT, type Running } from '@choiros/contract/home-folder.ts'
import { createClient, type Client } from '../client.ts'
import { connect } from '../connection.ts'
import { findRunning } from '../running.ts'
import { sizeText } from '../text.ts'
import { bad, ok, weaker, type Finding } from './finding.ts'

/** Node, Vite, a desktop's packages and the agents: each home has its own copy. */
const TOOLCHAIN_BYTES = 400 * 1024 * 1024
const LITTLE_BYTES = 1024 * 1024 * 1024
const LITTLE_FILES = 50_000
/** A supervisor that has not greeted after this time hangs. */
const GREETING_MS = 15_000

export async function examineHome(home: string, user: string | null): Promise<Finding[]> {
  const running = findRunning(home)
  return [
    ...examineDisk(home),
    await examinePort(running),
    examineToolchain(home),
    ...(await examineComputers(home, user, running)),
  ]
}

function examineDisk(home: string): Finding[] {
  let folder = home
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  const bytes = bavail * bsize
  const needed = existsSync(join(home, 'toolchain')) ? 64 * 1024 * 1024 : TOOLCHAIN_BYTES
  const room = `${sizeText(bytes)} free at ${folder}`
  const makeRoom = 'make room on that disk; "choir room" and "choir thin" show what old versions take'
  const places = files === 0 ? 'no limit of files' : `${ffree.toLocaleString('en')} more files fit`
  return [
    bytes < needed
      ? bad('disk', room, makeRoom)
      : bytes < LITTLE_BYTES
        ? weaker('disk', room, makeRoom)
        : ok('disk', room),
    files !== 0 && ffree < LITTLE_FILES
      ? weaker('inodes', places, 'delete what consists of many small files on that disk')
      : ok('inodes', places),
  ]
}

async function examinePort(running: Running | null): Promise<Finding> {
  if (running?.address != null) return ok('port', `ChoirOS is at ${running.address}`)
  const server = createServer()
  try {
    server.listen(DEFAULT_PORT, '127.0.0.1')
    await once(server, 'listening')
    return ok('port', `${DEFAULT_PORT} is free`)
  } catch {
    return weaker(
      'port',
      `${DEFAULT_PORT} is taken by another program`,
      `"choir start --port ${DEFAULT_PORT + 1}" takes another one`,
    )
  } finally {
    server.close()
  }
}

function examineToolchain(home: string): Finding {
  const folder = join(home, 'toolchain')
  const made = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.new')) : []
  return ok(
    'toolchain',
    made.length > 0
      ? `is there (${made[0]?.slice(0, 12)})`
      : 'is made at the first start, which then takes some seconds more',
  )
}

async function examineComputers(home: string, user: string | null, running: Running | null): Promise<Finding[]> {
  if (!existsSync(home)) return [ok('home', `${home} is made at the first start`), modelFinding(null)]
  const own = process.getuid?.()
  const { uid } = statSync(home)
  if (own !== 0 && uid !== own)
    return [
      bad(
        'home',
        `${home} belongs to another user`,
        `be that user (number ${uid}), or choose another home with --home`,
      ),
    ]
  const who = running === null ? 'nothing is running' : `ChoirOS is running (process ${running.pid})`
  try {
    return [ok('home', `${home}: ${who}`), ...(await ask(home, user, running !== null))]
  } catch (error) {
    if (!(error instanceof ChoirError)) throw error
    const todo =
      error.code === 'supervisor.unreachable'
        ? '"choir stop --all" ends what holds it; everything that was saved is kept'
        : 'put right what it says; nothing in the home was changed'
    return [bad('home', `${home}: ${error.message}`, todo)]
  }
}

/** Asks the supervisor that runs; if none does, one is started for the question, as for any other command. */
async function ask(home: string, user: string | null, isRunning: boolean): Promise<Finding[]> {
  const hangs = new AbortController()
  // Only a supervisor that runs already can hang; starting one may take as long as it takes.
  const limit = isRunning ? setTimeout(() => hangs.abort(), GREETING_MS) : undefined
  const connection = await connect(home, hangs.signal).finally(() => clearTimeout(limit))
  try {
    const clientOf = (computer: string | null) => createClient(connection, { user, computer, progress: () => {} })
    const client = clientOf(null)
    const { computers } = await client.run('status', {})
    const found: Finding[] = []
    for (const { name } of computers) found.push(await examineComputer(name, clientOf(name)))
    return [...found, await examineModel(client)]
  } finally {
    await connection.close()
  }
}

/** A computer that is closed shows its damage when it is opened. */
async function examineComputer(name: string, client: Client): Promise<Finding> {
  try {
    await client.run('files.list', { path: null, at: null })
    const own = (await client.run('status', {})).computers.find((computer) => computer.name === name)
    if (own?.problem == null) return ok('computer', `${name}, ${own?.head?.seq ?? 0} events`)
    return damaged(name, own.problem)
  } catch (error) {
    if (!(error instanceof ChoirError)) throw error
    return damaged(name, error.message)
  }
}

function damaged(name: string, problem: string): Finding {
  const choir = `choir --computer ${name}`
  return bad(
    'computer',
    `${name}: ${problem}`,
    `"${choir} verify" says more, "${choir} recover" what can be brought back, "${choir} export FILE --rescue" saves what can be read`,
  )
}

async function examineModel(client: Client): Promise<Finding> {
  const [model] = await client.run('model.list', {})
  return modelFinding(model ?? null)
}

function modelFinding(model: { provider: string; tiers: { strong: string }; hasKey: boolean } | null): Finding {
  if (model === null)
    return weaker(
      'model',
      'none: recipes work, other wishes do not',
      '"choir model set" adds one; it may be one on this machine',
    )
  const name = `${model.tiers.strong} (${model.provider})`
  if (!model.hasKey && model.provider !== 'openai-compatible')
    return bad('model', `${name} has no key`, '"choir model set … --key -" reads it from standard input')
  return ok('model', `${name}, ${model.hasKey ? 'with a key' : 'without a key'}; "choir model test" asks it`)
}
