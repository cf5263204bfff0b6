import type { IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { ChoirError } from '@choiros/contract/error.ts'
import { ROUTES } from '@choiros/contract/routes.ts'
import { keepBeating } from './heartbeat.ts'
import type { Speaker, SupervisorClient } from './supervisor-client.ts'

/** A browser that reads too slowly is cut off; it resumes from the last event it saw. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024

/** How the line begins that ends a log (`EventsEnd`); events have other names first. */
const END = '{"error":'

/** One WebSocket per page: every event after `after`, then new ones as they come. */
export function createLiveEvents(supervisor: SupervisorClient): {
  join(
    as: Speaker,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    query: { after: string; live: boolean },
  ): Promise<void>
} {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1024 })
  return {
    async join(as, request, socket, head, { after, live }) {
      // First the log, then the handshake: a connected page must be connected to its computer, or it would say so
      // wrongly.
      const stream = await supervisor.send(as, 'GET', ROUTES.events, {
        after,
        follow: '1',
        ...(live ? { live: '1' } : {}),
      })
      socket.on('close', () => stream.destroy())
      if (socket.destroyed) stream.destroy() // The page left while the log was asked for.
      if (stream.statusCode !== 200) {
        stream.destroy()
        throw new ChoirError('supervisor.unreachable', 'the log cannot be read right now')
      }
      server.handleUpgrade(request, socket, head, (browser) => {
        keepBeating(browser)
        browser.on('error', () => {}) // Pages send nothing here; one that sends too much is cut off.
        const follow = async () => {
          for await (const line of createInterface({ input: stream })) {
            if (browser.bufferedAmount > BUFFERED_BYTES_MAX) break
            // As its last line: a page would take it for an event.
            if (line.startsWith(END)) return browser.close(1011, 'the log cannot be read on')
            browser.send(line)
          }
          browser.close(1012, 'come back')
        }
        follow().catch(() => browser.close(1011, 'the supervisor is gone'))
      })
    },
  }
}
