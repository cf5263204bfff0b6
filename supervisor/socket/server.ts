import { timingSafeEqual } from 'node:crypto'
import { createReadStream, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent } from '@choiros/contract/event.ts'
import { ComputerName, UserId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { TreePath } from '@choiros/contract/path.ts'
import {
  CommandRequest,
  CONTRACT_HEADER,
  CONTRACT_VERSION,
  HTTP_STATUS,
  ROUTES,
  toWireError,
  type AnswerLine,
  type Progress,
} from '@choiros/contract/routes.ts'
import type { ExportReader, ExportWriter } from '@choiros/ports/export-file/export-file.ts'
import type { Dispatcher } from '../commands/dispatch.ts'
import { readFileAt } from '../commands/files.ts'
import { buildExport, importFile } from '../commands/transfer.ts'
import type { Home } from '../home/home.ts'
import { RELEASE } from '../release.ts'
import { receiveBody, receiveToFile } from './body.ts'

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
const EventsQuery = z.strictObject({ ...who, after: z.coerce.number().int().min(0).default(0), follow: z.literal('1').optional() })
const FileQuery = z.strictObject({ ...who, path: TreePath, at: seq.optional() })
const WhoQuery = z.strictObject(who)
const ImportQuery = z.strictObject({ user: UserId.optional(), name: ComputerName.optional() })

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>

export interface SocketServer {
  readonly server: Server
  stop(): void
}

/** Serves the contract's commands to whoever can read the token file. The caller is the command line: it may do what the frame may. */
export function createSocketServer(options: SocketOptions): SocketServer {
  let stopping = false
  const { home, dispatcher } = options
  const quiet: Progress = () => {}
  const asker = ({ user, computer }: { user?: UserId | undefined; computer?: string | undefined }) =>
    ({ user: user ?? home.owner, caller: 'cli', computer: computer ?? null }) as const

  const handlers: Readonly<Record<string, Handler>> = {
    [`GET ${ROUTES.hello}`]: async (_, response) => sendJson(response, 200, { ok: true, release: RELEASE }),
    [`POST ${ROUTES.command}`]: async (request, response) => {
      const body = parse(CommandRequest, parseJson(await receiveBody(request, LIMITS.commandBytesMax)))
      const answer = createAnswer(response)
      try {
        const result = await dispatcher.run(
          { ...asker({ user: body.user ?? undefined }), computer: body.computer, command: body.command, input: body.input },
          answer.progress,
        )
        answer.end({ result })
      } catch (error) {
        tell(error)
        answer.end({ error: toWireError(error) })
      }
    },
    [`GET ${ROUTES.events}`]: async (_, response, url) => {
      const query = parse(EventsQuery, Object.fromEntries(url.searchParams))
      const { computer } = await dispatcher.context(asker(query), quiet)
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      await sendEvents(response, computer.log, query.after, query.follow === '1')
    },
    [`GET ${ROUTES.file}`]: async (_, response, url) => {
      const query = parse(FileQuery, Object.fromEntries(url.searchParams))
      const { computer } = await dispatcher.context(asker(query), quiet)
      const bytes = await readFileAt(computer, query.path, query.at ?? null)
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length }).end(bytes)
    },
    [`PUT ${ROUTES.object}`]: async (request, response, url) => {
      const query = parse(WhoQuery, Object.fromEntries(url.searchParams))
      const { computer } = await dispatcher.context({ ...asker(query), makeFirst: true }, quiet)
      sendJson(response, 200, await computer.objects.putLarge(request))
    },
    [`GET ${ROUTES.export}`]: async (_, response, url) => {
      const query = parse(WhoQuery, Object.fromEntries(url.searchParams))
      const file = await buildExport(await dispatcher.context(asker(query), quiet), options.createExportFile)
      try {
        response.writeHead(200, { 'content-type': 'application/vnd.sqlite3', 'content-length': statSync(file).size })
        await pipeline(createReadStream(file), response)
      } finally {
        rmSync(file, { force: true })
      }
    },
    [`POST ${ROUTES.import}`]: async (request, response, url) => {
      const query = parse(ImportQuery, Object.fromEntries(url.searchParams))
      const file = home.temporaryFile('import')
      await receiveToFile(request, file, LIMITS.importBytesMax)
      const answer = createAnswer(response)
      try {
        answer.end({
          result: await importFile(dispatcher.homeContext(asker(query), answer.progress), file, query.name ?? null, options.openExportFile),
        })
      } catch (error) {
        tell(error)
        answer.end({ error: toWireError(error) })
      }
    },
  }

  const tell = (error: unknown) => {
    if (!(error instanceof ChoirError)) options.warn('a command failed in a way nobody foresaw', error)
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://supervisor')
    const serve = async () => {
      checkCaller(request, home.token)
      if (stopping) throw new ChoirError('supervisor.stopping', 'ChoirOS is stopping; nothing was done. Try again.')
      const handler = handlers[`${request.method} ${url.pathname}`]
      if (handler === undefined) throw new ChoirError('request.invalid', `there is no ${request.method} ${url.pathname}`)
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
  server.requestTimeout = 0 // A large import may take longer than any limit; its size is what is limited.
  return { server, stop: () => void (stopping = true) }
}

function checkCaller(request: IncomingMessage, token: string): void {
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new ChoirError('token.invalid', "the token is missing or wrong; the command line reads it from the home's token file")
  }
  if (request.headers[CONTRACT_HEADER] !== String(CONTRACT_VERSION)) {
    throw new ChoirError('request.refused', 'this command line and the running ChoirOS are of different releases; stop and start ChoirOS')
  }
}

function parse<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const isPath = issue?.message.startsWith('the path ') === true
  throw new ChoirError(
    isPath ? 'path.invalid' : 'request.invalid',
    isPath ? issue.message : `${issue?.path.join('.') ?? 'the request'}: ${issue?.message ?? 'malformed'}`,
  )
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ChoirError('request.invalid', 'the request is not JSON in UTF-8', { cause })
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Lines of progress while it takes long, then one line that is the answer. */
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

async function sendEvents(
  response: ServerResponse,
  log: Awaited<ReturnType<Dispatcher['context']>>['computer']['log'],
  after: number,
  follow: boolean,
): Promise<void> {
  const ended = new AbortController()
  response.on('close', () => ended.abort())
  const send = async (stored: Parameters<typeof readEvent>[0]) => {
    if (response.write(`${JSON.stringify(readEvent(stored))}\n`)) return
    await new Promise<void>((resolve) => {
      response.once('drain', resolve)
      response.once('close', resolve)
    })
  }
  if (follow) {
    response.flushHeaders()
    for await (const stored of log.follow(after, ended.signal)) await send(stored)
  } else {
    for (let cursor = after; !ended.signal.aborted;) {
      const page = await log.read({ after: cursor, limit: LIMITS.eventsPageMax })
      for (const stored of page) await send(stored)
      cursor = page.at(-1)?.seq ?? cursor
      if (page.length < LIMITS.eventsPageMax) break
    }
  }
  response.end()
}
