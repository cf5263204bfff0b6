import { chownSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { SocketServer } from './server.ts'
import { shortSocketPath } from '../wire/short-path.ts'
import { FRONT_DOOR_FOLDER, FRONT_DOOR_UID, SOCKET_NAME } from '@choiros/contract/home-folder.ts'

export interface Listening {
  /** From now on every new request is told to come back later. */
  stop(): void
  close(): Promise<void>
}

/**
 * Listens on the owner's socket in the home, and on one in the front door's own folder: where the front door runs as
 * another user, it can reach no other folder.
 */
export async function listenInHome({ server, stop, hangUp }: SocketServer, home: string): Promise<Listening> {
  const door = join(home, FRONT_DOOR_FOLDER)
  mkdirSync(door, { recursive: true, mode: 0o700 })
  const beside = createServer()
  for (const event of ['request', 'upgrade'] as const) beside.on(event, (...given) => void server.emit(event, ...given))
  beside.requestTimeout = server.requestTimeout
  const open = [await listen(server, home), await listen(beside, door)]
  if (process.getuid?.() === 0)
    for (const path of [door, join(door, SOCKET_NAME)]) chownSync(path, FRONT_DOOR_UID, FRONT_DOOR_UID)
  return {
    stop,
    async close() {
      const closed = Promise.all([server, beside].map((one) => end(one)))
      hangUp()
      await closed
      for (const one of open) one.remove()
    },
  }
}

async function listen(server: Server, folder: string): Promise<{ remove(): void }> {
  const path = join(folder, SOCKET_NAME)
  rmSync(path, { force: true }) // The lock is ours, so the process that left it is gone.
  const short = shortSocketPath(folder, SOCKET_NAME)
  const previous = process.umask(0o177) // Nobody else may connect, not even between listen and chmod.
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(short.path, resolve)
    })
  } finally {
    process.umask(previous)
  }
  return {
    remove() {
      rmSync(path, { force: true })
      short.close()
    },
  }
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    // A follower never ends by itself, and a client that hangs must not keep the computer from closing.
    setTimeout(() => server.closeAllConnections(), 2000).unref()
  })
}
