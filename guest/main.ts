import { performServerHandshake, type ServerHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import { Socket } from 'node:net'
import { collect } from './collect.ts'
import { dial } from './dial.ts'
import { exec } from './exec.ts'
import { createHashMemory } from './hash-memory.ts'

/**
 * The agent in every sandbox but the verifier's. It serves only the host, over the one stream it inherited: it opens no
 * port and no file that others could find. Its answers are untrusted, so it has no secrets and makes no decisions.
 */
const CHANNEL_FD = 3

const memory = createHashMemory()
const session = performServerHandshake(new Socket({ fd: CHANNEL_FD, readable: true, writable: true }))

session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
  const path = headers[':path'] ?? ''
  stream.on('error', () => {}) // The host went away in the middle; there is nobody left to tell.
  if (path === '/ping') {
    stream.respond({ ':status': 200 })
    stream.end('{}')
  } else if (path === '/exec') {
    void exec(stream)
  } else if (path === '/collect') {
    void collect(stream, memory)
  } else if (path.startsWith('/dial/')) {
    dial(stream, Number(path.slice('/dial/'.length)))
  } else {
    stream.respond({ ':status': 404 })
    stream.end()
  }
})
session.on('error', () => process.exit(1))
session.on('close', () => process.exit(0))
