import type { ServerHttp2Stream } from 'node:http2'
import { connect } from 'node:net'

/** Joins the stream to a port of this sandbox, byte for byte, until either side ends. */
export function dial(stream: ServerHttp2Stream, port: number): void {
  const socket = connect({ host: '127.0.0.1', port })
  socket.once('connect', () => {
    stream.respond({ ':status': 200 })
    socket.pipe(stream)
    stream.pipe(socket)
  })
  socket.on('error', () => {
    if (!stream.headersSent && !stream.destroyed) {
      stream.respond({ ':status': 502 })
      stream.end()
    } else stream.destroy()
  })
  stream.on('close', () => socket.destroy())
}
