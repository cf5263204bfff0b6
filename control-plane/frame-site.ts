import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ChoirError } from '@choiros/contract/error.ts'
import { ROUTES, toWireError } from '@choiros/contract/routes.ts'
import type { Session } from '@choiros/ports/sessions/sessions.ts'
import { checkOrigin, COMMON_HEADERS, parseJson, readBody, sendJson } from './answer.ts'
import { ownCommand } from './desktop-site.ts'
import type { createLiveEvents } from './live-events.ts'
import { isRescueAction, rescue, rescuePage } from './rescue.ts'
import { readText, type Speaker, type SupervisorClient } from './supervisor-client.ts'
import type { Visitors } from './visitors.ts'

/**
 * The trusted site: sign-in, and the frame around the desktop. Its code comes with the release and is never rewritten
 * by anyone.
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
  readonly computerOf: (session: Session) => Promise<string>
  readonly signedOut: (label: string) => void
  readonly isAlive: (label: string) => boolean
  readonly desktopState: (label: string) => { known: boolean; broken: string | null }
}

const HTML = 'text/html; charset=utf-8'
const Choice = z.strictObject({ computer: z.string().max(100) })
const SignIn = z.strictObject({ code: z.string().min(1).max(200) })

const asset = (name: string) => readFileSync(fileURLToPath(new URL(`frame/${name}`, import.meta.url)), 'utf8')

const style = (name: string) => ({ type: 'text/css; charset=utf-8', body: asset(name) })
/** A page knows no packages: what it shares with the others is served beside its own scripts. */
const toPage = (text: string) =>
  stripTypeScriptTypes(text).replaceAll("from '@choiros/core/everywhere/", "from '/everywhere/")
const toScript = (text: string) => ({ type: 'text/javascript; charset=utf-8', body: toPage(text) })
const script = (name: string) => toScript(asset(name))
const EVERYWHERE = dirname(fileURLToPath(import.meta.resolve('@choiros/core/everywhere/run-words.ts')))
/** What runs in the desktop's page instead: the gateway puts it there. */
const FIRST_SCRIPTS = ['keep-inside.ts', 'probe.ts', 'desktop-keys.ts']
const scriptsIn = (folder: string | URL) =>
  readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
