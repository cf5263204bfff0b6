import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

export interface Outside {
  readonly port: number
  readonly udpPort: number
  /** The connections and packets that reached it, by their first bytes. */
  readonly seen: string[]
  close(): void
}

/** A listener that must hear nothing: it records any connection and any packet. */
export async function listenOutside(): Promise<Outside> {
  const seen: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    const place = seen.push('a connection') - 1
    socket.on('error', () => {})
    socket.on('data', (bytes) => (seen[place] = bytes.toString('latin1').slice(0, 100)))
    socket.setTimeout(2000, () => socket.destroy())
  }).listen(0, '127.0.0.1')
  const udp = createSocket('udp4').on('message', (bytes) => seen.push(`a packet of ${bytes.length} bytes`))
  udp.bind(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(udp, 'listening')])
  return {
    port: (server.address() as AddressInfo).port,
    udpPort: udp.address().port,
    seen,
    close() {
      for (const socket of open) socket.destroy()
      server.close()
      udp.close()
    },
  }
}
