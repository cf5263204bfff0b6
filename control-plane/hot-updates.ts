import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'

/** How the desk of one sign-in is reached. */
export interface DeskLine {
  dial(): Promise<Duplex>
  /** Tells a desk that has just started what the page holds, so that it can update it from there. False: something of it is no longer so. */
  recall(): Promise<boolean>
}

export interface HotUpdates {
  join(desk: DeskLine, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

export const HOT_PROTOCOL = 'vite-hmr'
/** A desk starts in a second or two; after this the page is loaded again, which says that the desktop is starting and comes back by itself. */
const BACK_MS = 20_000
/** Vite's own word for it. Closing the connection would not do: where third-party storage is blocked, Vite's client cannot wait for its server. */
const LOAD_AGAIN = '{"type":"full-reload"}'
const RETRY_MS = 200
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024

/** Vite's own connection to the page, kept open while the desk restarts: without it Vite's client would load the page anew. */
export function createHotUpdates(): HotUpdates {
  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX })

  /** Back at a desk that serves what the page holds, or null: then the page has to be loaded again. */
  const redial = async (desk: DeskLine, address: string, isWanted: () => boolean): Promise<Line | null> => {
    for (const deadline = Date.now() + BACK_MS; isWanted() && Date.now() < deadline; await delay(RETRY_MS)) {
      try {
        // No origin, as from a program: only browsers must know Vite's token, and the new one has another. The page's own origin was checked when it came.
        const line = await connect(await desk.dial(), address, {})
        // Connected first and compared then: a change in between is either sent or seen.
        const isSame = await desk.recall().catch((error: unknown) => {
          line.socket.terminate()
          throw error
        })
        if (isSame) return line
        line.socket.terminate()
        return null
      } catch {} // It has not started yet, or has ended again.
    }
    return null
  }

  return {
    async join(desk, request, socket, head) {
      const { origin = '', host = 'desk' } = request.headers
      const address = `ws://${host}${request.url ?? '/'}`
      const first = await connect(await desk.dial(), address, { origin })
      server.handleUpgrade(request, socket, head, (browser) => {
        let current = first
        browser.on('error', () => {})
        browser.on('message', (data, isBinary) => {
          if (current.socket.readyState === WebSocket.OPEN) current.socket.send(data as Buffer, { binary: isBinary })
        })
        browser.on('close', () => current.socket.terminate())
        const isOpen = () => browser.readyState === WebSocket.OPEN
        const serve = async () => {
          for (let line: Line | null = first; line !== null; line = await redial(desk, address, isOpen)) {
            current = line
            line.deliver((text) => browser.send(text))
            if (!isOpen()) line.socket.terminate() // The page went while the desk was away.
            await line.ended
          }
          if (isOpen()) browser.send(LOAD_AGAIN)
        }
        void serve()
      })
    },
  }
}

interface Line {
  readonly socket: WebSocket
  /** What has come since it was opened, then as it comes. */
  deliver(to: (text: string) => void): void
  readonly ended: Promise<void>
}

function connect(stream: Duplex, address: string, headers: Record<string, string>): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, HOT_PROTOCOL, {
      createConnection: () => stream as never,
      headers,
      perMessageDeflate: false,
      maxPayload: MESSAGE_BYTES_MAX,
      handshakeTimeout: BACK_MS,
    })
    const waiting: string[] = []
    let tell = (text: string): void => void waiting.push(text)
    const ended = new Promise<void>((close) => socket.on('close', close))
    socket.on('message', (data: Buffer) => tell(data.toString('utf8')))
    socket.on('error', reject)
    socket.on('open', () =>
      resolve({
        socket,
        ended,
        deliver(to) {
          tell = to
          for (const text of waiting.splice(0)) to(text)
        },
      }),
    )
  })
}
