import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import { FRONT_DOOR_FOLDER, FRONT_DOOR_UID, GATEWAY_TOKEN_NAME, SOCKET_NAME } from '@choiros/contract/home-folder.ts'
import { openSqliteSignIns } from '@choiros/ports/sign-ins/sqlite.ts'
import { createFrontDoor } from './front-door.ts'
import { createSupervisorClient } from './supervisor-client.ts'

const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    port: { type: 'string', default: '4000' },
    kept: { type: 'boolean', default: false },
  },
})
const home = values.home ?? ''
const port = Number(values.port)
const ANNOUNCE_EVERY_MS = 250
const ANNOUNCE_TRIES = 240

/**
 * Everything that needs the starting user's rights comes first: code, token, sign-ins. Then these rights are given up
 * for good.
 */
const token = readFileSync(join(home, 'keys', GATEWAY_TOKEN_NAME), 'utf8').trim()
const folder = join(home, FRONT_DOOR_FOLDER)
const signIns = openSqliteSignIns(join(folder, 'sessions.sqlite'))
signIns.removeOlder(0) // Opens the files that it writes to; later it could not reach them by name.
const installation = installationOf(folder)
process.chdir(folder)
becomeNobody()
const supervisor = createSupervisorClient(SOCKET_NAME, token)

function becomeNobody(): void {
  if (process.getuid?.() !== 0) return
  process.setgroups?.([])
  process.setgid?.(FRONT_DOOR_UID)
  process.setuid?.(FRONT_DOOR_UID)
}

const server = createFrontDoor({
  port,
  installation,
  signIns,
  supervisor,
  now: Date.now,
  randomBytes: (count) => randomBytes(count),
  warn: (message, cause) =>
    process.stderr.write(`choiros: ${message}: ${cause instanceof Error ? (cause.stack ?? cause.message) : ''}\n`),
})

server.once('error', (error: NodeJS.ErrnoException) => {
  process.stderr.write(
    error.code === 'EADDRINUSE'
      ? `port ${port} is taken: choose another with --port\n`
      : `the front door cannot open: ${error.message}\n`,
  )
  process.exit(1)
})
/** Made once and kept: with another word everybody would be signed out. */
function installationOf(kept: string): string {
  const file = join(kept, 'installation')
  const known = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (/^[0-9a-f]{8}$/.test(known)) return known
  const made = randomBytes(4).toString('hex')
  writeFileSync(file, made, { mode: 0o600 })
  return made
}

/** The supervisor does not answer while it starts, or starts again. */
async function announce(): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await supervisor.run({ caller: 'gateway', user: null, computer: null }, 'gateway.announce', {
        origin: `http://localhost:${port}`,
      })
      return
    } catch (error) {
      if (!hasCode(error, 'supervisor.unreachable') || tries >= ANNOUNCE_TRIES) throw error
      await delay(ANNOUNCE_EVERY_MS)
    }
  }
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof ChoirError ? error.message : String(error)}\n`)
  process.exit(1)
}

server.listen(port, '127.0.0.1', () => void announce().then(() => process.stdout.write('ready\n'), fail))

function end(): void {
  server.close()
  server.closeAllConnections()
  signIns.close()
  process.exit(0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
if (values.kept) {
  // The launcher writes a line here when it has started a new supervisor; and the input closes when the launcher ends,
  // however it ends.
  createInterface({ input: process.stdin })
    .on('line', (line) => void (line === 'announce' && announce().catch(fail)))
    .on('close', end)
}
