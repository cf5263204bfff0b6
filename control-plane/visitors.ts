import { sha256 } from '@choiros/contract/canonical.ts'
import { labelFrom } from '@choiros/contract/ids.ts'
import type { UserId } from '@choiros/contract/ids.ts'
import type { Session, Sessions } from '@choiros/ports/sessions/sessions.ts'

/** Signed-in browsers: the frame is known by its cookie, the desktop by the host name it was given. */
export interface Visitors {
  signIn(user: UserId): { cookie: string }
  byCookie(header: string | undefined): Session | null
  byLabel(label: string): Session | null
  /** A new host name for the desktop of a sign-in: the old one's page may be stuck for good. */
  relabel(header: string | undefined): void
  /** Returns the cookie that forgets. */
  signOut(header: string | undefined): { cookie: string; label: string | null }
}

const COOKIE = '__Host-choir'
const LIFE_MS = 30 * 24 * 60 * 60 * 1000
/** Being seen is written down this often, not at every request. */
const SEEN_EVERY_MS = 60 * 60 * 1000
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Strict'

export function createVisitors(sessions: Sessions, now: () => number, randomBytes: (count: number) => Uint8Array): Visitors {
  const secretOf = (header: string | undefined): string | null => {
    for (const part of (header ?? '').split(';')) {
      const [name, value] = part.trim().split('=')
      if (name === COOKIE && value !== undefined && value !== '') return sha256(value)
    }
    return null
  }
  const fresh = (session: Session | null): Session | null => (session !== null && session.seenMs > now() - LIFE_MS ? session : null)

  return {
    signIn(user) {
      sessions.removeOlder(now() - LIFE_MS)
      const secret = Buffer.from(randomBytes(32)).toString('base64url')
      sessions.add(sha256(secret), { user, label: labelFrom(randomBytes(16)), createdMs: now(), seenMs: now() })
      return { cookie: `${COOKIE}=${secret}; ${ATTRIBUTES}; Max-Age=${LIFE_MS / 1000}` }
    },
    byCookie(header) {
      const secretHash = secretOf(header)
      const session = secretHash === null ? null : fresh(sessions.bySecret(secretHash))
      if (session !== null && secretHash !== null && now() - session.seenMs > SEEN_EVERY_MS) sessions.seen(secretHash, now())
      return session
    },
    byLabel: (label) => fresh(sessions.byLabel(label)),
    relabel(header) {
      const secretHash = secretOf(header)
      if (secretHash !== null) sessions.relabel(secretHash, labelFrom(randomBytes(16)))
    },
    signOut(header) {
      const secretHash = secretOf(header)
      const label = secretHash === null ? null : (sessions.bySecret(secretHash)?.label ?? null)
      if (secretHash !== null) sessions.remove(secretHash)
      return { cookie: `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`, label }
    },
  }
}
