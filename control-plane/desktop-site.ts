import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ChoirError } from '@choiros/contract/error.ts'
import { HTTP_STATUS, ROUTES } from '@choiros/contract/routes.ts'
import type { SignIn } from '@choiros/ports/sign-ins/sign-ins.ts'
import { checkOrigin, COMMON_HEADERS } from './answer.ts'
import { ownCommand } from './own-command.ts'
import { FIRST_SCRIPT } from './served-files.ts'
import type { createLiveEvents } from './live-events.ts'
import type { Probes } from './probes.ts'
import { readText, type Speaker, type SupervisorClient } from './supervisor-client.ts'

/** The untrusted site: what Vite serves, and the few routes a desktop may call. */
export interface DesktopSite {
  handle(visitor: SignIn, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  upgrade(visitor: SignIn, request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): Promise<void>
  /** Ends every connection of a signed-out desktop. */
  forget(label: string): void
}

export interface DesktopSiteOptions {
  readonly supervisor: SupervisorClient
  readonly liveEvents: ReturnType<typeof createLiveEvents>
  readonly probes: Probes
  readonly frameOrigin: string
  readonly originOf: (label: string) => string
  readonly computerOf: (visitor: SignIn) => Promise<string>
  readonly randomBytes: (count: number) => Uint8Array
}

/**
 * A page opens three, so this is enough for more tabs than anyone has. There is a limit because each socket holds
 * something open in the supervisor.
 */
const SOCKETS_MAX = 100
const PAGE_BYTES_MAX = 4 * 1024 * 1024
const FRAME_TAGS = /<(?=(?:iframe|frame|frameset|object|embed|fencedframe|portal)[\s>/])/gi

export function createDesktopSite({
  supervisor,
  liveEvents,
  probes,
  frameOrigin,
  originOf,
  computerOf,
  randomBytes,
}: DesktopSiteOptions): DesktopSite {
  const agents = new Map<string, Agent>()
  const sockets = new Map<string, Set<Duplex>>()
  /**
   * Lets Vite and HMR work and lets nothing leave. Set here on every answer, whatever Vite says. `nonce` is for the
   * scripts that stand in the page itself; without it (with 'unsafe-inline') the browser would also run an address that
   * begins with `javascript:`, in a fresh page without our first script. Only Chromium knows the allowlist: without it
   * a navigation that the policy refuses still opens a connection first, and no policy covers peer connections.
   */
  const policy = (nonce?: string) =>
    `default-src 'self'; script-src 'self' ${nonce === undefined ? '' : `'nonce-${nonce}' `}'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${frameOrigin}`
  const headers = {
    ...COMMON_HEADERS,
    // A file that is no page is never shown as one: an SVG picture is a document too, and its scripts would run before
    // ours.
    'content-security-policy': `sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${frameOrigin}`,
    'connection-allowlist': '(response-origin)',
    'x-dns-prefetch-control': 'off',
    'cache-control': 'no-cache',
  }
  const speaker = async (visitor: SignIn): Promise<Speaker> => ({
    caller: 'desktop',
    user: visitor.user,
    computer: await computerOf(visitor),
  })

  const agentOf = (visitor: SignIn): Agent => {
    const known = agents.get(visitor.label)
    if (known !== undefined) return known
    const agent = new Agent({ keepAlive: true, maxSockets: 12, timeout: 30_000 })
    // Every connection of this agent is a tunnel into the desk; Node asks for one here and takes it from the callback.
    agent.createConnection = (_, callback) => {
      const dial = async () => {
        try {
          const stream = await supervisor.dialDesk(await speaker(visitor))
          return () => callback?.(null, stream)
        } catch (error) {
          return () => callback?.(error as Error, null as never)
        }
      }
      void dial().then((tell) => tell())
      return undefined
    }
    agents.set(visitor.label, agent)
    return agent
  }

  const toDesk = async (visitor: SignIn, request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new ChoirError('request.refused', 'the desktop is only read')
    if (request.headers['service-worker'] !== undefined)
      throw new ChoirError('request.refused', 'a desktop has no service workers: they would outlive an undo')
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const { cookie: _, authorization: __, ...passed } = request.headers
      const outgoing = httpRequest(
        { agent: agentOf(visitor), method: request.method, path: request.url, headers: passed },
        resolve,
      )
      outgoing.on('error', (cause) =>
        reject(
          cause instanceof ChoirError
            ? cause
            : new ChoirError('sandbox.unavailable', 'the desktop does not answer', { cause }),
        ),
      )
      outgoing.end()
    })
    const { 'content-type': type, etag, 'content-length': length, 'content-encoding': encoding } = answer.headers
    const kept = Object.entries({
      'content-type': type,
      etag,
      'content-length': length,
      'content-encoding': encoding,
    }).filter(([, value]) => value !== undefined)
    if (type?.startsWith('text/html') === true && request.method === 'GET') {
      const nonce = Buffer.from(randomBytes(16)).toString('base64url')
      const page = prepared(await readText(answer, PAGE_BYTES_MAX), nonce)
      response
        .writeHead(answer.statusCode ?? 502, {
          ...headers,
          'content-security-policy': policy(nonce),
          'content-type': type,
        })
        .end(page)
      return
    }
    // A file that is no page is not shown in the desktop's place: some browsers would go on showing it after a reload,
    // and the person would have no desktop.
    if (request.headers['sec-fetch-dest'] === 'iframe' && answer.statusCode === 200) {
      answer.destroy()
      response.writeHead(303, { ...headers, location: '/' }).end()
      return
    }
    // A worker lives under the policy that comes with its script.
    const isWorker = ['worker', 'sharedworker'].includes(String(request.headers['sec-fetch-dest']))
    const rules = isWorker ? { 'content-security-policy': policy() } : {}
    response.writeHead(answer.statusCode ?? 502, { ...Object.fromEntries(kept), ...headers, ...rules })
    await pipeline(answer, response)
  }

  /** Passed on as it comes; the supervisor parses, and refuses what a desktop may not do. */
  const toSupervisor = async (
    visitor: SignIn,
    request: IncomingMessage,
    response: ServerResponse,
    method: string,
    route: string,
    query: URLSearchParams,
  ) => {
    const as = await speaker(visitor)
    const answer =
      route === ROUTES.command
        ? await supervisor.send({ ...as, computer: null }, method, route, {}, await ownCommand(request, as))
        : await supervisor.send(as, method, route, pick(query, ['path', 'at']), method === 'GET' ? undefined : request)
    const type = answer.headers['content-type'] ?? 'application/octet-stream'
    // A file of the person's is data here, never a page: a script in it would run as the desktop.
    const plain = route === ROUTES.file ? 'application/octet-stream' : type
    response.writeHead(answer.statusCode ?? HTTP_STATUS.bug, {
      ...headers,
      'content-type': plain,
      'cache-control': 'no-store',
    })
    await pipeline(answer, response)
  }

  return {
    async handle(visitor, request, response, url) {
      // A desktop that is opened by itself (by a middle click or a copied address) would be outside of the frame and
      // its limits.
      if (request.headers['sec-fetch-dest'] === 'document') {
        response.writeHead(303, { ...headers, location: `${frameOrigin}/` }).end()
        return
      }
      switch (`${request.method} ${url.pathname}`) {
        case 'POST /choir/command':
          checkOrigin(request, originOf(visitor.label))
          return toSupervisor(visitor, request, response, 'POST', ROUTES.command, url.searchParams)
        case 'GET /choir/probe.js':
          response.writeHead(200, { ...headers, 'content-type': 'text/javascript; charset=utf-8' }).end(FIRST_SCRIPT)
          return
        case 'GET /choir/file':
          return toSupervisor(visitor, request, response, 'GET', ROUTES.file, url.searchParams)
        case 'PUT /choir/object':
          checkOrigin(request, originOf(visitor.label))
          return toSupervisor(visitor, request, response, 'PUT', ROUTES.object, url.searchParams)
        default:
          if (url.pathname.startsWith('/choir/')) throw new ChoirError('request.invalid', `there is no ${url.pathname}`)
          return toDesk(visitor, request, response)
      }
    },
    async upgrade(visitor, request, socket, head, url) {
      checkOrigin(request, originOf(visitor.label))
      const own = sockets.get(visitor.label) ?? new Set()
      sockets.set(visitor.label, own)
      if (own.size >= SOCKETS_MAX)
        throw new ChoirError('rate.limited', `a desktop has at most ${SOCKETS_MAX} connections`)
      own.add(socket)
      socket.on('close', () => own.delete(socket))
      if (url.pathname === '/choir/events')
        return liveEvents.join(await speaker(visitor), request, socket, head, {
          after: url.searchParams.get('after') ?? '0',
          live: true,
        })
      if (url.pathname === '/choir/probe')
        return probes.join(await speaker(visitor), visitor.label, request, socket, head)
      const desk = await supervisor.dialDesk(await speaker(visitor))
      if (socket.destroyed) return void desk.destroy() // Signed out meanwhile.
      const lines = Object.entries(request.headers)
        .filter(([name]) => name !== 'cookie' && name !== 'authorization')
        .map(([name, value]) => `${name}: ${String(value)}`)
      desk.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      if (head.length > 0) desk.write(head)
      desk.on('error', () => socket.destroy())
      socket.on('error', () => desk.destroy())
      socket.on('close', () => desk.destroy())
      desk.pipe(socket).pipe(desk)
    },
    forget(label) {
      agents.get(label)?.destroy()
      agents.delete(label)
      for (const socket of sockets.get(label) ?? []) socket.destroy()
      sockets.delete(label)
    },
  }
}

/**
 * Puts our script before any other, wherever the page has those (a page without a head gets one from the browser, and
 * this comes first in it); gives a nonce to all scripts that stand in the page; removes frames.
 */
function prepared(page: string, nonce: string): string {
  const own = page
    .replaceAll(/<script(?=[\s>/])/gi, `<script nonce="${nonce}"`)
    .replaceAll(FRAME_TAGS, '<!-- no frames --><x-')
  const head = /<head[^>]*>/i.exec(own)
  const at = head === null ? (/^\s*<!doctype[^>]*>/i.exec(own)?.[0].length ?? 0) : head.index + head[0].length
  return `${own.slice(0, at)}<script src="/choir/probe.js"></script>${own.slice(at)}`
}

function pick(query: URLSearchParams, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])))
}
