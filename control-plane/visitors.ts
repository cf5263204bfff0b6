import { sha256 } from '@choiros/contract/canonical.ts'
import { labelFrom, type ComputerId, type UserId } from '@choiros/contract/ids.ts'
import type { SignIn, SignIns } from '@choiros/ports/sign-ins/sign-ins.ts'

/** Signed-in browsers: the frame is known by its cookie, the desktop by the host name it was given. */
export interface Visitors {
  signIn(user: UserId): { cookies: string[] }
  byCookie(header: string | undefined): SignIn | null
  byLabel(label: string): SignIn | null
  /** A new host name for the desktop of a sign-in: the old one's page may be stuck for good. */
  relabel(header: string | undefined): void
  /** From now on this browser looks at another computer, under another host name. */
  choose(header: string | undefined, computer: ComputerId): void
  /** The same for one sign-in, even when its desktop's host name changes. */
  keyOf(header: string | undefined): string | null
  /** Returns the cookies that delete the browser's. */
  signOut(header: string | undefined): { cookies: string[]; label: string | null }
}

/**
 * The same secret in two cookies: WebKit takes no `Secure` cookie over plain http, not even from localhost, and the
 * other browsers protect only a `Secure` cookie from being overwritten. The first one that is there counts. No other
 * site can set either of them: browsers treat localhost like a top-level domain. Cookies do not depend on ports: with
 * one name for all, a second installation would replace the first one's cookies and sign its person out.
 */
const cookiesNamed = (installation: string) => [
  { name: `__Host-choir-${installation}`, attributes: 'Path=/; HttpOnly; Secure; SameSite=Strict' },
  { name: `choir-${installation}`, attributes: 'Path=/; HttpOnly; SameSite=Strict' },
]
const LIFE_MS = 30 * 24 * 60 * 60 * 1000
/** A visit is written down this often, not at every request. */
const SEEN_EVERY_MS = 60 * 60 * 1000

export function createVisitors(
  signIns: SignIns,
  installation: string,
  now: () => number,
  randomBytes: (count: number) => Uint8Array,
): Visitors {
  const cookieKinds = cookiesNamed(installation)
  const secretOf = (header: string | undefined): string | null => {
    const sent = new Map(
      (header ?? '').split(';').map((part) => part.trim().split('=') as [string, string | undefined]),
    )
    const secret = cookieKinds.map(({ name }) => sent.get(name)).find((value) => value !== undefined && value !== '')
    return secret === undefined ? null : sha256(secret)
  }
  const cookiesOf = (secret: string, seconds: number) =>
    cookieKinds.map(({ name, attributes }) => `${name}=${secret}; ${attributes}; Max-Age=${seconds}`)
  const fresh = (session: SignIn | null): SignIn | null =>
    session !== null && session.seenMs > now() - LIFE_MS ? session : null

  return {
    signIn(user) {
      signIns.removeOlder(now() - LIFE_MS)
      const secret = Buffer.from(randomBytes(32)).toString('base64url')
      signIns.add(sha256(secret), {
        user,
        label: labelFrom(randomBytes(16)),
        computer: null,
        createdMs: now(),
        seenMs: now(),
      })
      return { cookies: cookiesOf(secret, LIFE_MS / 1000) }
    },
    byCookie(header) {
      const secretHash = secretOf(header)
      const session = secretHash === null ? null : fresh(signIns.bySecret(secretHash))
      if (session !== null && secretHash !== null && now() - session.seenMs > SEEN_EVERY_MS)
        signIns.seen(secretHash, now())
      return session
    },
    keyOf: secretOf,
    byLabel: (label) => fresh(signIns.byLabel(label)),
    relabel(header) {
      const secretHash = secretOf(header)
      if (secretHash !== null) signIns.relabel(secretHash, labelFrom(randomBytes(16)))
    },
    choose(header, computer) {
      const secretHash = secretOf(header)
      if (secretHash !== null) signIns.choose(secretHash, computer, labelFrom(randomBytes(16)))
    },
    signOut(header) {
      const secretHash = secretOf(header)
      const label = secretHash === null ? null : (signIns.bySecret(secretHash)?.label ?? null)
      if (secretHash !== null) signIns.remove(secretHash)
      return { cookies: cookiesOf('', 0), label }
    },
  }
}
