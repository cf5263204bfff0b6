import type { Server } from 'node:http'

/** How long a supervisor that was started for one command waits for that command to come. */
const FIRST_CALLER_MS = 10_000

/**
 * Resolves at a signal, when the launcher is gone, or, on demand, when the last caller has gone. `end` is called in the
 * same turn, so that a caller who comes just then is told to try again instead of being cut off.
 */
export function waitForEnd(
  server: Server,
  { onDemand, isKept }: { onDemand: boolean; isKept: boolean },
  end: () => void,
): Promise<void> {
  return new Promise((resolved) => {
    const resolve = () => {
      end()
      if (isKept) process.stdin.destroy() // As long as something listens to it, it keeps the process alive.
      resolved()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    // Nobody writes to stdin: it closes when the launcher ends, however that ends.
    if (isKept) process.stdin.resume().once('close', () => resolve())
    if (!onDemand) return
    let connections = 0
    const alone = setTimeout(resolve, FIRST_CALLER_MS)
    server.on('connection', (socket) => {
      connections++
      clearTimeout(alone)
      socket.on('close', () => {
        if (--connections === 0) resolve()
      })
    })
  })
}