const SCRIPTS = scriptsIn(new URL('frame', import.meta.url)).filter((name) => !FIRST_SCRIPTS.includes(name))
const STYLES = ['frame', 'panels', 'model-page']
/** Read once at start: what is served cannot change under a running front door. */
const ASSETS: Readonly<Record<string, { type: string; body: string }>> = Object.fromEntries([
  ...SCRIPTS.map((name) => [`/${name}`, script(name)]),
  ...scriptsIn(EVERYWHERE).map((name) => [
    `/everywhere/${name}`,
    toScript(readFileSync(join(EVERYWHERE, name), 'utf8')),
  ]),
  ...STYLES.map((name) => [`/${name}.css`, style(`${name}.css`)]),
])
const PAGES = {
  frame: asset('frame.html'),
  model: asset('model-page.html'),
  storage: asset('storage-page.html'),
  signIn: asset('sign-in.html'),
}
/** All that answers without a session. */
const OPEN_ASSETS = new Set(['/sign-in.ts', '/frame.css'])

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
  const policy = (frameSource: string) =>
    `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src ${frameSource}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
  const sendText = (response: ServerResponse, type: string, body: string, frameSource = "'none'") => {
    const headers = {
      ...COMMON_HEADERS,
      // Without any, the browser would send the rescue page's forms with no origin, and they would be refused.
      'referrer-policy': 'same-origin',
      'content-type': type,
      'cache-control': 'no-store',
      'content-security-policy': policy(frameSource),
    }
    response.writeHead(200, headers).end(body)
  }
  const speaker = async (session: Session): Promise<Speaker> => ({
    caller: 'frame',
    user: session.user,
    computer: await computerOf(session),
  })

  /** By sign-in: they end with it. */
  const sockets = new Map<string, Set<Duplex>>()

  const signIn = async (request: IncomingMessage, response: ServerResponse) => {
    checkOrigin(request, origin)
    const body = SignIn.safeParse(parseJson((await readBody(request, 4096)) || 'null'))
    if (!body.success) throw new ChoirError('link.invalid', 'part of this link is missing: copy all of it')
    const { user } = await supervisor.run({ caller: 'gateway', user: null, computer: null }, 'link.redeem', {
      code: body.data.code,
    })
    const known = visitors.byCookie(request.headers.cookie)
    // A browser has one sign-in: one that it forgot would go on, in its other tabs, after it has signed out.
    if (known?.user === user) return sendJson(response, 200, { ok: true })
    if (known !== null) end(request.headers.cookie)
    sendJson(response, 200, { ok: true }, { 'set-cookie': visitors.signIn(user).cookies })
  }

  const keep = (key: string, socket: Duplex) => {
    const own = sockets.get(key) ?? new Set()
    sockets.set(key, own.add(socket))
    socket.on('close', () => {
      own.delete(socket)
      if (own.size === 0 && sockets.get(key) === own) sockets.delete(key)
    })
  }

  /** The sign-in and all that hangs on it. Returns the cookies that forget. */
  const end = (cookie: string | undefined): string[] => {
    const key = visitors.keyOf(cookie) ?? ''
    const { cookies, label } = visitors.signOut(cookie)
    if (label !== null) signedOut(label)
    for (const socket of sockets.get(key) ?? []) socket.destroy()
    sockets.delete(key)
    return cookies
  }

  const signOut = (request: IncomingMessage, response: ServerResponse) => {
    checkOrigin(request, origin)
    sendJson(response, 200, { ok: true }, { 'set-cookie': end(request.headers.cookie) })
  }

  const command = async (session: Session, request: IncomingMessage, response: ServerResponse) => {
    checkOrigin(request, origin)
    const as = await speaker(session)
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

  /** The frame wears what the desktop wears. `isLost`: the computer does not open, for its log lost something. */
  const lookOf = async (session: Session): Promise<{ theme: 'dark' | 'light'; isLost: boolean }> => {
    const answer = await supervisor.send(await speaker(session), 'GET', ROUTES.file, {
      path: 'artifacts/system/theme.json',
    })
    const text = await readText(answer, 4096).catch(() => '')
    const isThere = answer.statusCode === 200
    return {
      theme: isThere && /"light"/.test(text) ? 'light' : 'dark',
      isLost: !isThere && text.includes('"log.truncated"'),
    }
  }

  const sendFrame = async (session: Session, response: ServerResponse) => {
    const { theme, isLost } = await lookOf(session)
    if (isLost) return void response.writeHead(303, { ...COMMON_HEADERS, location: '/rescue' }).end()
    const desktop = originOf(session.label)
    return sendText(
      response,
      HTML,
      PAGES.frame.replaceAll('{{desktop}}', `${desktop}/`).replaceAll('{{theme}}', theme),
      desktop,
    )
  }

  const doRescue = async (session: Session, request: IncomingMessage, response: ServerResponse, action: string) => {
    checkOrigin(request, origin)
    request.resume()
    if (!isRescueAction(action)) throw new ChoirError('request.invalid', `there is no rescue by ${action.slice(0, 40)}`)
    const as = await speaker(session)
    const said = await rescue(supervisor, as, action).catch((error: unknown) => toWireError(error).message)
    sendText(response, HTML, await rescuePage(supervisor, as, said))
  }

  const sendExport = async (session: Session, response: ServerResponse, url: URL) => {
    const query: Record<string, string> = url.searchParams.get('rescue') === '1' ? { rescue: '1' } : {}
    const answer = await supervisor.send(await speaker(session), 'GET', ROUTES.export, query)
    const isFile = answer.statusCode === 200
    response.writeHead(answer.statusCode ?? 500, {
      ...COMMON_HEADERS,
      'content-type': answer.headers['content-type'] ?? 'application/octet-stream',
      'cache-control': 'no-store',
      ...(isFile ? { 'content-disposition': 'attachment; filename="computer.choir"' } : {}),
    })
    await pipeline(answer, response)
  }

  const choose = async (session: Session, request: IncomingMessage, response: ServerResponse) => {
    checkOrigin(request, origin)
    const body = Choice.safeParse(parseJson((await readBody(request, 4096)) || 'null'))
    const own = await supervisor.run({ caller: 'frame', user: session.user, computer: null }, 'computer.list', {})
    const chosen = own.find(({ id }) => id === body.data?.computer)
    if (chosen === undefined) throw new ChoirError('computer.unknown', 'you have no such computer')
    visitors.choose(request.headers.cookie, chosen.id)
    signedOut(session.label)
    sendJson(response, 200, { computer: chosen.id })
  }

  /** Only where no page of this sign-in is heard of: a page that lives is left alone. */
  const revive = (session: Session, request: IncomingMessage, response: ServerResponse) => {
    checkOrigin(request, origin)
    const revived = !isAlive(session.label)
    if (revived) {
      visitors.relabel(request.headers.cookie)
      signedOut(session.label)
    }
    sendJson(response, 200, { revived })
  }

  return {
    async handle(request, response, url) {
      const route = `${request.method} ${url.pathname}`
      if (route === 'GET /health') return sendJson(response, 200, { ok: true })
      if (route === 'GET /sign-in') return sendText(response, HTML, PAGES.signIn)
      if (route === 'POST /sign-in') return signIn(request, response)
      const own = request.method === 'GET' && Object.hasOwn(ASSETS, url.pathname) ? ASSETS[url.pathname] : undefined
      if (own !== undefined && OPEN_ASSETS.has(url.pathname)) return sendText(response, own.type, own.body)

      const session = visitors.byCookie(request.headers.cookie)
      if (session === null) {
        if (route !== 'GET /' && !isOpenedByPerson(request))
          throw new ChoirError('token.invalid', 'you are not signed in: "choir link" makes a link')
        response.writeHead(303, { ...COMMON_HEADERS, location: '/sign-in' }).end()
        return
      }
      if (own !== undefined) return sendText(response, own.type, own.body)
      if (route === 'GET /') return sendFrame(session, response)
      // Keys are typed and caps are raised where no desktop is: one beside them could take the focus, and with it the
      // keys (L9).
      if (route === 'GET /model')
        return sendText(response, HTML, PAGES.model.replace('{{theme}}', (await lookOf(session)).theme))
      if (route === 'GET /storage')
        return sendText(response, HTML, PAGES.storage.replace('{{theme}}', (await lookOf(session)).theme))
      if (route === 'GET /desktop/state') return sendJson(response, 200, desktopState(session.label))
      if (route === 'GET /look') return sendJson(response, 200, { theme: (await lookOf(session)).theme })
      if (route === 'GET /rescue')
        return sendText(response, HTML, await rescuePage(supervisor, await speaker(session), null))
      if (route.startsWith('POST /rescue/'))
        return doRescue(session, request, response, url.pathname.slice('/rescue/'.length))
      if (route === 'GET /export') return sendExport(session, response, url)
      if (route === 'POST /desktop/revive') return revive(session, request, response)
      if (route === 'GET /computer') return sendJson(response, 200, { computer: await computerOf(session) })
      if (route === 'POST /computer') return choose(session, request, response)
      if (route === 'POST /sign-out') return signOut(request, response)
      if (route === 'POST /command') return command(session, request, response)
      throw new ChoirError('request.invalid', `there is no ${route}`)
    },
    async upgrade(request, socket, head, url) {
      checkOrigin(request, origin)
      const session = visitors.byCookie(request.headers.cookie)
      if (session === null || url.pathname !== '/events') throw new ChoirError('token.invalid', 'you are not signed in')
      keep(visitors.keyOf(request.headers.cookie) ?? '', socket)
      await liveEvents.join(await speaker(session), request, socket, head, {
        after: url.searchParams.get('after') ?? '0',
        live: false,
      })
    },
  }
}

/** A page in a tab, as opposed to what a script asks for: a person can make nothing of an error in JSON. */
function isOpenedByPerson({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true
}
