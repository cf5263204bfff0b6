import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { ChoirError } from '@choiros/contract/error.ts'
import { ROUTES, toWireError } from '@choiros/contract/routes.ts'
import type { SignIn } from '@choiros/ports/sign-ins/sign-ins.ts'
import { checkOrigin, COMMON_HEADERS, parseJson, readBody, sendJson } from './answer.ts'
import { ownCommand } from './own-command.ts'
import { ASSETS, OPEN_ASSETS, PAGES } from './served-files.ts'
import type { createLiveEvents } from './live-events.ts'
import { isRescueAction, rescue, rescuePage } from './rescue.ts'
import { createSignIn } from './sign-in.ts'
import { readText, type Speaker, type SupervisorClient } from './supervisor-client.ts'
import type { Visitors } from './visitors.ts'

/**
 * The trusted site: sign-in, and the frame around the desktop. Its code comes with the release; no agent and no desktop
 * ever rewrites it.
 */
export interface FrameSite {
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): Promise<void>
}

export interface FrameSiteOptions {
  readonly supervisor: SupervisorClient
  readonly visitors: Visitors
  readonly liveEvents: ReturnType<typeof createLiveEvents>
  readonly origin: string
  readonly originOf: (label: string) => string
  readonly computerOf: (visitor: SignIn) => Promise<string>
  readonly signedOut: (label: string) => void
  readonly isAlive: (label: string) => boolean
  readonly desktopState: (label: string) => { known: boolean; broken: string | null }
}

const HTML = 'text/html; charset=utf-8'
const Choice = z.strictObject({ computer: z.string().max(100) })

