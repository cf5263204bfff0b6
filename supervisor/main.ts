import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { homeFolder, LOCK_NAME } from '@choiros/contract/home-folder.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { toWireError } from '@choiros/contract/routes.ts'
import { eventIdFrom } from '@choiros/contract/ids.ts'
import { createExportFile, openExportFile } from '@choiros/ports/export-file/sqlite.ts'
import { openSqliteLogs } from '@choiros/ports/event-log/sqlite.ts'
import { openFileOwnership } from '@choiros/ports/ownership/file-lock.ts'
import { openAiSdkModels } from '@choiros/ports/models/ai-sdk.ts'
import { checkBubblewrap, openBubblewrap } from '@choiros/ports/sandbox/bubblewrap.ts'
import { createDispatcher } from './commands/dispatch.ts'
import type { Services } from './commands/home-commands.ts'
import type { Machine } from './computer/machine.ts'
import { PLACES } from './computer/places.ts'
import { prepareToolchain } from './desk/toolchain.ts'
import { SNAPSHOT_EVERY_EVENTS } from './history/snapshots.ts'
import { readBase } from './computer/base.ts'
import { openHome, prepareHomeFolder } from './home/home.ts'
import { createLinks } from './home/links.ts'
import { holdHome } from './home/hold-home.ts'
import { createPooledRandom } from './home/pooled-random.ts'
import { forgetRunning, noteRunning } from './home/running.ts'
import { openSigner } from './signing/signing.ts'
import { openModelConfig } from './models/config.ts'
import { createModelGateway } from './models/model-gateway.ts'
import { openSession } from './session/session.ts'
import { createSocketServer } from './socket/server.ts'
import { listenInHome } from './socket/listen.ts'
import { waitForEnd } from './waiting.ts'

function warn(message: string, cause?: unknown): void {
  // An expected error needs no stack; for any other the stack is needed to find its cause.
  const why =
    cause instanceof ChoirError ? cause.message : cause instanceof Error ? (cause.stack ?? cause.message) : null
  process.stderr.write(`choiros: ${message}${why === null ? '' : `: ${why}`}\n`)
}

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))

/** Makes something when it is first needed: a command that looks at a file must not wait for a toolchain. */
function once<T>(make: () => Promise<T>): { get(): Promise<T>; begun(): boolean } {
  let made: Promise<T> | null = null
  return {
    begun: () => made !== null,
    get() {
      made ??= make().catch((error: unknown) => {
        made = null
        throw error
      })
      return made
    },
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'home': { type: 'string' },
      'on-demand': { type: 'boolean', default: false },
      'kept': { type: 'boolean', default: false },
    },
    strict: true,
  })
  process.umask(0o022)
  const folder = resolve(values.home ?? homeFolder(process.env, homedir()))
  prepareHomeFolder(folder)
  const ownership = holdHome(folder, () =>
    openFileOwnership({ file: join(folder, LOCK_NAME), epochFile: join(folder, 'epoch') }),
  )
  const note = (address: string | null) => noteRunning(folder, { isKept: values.kept, address })
  note(null)
  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 })
  const random = createPooledRandom()
  const machine: Machine = {
    openLog: openSqliteLogs(join(folder, 'computers'), { log: PLACES.log, objects: PLACES.objects }),
    ownership,
    signer: openSigner(join(folder, 'keys', 'signing.pem')),
    reached: () => {},
    now: Date.now,
    newEventId: (timeMs) => eventIdFrom(timeMs, random(10)),
    randomBytes: (count) => randomBytes(count),
    snapshotEveryEvents: SNAPSHOT_EVERY_EVENTS,
    base: () => readBase(join(CHECKOUT, 'desktop')),
    bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    warn,
  }
  const onDemand = values['on-demand']
  // Without sandboxes no desktop can be shown, so a normal start fails at once; a command that looks at a file needs
  // none.
  if (!onDemand) checkBubblewrap()
  const equipment = once(async () => {
    const toolchain = await prepareToolchain(CHECKOUT, folder)
    const host = openBubblewrap({ folder: join(folder, 'sandboxes'), toolchain: toolchain.folder })
    services.sandboxes = () => [...host.list()]
    return { host, toolchain }
  })
  const config = openModelConfig(join(folder, 'keys', 'models.json'), process.env)
  const gateway = createModelGateway({ models: openAiSdkModels(), config, machine })
  const parts = { machine, workplace: { models: gateway, equipment: equipment.get } }
  const home = openHome(folder, machine, (place, identity, options) => openSession(place, identity, parts, options))
  const links = onDemand ? null : createLinks(machine.now, machine.randomBytes)
  const services: Services = {
    onDemand,
    links,
    models: { config, gateway },
    sandboxes: () => [],
    address: null,
    announced: note,
  }
  const socket = createSocketServer({
    home,
    dispatcher: createDispatcher(home, machine, services),
    createExportFile,
    openExportFile,
    warn,
  })
  const listening = await listenInHome(socket, folder)
  // Before the launcher is told that we are ready: a signal that comes at once must still end the process properly.
  const ended = waitForEnd(socket.server, { onDemand, isKept: values.kept }, listening.stop)
  process.stdout.write('ready\n')
  // Begun now, so that nobody has to wait for it later.
  if (!onDemand) void equipment.get().catch((error: unknown) => warn('sandboxes are not ready', error))
  await ended
  await listening.close()
  await home.close()
  if (equipment.begun()) await (await equipment.get()).host.close()
  forgetRunning(folder)
  await ownership.close()
}

main().catch((error: unknown) => {
  const isKnown =
    error instanceof ChoirError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
  if (error instanceof ChoirError && process.argv.includes('--on-demand'))
    process.stderr.write(`${JSON.stringify({ error: toWireError(error) })}\n`)
  else if (isKnown) process.stderr.write(`${(error as Error).message}\n`)
  else warn('ChoirOS could not go on', error)
  process.exitCode = 1
})
