import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import { HTTP_STATUS, toWireError } from '@choiros/contract/routes.ts'
import type { SignIn, SignIns } from '@choiros/ports/sign-ins/sign-ins.ts'
import { isPage, pathAsked, sendError, sendWaitingPage } from './answer.ts'
import { createDesktopSite } from './desktop-site.ts'
import { createFrameSite } from './frame-site.ts'
import { createLiveEvents } from './live-events.ts'
import { createProbes } from './probes.ts'
import type { SupervisorClient } from './supervisor-client.ts'
import { createVisitors } from './visitors.ts'

export interface FrontDoorOptions {
  readonly port: number
  /** Part of the names of this home's cookies, so that they differ from another home's. */
  readonly installation: string
  readonly signIns: SignIns
  readonly supervisor: SupervisorClient
  readonly now: () => number
  readonly randomBytes: (count: number) => Uint8Array
  readonly warn: (message: string, cause?: unknown) => void
}

/**
 * Two sites on one port: `localhost` is the frame, `<label>.localhost` is a desktop. A browser treats them as different
 * sites.
 */
export function createFrontDoor({
  port,
  installation,
  signIns,
  supervisor,
  now,
  randomBytes,
  warn,
}: FrontDoorOptions): Server {
  const origin = `http://localhost:${port}`
  const originOf = (label: string) => `http://${label}.localhost:${port}`
  const visitors = createVisitors(signIns, installation, now, randomBytes)
  const liveEvents = createLiveEvents(supervisor)
  const computers = new Map<string, string>()
  const computerOf = async (visitor: SignIn): Promise<string> => {
    const known = computers.get(visitor.label)
    if (known !== undefined) return known
    const own = await supervisor.run({ caller: 'frame', user: visitor.user, computer: null }, 'computer.list', {})
    // Without a choice it is the first in the list.
    const first = own.find(({ id }) => id === visitor.computer) ?? own[0]
    if (first === undefined)
      throw new ChoirError('computer.unknown', 'you have no computer yet: "choir computer add NAME" makes one')
    computers.set(visitor.label, first.id)
    return first.id
  }
  const probes = createProbes(supervisor, now, warn)
  const desktop = createDesktopSite({
    supervisor,
    liveEvents,
    probes,
    frameOrigin: origin,
    originOf,
    computerOf,
    randomBytes,
  })
  const frame = createFrameSite({
    supervisor,
    visitors,
    liveEvents,
    origin,
    originOf,
    computerOf,
    signedOut: desktop.forget,
    isAlive: probes.isAlive,
    desktopState: probes.state,
  })

  /**
   * Null: the frame's own site. No other host name is answered: a name that someone else points to this address must
   * not become a site.
   */
  const siteOf = (request: IncomingMessage): SignIn | null => {
    const host = request.headers.host ?? ''
    if (host === `localhost:${port}`) return null
    const label = host.endsWith(`.localhost:${port}`) ? host.slice(0, -`.localhost:${port}`.length) : ''
    const visitor = label === '' ? null : visitors.byLabel(label)
    if (visitor === null) throw new ChoirError('token.invalid', `nobody is signed in at this address; open ${origin}`)
    return visitor
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = pathAsked(request, origin)
    const visitor = siteOf(request)
    return visitor === null ? frame.handle(request, response, url) : desktop.handle(visitor, request, response, url)
  }

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = pathAsked(request, origin)
    const visitor = siteOf(request)
    return visitor === null
      ? frame.upgrade(request, socket, head, url)
      : desktop.upgrade(visitor, request, socket, head, url)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!(error instanceof ChoirError) && !response.destroyed) warn('a request failed in a way nobody foresaw', error)
      request.resume()
      // Also while the supervisor is started again: a page that is loaded just then waits and loads again by itself.
      const isStarting = hasCode(error, 'sandbox.unavailable') || hasCode(error, 'supervisor.unreachable')
      if (isPage(request) && isStarting && !response.headersSent) sendWaitingPage(response, (error as Error).message)
      else sendError(response, error)
    })
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    upgrade(request, socket, head).catch((error: unknown) => {
      socket.end(`HTTP/1.1 ${HTTP_STATUS[toWireError(error).code]} refused\r\nconnection: close\r\n\r\n`)
    })
  })
  return server
}
