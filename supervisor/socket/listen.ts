import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SocketServer } from './server.ts'
import { shortSocketPath } from './short-path.ts'
import { SOCKET_NAME } from '@choiros/contract/home-folder.ts'

export interface Listening {
  /** From now on every new request is told to come back later. */
  stop(): void
  close(): Promise<void>
}

export async function listenInHome({ server, stop, hangUp }: SocketServer, home: string): Promise<Listening> {
  const path = join(home, SOCKET_NAME)
  rmSync(path, { force: true }) // The lock is ours, so whoever left it is gone.
  const short = shortSocketPath(home, SOCKET_NAME)
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
    stop,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        hangUp()
        // A follower never ends by itself, and a client that hangs must not keep the computer from closing.
        setTimeout(() => server.closeAllConnections(), 2000).unref()
      })
      rmSync(path, { force: true })
      short.close()
    },
  }
}
