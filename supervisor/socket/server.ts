import { createReadStream, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { nestsDeeperThan } from '@choiros/contract/canonical.ts'
import type { Caller } from '@choiros/contract/commands/command.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { inputError } from '@choiros/contract/issue.ts'
import { ComputerName, UserId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { TreePath } from '@choiros/contract/path.ts'
import {
  HTTP_STATUS,
  RESCUE_HEADER,
  ROUTES,
  ROUTES_FROM,
  TUNNEL,
  toWireError,
  type Progress,
} from '@choiros/contract/routes.ts'
import { CommandRequest, type AnswerLine } from '@choiros/contract/wire.ts'
import type { ExportReader, ExportWriter } from '@choiros/ports/export-file/export-file.ts'
import type { Dispatcher } from '../commands/dispatch.ts'
import { findFileAt } from '../commands/files.ts'
import { buildRescue } from '../commands/rescue.ts'
import { buildExport, importFile } from '../commands/transfer.ts'
import type { Home } from '../home/home.ts'
import { RELEASE } from '../release.ts'
import { identify } from './caller.ts'
import { piecesOf, receiveBody, receiveToFile } from '../wire/body.ts'
import { sendEvents } from './events.ts'
import { createSlots } from './slots.ts'

export interface SocketOptions {
  readonly home: Home
  readonly dispatcher: Dispatcher
  readonly createExportFile: (file: string) => ExportWriter
  readonly openExportFile: (file: string) => ExportReader
  readonly warn: (message: string, cause?: unknown) => void
}

const PROGRESS_EVERY_MS = 100

const seq = z.coerce.number().int().positive()
const who = { user: UserId.optional(), computer: z.string().max(100).optional() }
const EventsQuery = z.strictObject({
  ...who,
  after: z.union([z.literal('head'), z.coerce.number().int().min(0)]).default(0),
  follow: z.literal('1').optional(),
  live: z.literal('1').optional(),
})
const FileQuery = z.strictObject({ ...who, path: TreePath, at: seq.optional() })
const WhoQuery = z.strictObject(who)
const ExportQuery = z.strictObject({ ...who, rescue: z.literal('1').optional() })
const ImportQuery = z.strictObject({ user: UserId.optional(), name: ComputerName.optional() })

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>

export interface SocketServer {
  readonly server: Server
  stop(): void
  /** Ends the raw connections to desks, which the server itself no longer knows. */
  hangUp(): void
}

/** Serves the contract's commands to the command line and to the gateway; `caller.ts` tells which is which. */
export function createSocketServer(options: SocketOptions): SocketServer {
  let stopping = false
  const tunnels = new Set<Duplex>()
  const slots = createSlots()
  const { home, dispatcher } = options
  const quiet: Progress = () => {}
  const tokens = { owner: home.token, gateway: home.gatewayToken }
  const asker = (
    request: IncomingMessage,
    { user, computer }: { user?: UserId | undefined; computer?: string | undefined },
  ) => {
    const own = identify(request, tokens)
    return { caller: own.caller, user: own.user ?? user ?? home.owner, computer: computer ?? null }
  }

  const handlers: Readonly<Record<string, Handler>> = {
    [`GET ${ROUTES.hello}`]: async (_, response) => sendJson(response, 200, { ok: true, release: RELEASE }),
    [`POST ${ROUTES.command}`]: async (request, response) => {
      const body = parse(CommandRequest, parseJson(await receiveBody(request, LIMITS.commandBytesMax)))
      const answer = createAnswer(response)
      try {
        const result = await dispatcher.run(
          {
            ...asker(request, { user: body.user ?? undefined }),
            computer: body.computer,
            command: body.command,
            input: body.input,
          },
          answer.progress,
        )
        answer.end({ result })
      } catch (error) {
        tell(error)
        answer.end({ error: toWireError(error) })
      }
    },
    [`GET ${ROUTES.events}`]: async (request, response, url) => {
      const query = parse(EventsQuery, Object.fromEntries(url.searchParams))
      const own = asker(request, query)
      const { session, computer } = await dispatcher.context({ ...own, needs: 'viewer' }, quiet)
      const wanted = {
        after: query.after === 'head' ? computer.head().seq : query.after,
        follow: query.follow === '1',
        live: query.live === '1' ? session.runs.live : null,
        lifted: own.caller !== 'cli',
        turns: session.onlyHere.readers,
        who: `${own.caller} ${own.user}`,
      }
      await sendEvents(response, session.lines, wanted)
    },
    [`GET ${ROUTES.file}`]: async (request, response, url) => {
      const query = parse(FileQuery, Object.fromEntries(url.searchParams))
      await dispatcher.use({ ...asker(request, query), needs: 'viewer' }, quiet, async ({ computer }) => {
        const { object, size } = findFileAt(computer, query.path, query.at ?? null)
        await slots.send(size, response, () => computer.objects.get(object))
      })
    },
    [`PUT ${ROUTES.object}`]: async (request, response, url) => {
      const query = parse(WhoQuery, Object.fromEntries(url.searchParams))
      const { session, computer } = await dispatcher.context(
        { ...asker(request, query), needs: 'editor', makeFirst: true },
        quiet,
      )
      sendJson(response, 200, await session.onlyHere.uploads.receive(computer, piecesOf(request), Date.now()))
    },
    [`GET ${ROUTES.export}`]: async (request, response, url) => {
      const query = parse(ExportQuery, Object.fromEntries(url.searchParams))
      const rescue =
        query.rescue === '1'
          ? await buildRescue(
              dispatcher.homeContext(asker(request, query), quiet),
              query.computer ?? null,
              options.createExportFile,
            )
          : null
      const file =
        rescue?.file ??
        (await dispatcher.use({ ...asker(request, query), needs: 'owner' }, quiet, (context) =>
          buildExport(context, options.createExportFile),
        ))
      try {
        const told =
          rescue === null ? {} : { [RESCUE_HEADER]: encodeURIComponent(JSON.stringify({ ...rescue, file: undefined })) }
        response.writeHead(200, {
          'content-type': 'application/vnd.sqlite3',
          'content-length': statSync(file).size,
          ...told,
        })
        await pipeline(createReadStream(file), response).catch(noteHangUp)
      } finally {
        rmSync(file, { force: true })
      }
    },
    [`POST ${ROUTES.import}`]: async (request, response, url) => {
      const query = parse(ImportQuery, Object.fromEntries(url.searchParams))
      const file = home.temporaryFile('import')
      await receiveToFile(request, file, LIMITS.importBytesMax, home.checkRoom)
      const answer = createAnswer(response)
      try {
        answer.end({
          result: await importFile(
            dispatcher.homeContext(asker(request, query), answer.progress),
            file,
            query.name ?? null,
            options.openExportFile,
          ),
        })
      } catch (error) {
        tell(error)
        answer.end({ error: toWireError(error) })
      }
    },
  }

  /** A raw connection between the gateway and the desk's Vite. */
  const joinDesk = async (request: IncomingMessage, socket: Duplex) => {
    const url = urlOf(request)
    if (url.pathname !== ROUTES.desk || request.headers.upgrade !== TUNNEL)
      throw new ChoirError('request.invalid', 'there is nothing to upgrade to here')
    const query = parse(WhoQuery, Object.fromEntries(url.searchParams))
    const own = asker(request, query)
    checkRoute(url.pathname, own.caller)
    const { session } = await dispatcher.context({ ...own, needs: 'viewer' }, quiet)
    const desk = await session.dialDesk()
    // When one side ends, the other is ended too: a half-open connection would keep the supervisor from ending.
    for (const ending of ['end', 'close', 'error'] as const) {
      socket.once(ending, () => desk.destroy())
      desk.once(ending, () => (ending === 'end' ? socket.end() : socket.destroy()))
    }
    tunnels.add(socket)
    socket.once('close', () => tunnels.delete(socket))
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: ${TUNNEL}\r\nconnection: upgrade\r\n\r\n`)
    socket.pipe(desk).pipe(socket)
  }

  const tell = (error: unknown) => {
    if (!(error instanceof ChoirError)) options.warn('a command failed in a way nobody foresaw', error)
  }

  const server = createServer((request, response) => {
    const serve = async () => {
      const { caller } = identify(request, tokens)
      const url = urlOf(request)
      if (stopping) throw new ChoirError('supervisor.stopping', 'ChoirOS is stopping; nothing was done. Try again.')
      const handler = handlers[`${request.method} ${url.pathname}`]
      if (handler === undefined)
        throw new ChoirError('request.invalid', `there is no ${request.method} ${url.pathname}`)
      checkRoute(url.pathname, caller)
      await handler(request, response, url)
    }
    serve().catch((error: unknown) => {
      tell(error)
      const wire = toWireError(error)
      if (response.headersSent) return response.destroy()
      request.resume() // An unread body would keep the client from reading the answer.
      sendJson(response, HTTP_STATUS[wire.code], { error: wire })
    })
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    // Nobody listens to its errors yet, and an unheard error ends the process.
    socket.on('error', () => socket.destroy())
    joinDesk(request, socket).catch((error: unknown) => {
      tell(error)
      const wire = toWireError(error)
      socket.end(
        `HTTP/1.1 ${HTTP_STATUS[wire.code]} ${wire.code}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${JSON.stringify({ error: wire })}`,
      )
    })
  })
  server.requestTimeout = 0 // A large import may take longer than any limit; its size is what is limited.
  return {
    server,
    stop: () => void (stopping = true),
    hangUp() {
      for (const tunnel of tunnels) tunnel.destroy()
    },
  }
}

function urlOf(request: IncomingMessage): URL {
  const url = URL.parse(request.url ?? '/', 'http://supervisor')
  if (url === null) throw new ChoirError('request.invalid', 'the address makes no sense')
  return url
}

/** The contract says who may use a byte stream, as it does for commands. */
function checkRoute(route: string, caller: Caller): void {
  const from: readonly Caller[] = Object.hasOwn(ROUTES_FROM, route) ? (ROUTES_FROM[route] ?? []) : []
  if (!from.includes(caller)) throw new ChoirError('request.refused', `the ${caller} may not use ${route}`)
}

/** A client that hangs up early is no error. */
function noteHangUp(error: unknown): void {
  const code = (error as NodeJS.ErrnoException).code
  if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ECONNRESET' && code !== 'EPIPE') throw error
}

function parse<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const parsed = shape.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  throw inputError(parsed.error, 'the request')
}

function parseJson(bytes: Buffer): unknown {
  if (nestsDeeperThan(bytes, LIMITS.jsonLevelsMax))
    throw new ChoirError('request.invalid', 'the request is nested too deeply')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ChoirError('request.invalid', 'the request is not JSON in UTF-8', { cause })
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Sends lines of progress while a command takes long, then one line with the answer. */
function createAnswer(response: ServerResponse): { progress: Progress; end(line: AnswerLine): void } {
  let toldMs = 0
  const start = (status: number) => {
    if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/x-ndjson' })
  }
  return {
    progress(what, done, total) {
      if (Date.now() - toldMs < PROGRESS_EVERY_MS) return
      toldMs = Date.now()
      start(200)
      response.write(`${JSON.stringify({ progress: { what, done, total } } satisfies AnswerLine)}\n`)
    },
    end(line) {
      start('error' in line ? HTTP_STATUS[line.error.code] : 200)
      response.end(`${JSON.stringify(line)}\n`)
    },
  }
}
