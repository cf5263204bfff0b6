import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

interface Raw {
  readonly host: string
  readonly cookie?: string
  readonly origin?: string
  readonly upgrade?: boolean
}

const SOCKET_LINES = [
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
]
const LIMIT_MS = 10_000

function head(target: string, { host, cookie = '', origin = '', upgrade = false }: Raw): string {
  const lines = [
    `GET ${target} HTTP/1.1`,
    `host: ${host}`,
    `cookie: ${cookie}`,
    `origin: ${origin}`,
    ...(upgrade ? SOCKET_LINES : ['connection: close']),
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** However it closes: a reset counts as well. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('close', () => resolve())
  })
}

/** Sends any target as it is: proper clients refuse to send a wrong one. Returns the first line of the answer. */
export async function askRaw(port: number, target: string, raw: Raw): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8').setTimeout(LIMIT_MS)
  socket.on('timeout', () => socket.destroy(new Error(`no answer to ${target}`)))
  socket.on('error', () => {}) // A server that has answered need not hear the rest.
  socket.write(head(target, raw))
  let text = ''
  socket.on('data', (piece: string) => (text += piece))
  await closed(socket)
  return text.split('\r\n')[0] ?? ''
}

/** A WebSocket that only listens. */
export async function listen(
  port: number,
  path: string,
  raw: Raw,
): Promise<{ isOpen(): boolean; close(): void; readonly ended: Promise<void> }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const ended = closed(socket)
  socket.write(head(path, { ...raw, upgrade: true }))
  const [first] = (await once(socket, 'data')) as [Buffer]
  if (!first.toString().startsWith('HTTP/1.1 101')) throw new Error(`refused: ${first.toString()}`)
  socket.resume()
  return { isOpen: () => !socket.closed, close: () => void socket.destroy(), ended }
}
