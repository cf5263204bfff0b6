import type { IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { ROUTES } from '@choiros/contract/routes.ts'
import type { Speaker, SupervisorClient } from './supervisor-client.ts'

/** A browser that reads too slowly is cut off; it resumes from the last event it saw. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024

/** One WebSocket per page: every event after `after`, then as they come. */
export function createLiveEvents(supervisor: SupervisorClient): {
  join(as: Speaker, request: IncomingMessage, socket: Duplex, head: Buffer, after: string): void
} {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1024 })
  return {
    join(as, request, socket, head, after) {
      server.handleUpgrade(request, socket, head, (browser) => {
        const follow = async () => {
          const stream = await supervisor.send(as, 'GET', ROUTES.events, { after, follow: '1' })
          browser.on('close', () => stream.destroy())
          if (stream.statusCode !== 200) return browser.close(1011, 'the log cannot be read')
          for await (const line of createInterface({ input: stream })) {
            if (browser.bufferedAmount > BUFFERED_BYTES_MAX) break
            browser.send(line)
          }
          browser.close(1012, 'come back')
        }
        follow().catch(() => browser.close(1011, 'the supervisor is gone'))
      })
    },
  }
}
