import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { homeFolder, LOCK_NAME } from '@choiros/contract/home-folder.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { eventIdFrom } from '@choiros/contract/ids.ts'
import { createExportFile, openExportFile } from '@choiros/ports/export-file/sqlite.ts'
import { openSqliteEventLog } from '@choiros/ports/event-log/sqlite.ts'
import { openLocalObjects } from '@choiros/ports/objects/local.ts'
import { createDispatcher } from './commands/dispatch.ts'
import type { Machine } from './computer/computer.ts'
import { SNAPSHOT_EVERY_EVENTS } from './history/snapshots.ts'
import { openHome, prepareHomeFolder } from './home/home.ts'
import { lockHome } from './home/lock.ts'
import { openSigner } from './home/signing.ts'
import { createSocketServer } from './socket/server.ts'
import { listenInHome } from './socket/listen.ts'
import { sayReady } from './welcome.ts'
import { waitForEnd } from './waiting.ts'

function warn(message: string, cause?: unknown): void {
  process.stderr.write(`choiros: ${message}${cause instanceof Error ? `: ${cause.stack ?? cause.message}` : ''}\n`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { 'home': { type: 'string' }, 'on-demand': { type: 'boolean', default: false } }, strict: true })
  process.umask(0o022)
  const folder = resolve(values.home ?? homeFolder(process.env, homedir()))
  prepareHomeFolder(folder)
  const lock = lockHome(join(folder, LOCK_NAME), folder)
  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 })
  const machine: Machine = {
    openLog: openSqliteEventLog,
    openObjects: openLocalObjects,
    signer: openSigner(join(folder, 'keys', 'signing.pem')),
    reached: () => {},
    now: Date.now,
    newEventId: (timeMs) => eventIdFrom(timeMs, randomBytes(10)),
    randomBytes: (count) => randomBytes(count),
    snapshotEveryEvents: SNAPSHOT_EVERY_EVENTS,
    bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    warn,
  }
  const home = openHome(folder, machine, lock)
  const socket = createSocketServer({
    home,
    dispatcher: createDispatcher(home, machine, { onDemand: values['on-demand'] }),
    createExportFile,
    openExportFile,
    warn,
  })
  const listening = await listenInHome(socket, folder)
  if (values['on-demand']) process.stdout.write('ready\n')
  else sayReady(folder, await home.list(home.owner))
  await waitForEnd(socket.server, values['on-demand'], listening.stop)
  await listening.close()
  await home.close()
}

main().catch((error: unknown) => {
  if (error instanceof ChoirError) process.stderr.write(`${error.message}\n`)
  else if ((error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true) process.stderr.write(`${(error as Error).message}\n`)
  else warn('ChoirOS could not go on', error)
  process.exitCode = 1
})
