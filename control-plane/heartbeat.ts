import type { WebSocket } from 'ws'

const EVERY_MS = 30_000

/**
 * A browser that lost its network closes no connection: one that has not answered a ping when the next is due is cut
 * off.
 */
export function keepBeating(socket: WebSocket, everyMs = EVERY_MS): void {
  let answered = true
  socket.on('pong', () => (answered = true))
  const timer = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, everyMs)
  socket.on('close', () => clearInterval(timer))
}