export function createFrameSite({
  supervisor,
  visitors,
  liveEvents,
  origin,
  originOf,
  computerOf,
  signedOut,
  isAlive,
  desktopState,
}: FrameSiteOptions): FrameSite {
  const speaker = async (visitor: SignIn): Promise<Speaker> => ({
    caller: 'frame',
    user: visitor.user,
    computer: await computerOf(visitor),
  })

  const { signIn, signOut, bind } = createSignIn({ supervisor, visitors, origin, signedOut })

  const command = async (visitor: SignIn, request: IncomingMessage, response: ServerResponse) => {
    checkOrigin(request, origin)
    const as = await speaker(visitor)
    const answer = await supervisor.send(
      { ...as, computer: null },
      'POST',
      ROUTES.command,
      {},
      await ownCommand(request, as),
    )
    response.writeHead(answer.statusCode ?? 500, {
      ...COMMON_HEADERS,
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
    })
    await pipeline(answer, response)
  }

  /** The frame has the desktop's theme. `isLost`: the computer does not open because its log lost something. */
  const lookOf = async (visitor: SignIn): Promise<{ theme: 'dark' | 'light'; isLost: boolean }> => {
    const answer = await supervisor.send(await speaker(visitor), 'GET', ROUTES.file, {
      path: 'artifacts/system/theme.json',
    })
    const text = await readText(answer, 4096).catch(() => '')
    const isThere = answer.statusCode === 200
    return {
      theme: isThere && /"light"/.test(text) ? 'light' : 'dark',
      isLost: !isThere && /"log\.(truncated|corrupt)"/.test(text),
    }
  }

  const sendFrame = async (visitor: SignIn, response: ServerResponse) => {
    const { theme, isLost } = await lookOf(visitor)
    if (isLost) return void response.writeHead(303, { ...COMMON_HEADERS, location: '/rescue' }).end()
    const desktop = originOf(visitor.label)
    return sendText(
      response,
      HTML,
      PAGES.frame.replaceAll('{{desktop}}', `${desktop}/`).replaceAll('{{theme}}', theme),
      desktop,
    )
  }

  const sendRescue = async (as: Speaker, response: ServerResponse, said: string | null) =>
    sendText(response, HTML, await rescuePage(supervisor, as, said))

  const doRescue = async (visitor: SignIn, request: IncomingMessage, response: ServerResponse, url: URL) => {
    checkOrigin(request, origin)
    request.resume()
    const action = url.pathname.slice('/rescue/'.length)
    if (!isRescueAction(action)) throw new ChoirError('request.invalid', `there is no rescue by ${action.slice(0, 40)}`)
    const as = await speaker(visitor)
    const said = await rescue(supervisor, as, action).catch((error: unknown) => toWireError(error).message)
    return sendRescue(as, response, said)
  }

  const sendExport = async (visitor: SignIn, response: ServerResponse, url: URL) => {
    const query: Record<string, string> = url.searchParams.get('rescue') === '1' ? { rescue: '1' } : {}
    const answer = await supervisor.send(await speaker(visitor), 'GET', ROUTES.export, query)
    const isFile = answer.statusCode === 200
    response.writeHead(answer.statusCode ?? 500, {
      ...COMMON_HEADERS,
      'content-type': answer.headers['content-type'] ?? 'application/octet-stream',
      'cache-control': 'no-store',
      ...(isFile ? { 'content-disposition': 'attachment; filename="computer.choir"' } : {}),
    })
    await pipeline(answer, response)
  }

  const choose = async (visitor: SignIn, request: IncomingMessage, response: ServerResponse) => {
    checkOrigin(request, origin)
    const body = Choice.safeParse(parseJson((await readBody(request, 4096)) || 'null'))
    const own = await supervisor.run({ caller: 'frame', user: visitor.user, computer: null }, 'computer.list', {})
    const chosen = own.find(({ id }) => id === body.data?.computer)
    if (chosen === undefined) throw new ChoirError('computer.unknown', 'you have no such computer')
    visitors.choose(request.headers.cookie, chosen.id)
    signedOut(visitor.label)
    sendJson(response, 200, { computer: chosen.id })
  }

  /** Only if no page of this sign-in has been heard from: a page that lives is left alone. */
  const revive = (visitor: SignIn, request: IncomingMessage, response: ServerResponse) => {
    checkOrigin(request, origin)
    const revived = !isAlive(visitor.label)
    if (revived) {
      visitors.relabel(request.headers.cookie)
      signedOut(visitor.label)
    }
    sendJson(response, 200, { revived })
  }

  type Answer = (visitor: SignIn, request: IncomingMessage, response: ServerResponse, url: URL) => unknown
  const inTheme = (page: string): Answer => {
    return async (visitor, _, response) =>
      sendText(response, HTML, page.replace('{{theme}}', (await lookOf(visitor)).theme))
  }
  /** For a person who is signed in. */
  const routes = new Map<string, Answer>([
    ['GET /', (visitor, _, response) => sendFrame(visitor, response)],
    // Keys are typed and caps are raised on pages without a desktop: a desktop beside them could take the focus, and
    // with it the keys (L9).
    ['GET /model', inTheme(PAGES.model)],
    ['GET /storage', inTheme(PAGES.storage)],
    ['GET /desktop/state', (visitor, _, response) => sendJson(response, 200, desktopState(visitor.label))],
    ['GET /look', async (visitor, _, response) => sendJson(response, 200, { theme: (await lookOf(visitor)).theme })],
    ['GET /rescue', async (visitor, _, response) => sendRescue(await speaker(visitor), response, null)],
    ['GET /export', (visitor, _, response, url) => sendExport(visitor, response, url)],
    ['POST /desktop/revive', revive],
    ['GET /computer', async (visitor, _, response) => sendJson(response, 200, { computer: await computerOf(visitor) })],
    ['POST /computer', choose],
    ['POST /sign-out', (_, request, response) => signOut(request, response)],
    ['POST /command', command],
  ])

  return {
    async handle(request, response, url) {
      const route = `${request.method} ${url.pathname}`
      if (route === 'GET /health') return sendJson(response, 200, { ok: true })
      if (route === 'GET /sign-in') return sendText(response, HTML, PAGES.signIn)
      if (route === 'POST /sign-in') return signIn(request, response)
      const asset = request.method === 'GET' ? ASSETS.get(url.pathname) : undefined
      if (asset !== undefined && OPEN_ASSETS.has(url.pathname)) return sendText(response, asset.type, asset.body)

      const visitor = visitors.byCookie(request.headers.cookie)
      if (visitor === null) {
        if (route !== 'GET /' && !isOpenedByPerson(request))
          throw new ChoirError('token.invalid', 'you are not signed in: "choir link" makes a link')
        response.writeHead(303, { ...COMMON_HEADERS, location: '/sign-in' }).end()
        return
      }
      if (asset !== undefined) return sendText(response, asset.type, asset.body)
      if (route.startsWith('POST /rescue/')) return doRescue(visitor, request, response, url)
      const answer = routes.get(route)
      if (answer === undefined) throw new ChoirError('request.invalid', `there is no ${route}`)
      await answer(visitor, request, response, url)
    },
    async upgrade(request, socket, head, url) {
      checkOrigin(request, origin)
      const visitor = visitors.byCookie(request.headers.cookie)
      if (visitor === null || url.pathname !== '/events') throw new ChoirError('token.invalid', 'you are not signed in')
      bind(request.headers.cookie, socket)
      await liveEvents.join(await speaker(visitor), request, socket, head, {
        after: url.searchParams.get('after') ?? '0',
        live: false,
      })
    },
  }
}

/** A page in a tab, as opposed to a script's request: an error in JSON would not help a person. */
function isOpenedByPerson({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true
}

function sendText(response: ServerResponse, type: string, body: string, frameSource = "'none'"): void {
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src ${frameSource}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
  response
    .writeHead(200, {
      ...COMMON_HEADERS,
      // With `no-referrer` the browser would send the rescue page's forms without an origin, and they would be refused.
      'referrer-policy': 'same-origin',
      'content-type': type,
      'cache-control': 'no-store',
      'content-security-policy': policy,
    })
    .end(body)
}
