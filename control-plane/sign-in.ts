import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import { ChoirError } from '@choiros/contract/error.ts'
import { checkOrigin, parseJson, readBody, sendJson } from './answer.ts'
import type { SupervisorClient } from './supervisor-client.ts'
import type { Visitors } from './visitors.ts'

const SignInBody = z.strictObject({ code: z.string().min(1).max(200) })

export interface SignInOptions {
  readonly supervisor: SupervisorClient
  readonly visitors: Visitors
  readonly origin: string
  readonly signedOut: (label: string) => void
}

/** Signing in by a link, signing out, and what ends with it. */
export function createSignIn({ supervisor, visitors, origin, signedOut }: SignInOptions) {
  const sockets = new Map<string, Set<Duplex>>()

  /** Ends the sign-in and everything that depends on it. Returns the cookies that delete the browser's. */
  const end = (cookie: string | undefined): string[] => {
    const key = visitors.keyOf(cookie) ?? ''
    const { cookies, label } = visitors.signOut(cookie)
    if (label !== null) signedOut(label)
    for (const socket of sockets.get(key) ?? []) socket.destroy()
    sockets.delete(key)
    return cookies
  }

  return {
    async signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
      checkOrigin(request, origin)
      const body = SignInBody.safeParse(parseJson((await readBody(request, 4096)) || 'null'))
      if (!body.success) throw new ChoirError('link.invalid', 'part of this link is missing: copy all of it')
      const { code } = body.data
      const { user } = await supervisor.run({ caller: 'gateway', user: null, computer: null }, 'link.redeem', { code })
      const known = visitors.byCookie(request.headers.cookie)
      // A browser has one sign-in: an old one that it no longer knows would live on in its other tabs after it signs
      // out.
      if (known?.user === user) return sendJson(response, 200, { ok: true })
      if (known !== null) end(request.headers.cookie)
      sendJson(response, 200, { ok: true }, { 'set-cookie': visitors.signIn(user).cookies })
    },
    signOut(request: IncomingMessage, response: ServerResponse): void {
      checkOrigin(request, origin)
      sendJson(response, 200, { ok: true }, { 'set-cookie': end(request.headers.cookie) })
    },
    /** The socket ends with the sign-in of this cookie. */
    bind(cookie: string | undefined, socket: Duplex): void {
      const key = visitors.keyOf(cookie) ?? ''
      const own = sockets.get(key) ?? new Set()
      sockets.set(key, own.add(socket))
      socket.on('close', () => {
        own.delete(socket)
        if (own.size === 0 && sockets.get(key) === own) sockets.delete(key)
      })
    },
  }
}
