import type { ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ChoirError, ERROR_CODES, type ErrorCode } from '@choiros/contract/error.ts'
import { SOCKET_NAME, SOCKET_PATH_BYTES_MAX, TOKEN_NAME } from '@choiros/contract/home-folder.ts'
import { CONTRACT_HEADER, CONTRACT_VERSION, ROUTES } from '@choiros/contract/routes.ts'

/**
 * Not by `import`: that touches every name the module offers and so loads a whole web client, which was half of a cold
 * `choir status`.
 */
const { Agent, request: httpRequest } = process.getBuiltinModule('node:http')

/** One connection to the supervisor of a home. Where none runs, one is started for as long as this connection lasts. */
export interface Connection {
  send(method: string, path: string, body?: Buffer | Readable): Promise<IncomingMessage>
  close(): Promise<void>
}

const SUPERVISOR = fileURLToPath(new URL('../supervisor/main.ts', import.meta.url))
/** Slow is not dead: on a busy machine a start takes many seconds. */
const CONNECT_MS = 60_000
const OTHER_MS = 1000
const RETRY_MS = 25

/** `signal`: ends the wait for a supervisor that hangs. */
export async function connect(home: string, signal?: AbortSignal): Promise<Connection> {
  const deadline = Date.now() + CONNECT_MS
  for (;;) {
    const running = await tryHello(home, signal)
    if (running !== null) return running
    const child = await startSupervisor(home)
    if (child !== null) {
      const own = await tryHello(home, signal)
      if (own !== null) return { ...own, close: () => closeBoth(own, child) }
      child.kill('SIGTERM')
    } else {
      const other = await waitForOther(home, signal)
      if (other !== null) return other
    }
    if (Date.now() > deadline || signal?.aborted === true)
      throw new ChoirError(
        'supervisor.unreachable',
        `ChoirOS on ${home} does not answer. Is it still starting? Stop it and try again.`,
      )
    await delay(RETRY_MS)
  }
}

/**
 * Another process holds the home: it is about to serve, or about to leave. Starting one more supervisor would only take
 * the time that it needs.
 */
async function waitForOther(home: string, signal: AbortSignal | undefined): Promise<Connection | null> {
  for (let waitedMs = 0; waitedMs < OTHER_MS && signal?.aborted !== true; waitedMs += RETRY_MS) {
    const running = await tryHello(home, signal)
    if (running !== null) return running
    await delay(RETRY_MS)
  }
  return null
}

async function closeBoth(connection: Connection, child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) =>
    child.exitCode === null && child.signalCode === null ? child.once('exit', () => resolve()) : resolve(),
  )
  await connection.close()
  await ended // The lock is free again when the command line is done: the next start must not find it taken.
}

/**
 * Null: no supervisor is there, or it is about to leave. Nothing but a greeting was sent, so it is safe to try again.
 */
async function tryHello(home: string, signal: AbortSignal | undefined): Promise<Connection | null> {
  const tokenFile = join(home, TOKEN_NAME)
  if (!existsSync(tokenFile) || !existsSync(join(home, SOCKET_NAME))) return null
  const connection = openConnection(home, readFileSync(tokenFile, 'utf8').trim(), signal)
  try {
    ;(await connection.send('GET', ROUTES.hello)).resume()
    return connection
  } catch (error) {
    await connection.close()
    const code = error instanceof ChoirError ? error.code : null
    if (code === 'supervisor.stopping' || code === 'supervisor.unreachable') return null
    throw error
  }
}

function openConnection(home: string, token: string, signal: AbortSignal | undefined): Connection {
  const path = join(home, SOCKET_NAME)
  const folder = Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX ? openSync(home, 'r') : null
  const socketPath = folder === null ? path : `/proc/self/fd/${folder}/${SOCKET_NAME}`
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${token}`, [CONTRACT_HEADER]: String(CONTRACT_VERSION) }
  return {
    async send(method, route, body) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = httpRequest({ socketPath, agent, method, path: route, headers, signal }, resolve)
        outgoing.on('error', (cause) =>
          reject(
            new ChoirError(
              'supervisor.unreachable',
              'the connection to ChoirOS was lost: look with "status" and "events" whether the command was done',
              { cause },
            ),
          ),
        )
        if (body === undefined || Buffer.isBuffer(body)) outgoing.end(body)
        else {
          body.on('error', (cause) => outgoing.destroy(cause))
          body.pipe(outgoing)
        }
      })
      if (response.statusCode === 200 || response.headers['content-type'] === 'application/x-ndjson') return response
      throw await readError(response)
    },
    async close() {
      agent.destroy()
      if (folder !== null) closeSync(folder)
    },
  }
}

async function readError(response: IncomingMessage): Promise<ChoirError> {
  const text = (await readAll(response)).toString('utf8')
  try {
    return answeredError((JSON.parse(text) as { error: unknown }).error)
  } catch (cause) {
    return new ChoirError(
      'supervisor.unreachable',
      `ChoirOS gave an answer that makes no sense (${response.statusCode ?? 'no status'})`,
      { cause },
    )
  }
}

/** The error that the supervisor answered. Throws if the answer is no known error. */
export function answeredError(error: unknown): ChoirError {
  const { code, message, details } = error as { code: ErrorCode; message: unknown; details?: Record<string, unknown> }
  if (!ERROR_CODES.includes(code) || typeof message !== 'string') throw new TypeError('no error that is known')
  return new ChoirError(code, message, details === undefined ? {} : { details })
}

/**
 * The bytes of an answer. A connection that breaks in the middle becomes an error of its own: a stream's error would
 * end the process.
 */
export async function* readPieces(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch (cause) {
    throw lostInAnswer(cause)
  }
}

/** Lines, as soon as they arrive. */
export async function* readLines(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const piece of readPieces(stream)) {
    const lines = (rest + decoder.write(piece)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') throw lostInAnswer(undefined)
}

export function lostInAnswer(cause: unknown): ChoirError {
  return new ChoirError(
    'supervisor.unreachable',
    'ChoirOS stopped in the middle of its answer: look with "status" and "events" whether it was done',
    {
      cause,
    },
  )
}

export async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of readPieces(stream)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Null: somebody else holds the home; they will serve us. */
async function startSupervisor(home: string): Promise<ChildProcess | null> {
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, [SUPERVISOR, '--home', home, '--on-demand'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  })
  let complaint = ''
  child.stderr.on('data', (data: Buffer) => {
    complaint = (complaint + data.toString()).slice(-4000)
  })
  const ready = await new Promise<boolean>((resolve) => {
    child.stdout.once('data', () => resolve(true))
    child.once('close', () => resolve(false))
  })
  if (ready) {
    child.stderr.pipe(process.stderr)
    child.stdout.destroy()
    return child
  }
  const error = complaintIn(complaint)
  if (error.code === 'home.locked') return null
  throw error
}

/** A supervisor that cannot start says why in one line of JSON; any other output is what it printed last. */
function complaintIn(text: string): ChoirError {
  try {
    const { error } = JSON.parse(text.trim().split('\n').at(-1) ?? '') as { error: unknown }
    return answeredError(error)
  } catch {
    return new ChoirError('supervisor.unreachable', text.trim() || 'ChoirOS could not be started')
  }
}
