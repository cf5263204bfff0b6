import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemorySignIns } from '@choiros/ports/sign-ins/memory.fake.ts'
import { createFrontDoor } from './front-door.ts'
import { createSupervisorClient, readText, type SupervisorClient } from './supervisor-client.ts'

/**
 * Only for tests: the process at the other end of the socket. It records what it was asked and answers what the test
 * says.
 */
export interface StandIn {
  readonly client: SupervisorClient
  readonly socketPath: string
  readonly asked: Asked[]
  /**
   * By command; a function is given the input. Any other command is answered with nothing to undo, no computer, no run.
   */
  readonly answers: Record<string, unknown>
  /** Answers the routes for bytes, and the connections that are dialled to a desk. */
  route: RequestListener
  desk: RequestListener
  close(): Promise<void>
}

interface Asked {
  readonly route: string
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly command?: string; readonly input?: unknown; readonly computer?: string | null }
}

export const TOKEN = 'the-gateways-token'
export const COMPUTER = {
  id: 'c1',
  name: 'alice',
  user: 'alice',
  state: 'open',
  head: { seq: 7, hash: 'a'.repeat(64) },
  problem: null,
}

export async function startStandIn(): Promise<StandIn> {
  const folder = mkdtempSync(join(tmpdir(), 'choir-stand-in-'))
  const socketPath = join(folder, 's.sock')
  const asked: Asked[] = []
  const nothing: RequestListener = (_, response) => void response.writeHead(404).end('{"error":{}}')
  const standIn: StandIn = {
    client: createSupervisorClient(socketPath, TOKEN),
    socketPath,
    asked,
    answers: {
      'computer.list': [COMPUTER],
      'link.redeem': { user: 'alice' },
      'run.list': [],
      'safe-mode.get': { on: false, healthy: null },
    },
    route: nothing,
    desk: nothing,
    async close() {
      for (const server of [desk, other]) {
        server.closeAllConnections()
        server.close()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const desk = createServer((request, response) => standIn.desk(request, response))
  const answer = async (request: IncomingMessage): Promise<object> => {
    const body = JSON.parse(await readText(request)) as Asked['body']
    asked.push({ route: request.url ?? '', headers: request.headers, body })
    const given = standIn.answers[body.command ?? '']
    const result: unknown = typeof given === 'function' ? (given as (input: unknown) => unknown)(body.input) : given
    if (result !== undefined)
      return typeof result === 'object' && result !== null && 'error' in result ? result : { result }
    return { error: { code: 'undo.nothing', message: 'there is nothing to undo', details: {} } }
  }
  const other = createServer((request, response) => {
    if (request.url === '/command')
      return void answer(request).then((line) =>
        response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(`${JSON.stringify(line)}\n`),
      )
    asked.push({ route: request.url ?? '', headers: request.headers, body: {} })
    return standIn.route(request, response)
  })
  other.on('upgrade', (request, socket) => {
    asked.push({ route: request.url ?? '', headers: request.headers, body: {} })
    socket.write(`HTTP/1.1 101 ok\r\nconnection: upgrade\r\nupgrade: ${String(request.headers.upgrade)}\r\n\r\n`)
    desk.emit('connection', socket)
  })
  other.listen(socketPath)
  await once(other, 'listening')
  return standIn
}

export interface Door {
  readonly port: number
  readonly standIn: StandIn
  readonly warned: string[]
  ask(
    path: string,
    more?: { host?: string; method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Answer>
  /** A browser that has signed in, and the host name its desktop was given. */
  signIn(): Promise<{ cookie: string; label: string; host: string }>
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The running front door, with the stand-in behind it. */
export async function openDoor(): Promise<Door> {
  const standIn = await startStandIn()
  const warned: string[] = []
  let count = 0
  const randomBytes = (size: number) => Buffer.alloc(size, ++count)
  // The port is part of the names of both sites, so it must be known before anything listens.
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  await once(free, 'close')
  const warn = (message: string) => void warned.push(message)
  const server = createFrontDoor({
    port,
    installation: '11111111',
    signIns: openMemorySignIns(),
    supervisor: standIn.client,
    now: Date.now,
    randomBytes,
    warn,
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const ask: Door['ask'] = (path, { host = `localhost:${port}`, method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        { host: '127.0.0.1', port, path, method, headers: { host, ...headers } },
        (response) => {
          readText(response).then(
            (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
            reject,
          )
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return {
    port,
    standIn,
    warned,
    ask,
    async signIn() {
      const headers = { origin: `http://localhost:${port}` }
      const { headers: answered } = await ask('/sign-in', { method: 'POST', headers, body: '{"code":"any"}' })
      const cookie = answered['set-cookie']?.[0]?.split(';')[0] ?? ''
      const { text } = await ask('/', { headers: { cookie } })
      const label = /http:\/\/([a-z0-9]+)\.localhost/.exec(text)?.[1] ?? ''
      return { cookie, label, host: `${label}.localhost:${port}` }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await standIn.close()
    },
  }
}
