import { ChoirError } from '@choiros/contract/error.ts'
import type { UserId } from '@choiros/contract/ids.ts'
import { sha256 } from '@choiros/contract/canonical.ts'

/** Long enough to walk to another device, and short enough that a link in a shell's history is soon worthless. */
const LIFE_MS = 15 * 60 * 1000
const LINKS_MAX = 100

/** One-time sign-in links. They live as long as the process: a restart prints a new one. */
export interface Links {
  create(user: UserId): { code: string; expiresMs: number }
  /** Works once. */
  redeem(code: string): UserId
}

export function createLinks(now: () => number, randomBytes: (count: number) => Uint8Array): Links {
  // Kept by hash: an attacker who later reads the memory of this process finds no link that works.
  const links = new Map<string, { user: UserId; expiresMs: number }>()
  const forgetOld = () => {
    for (const [key, link] of links) if (link.expiresMs < now() || links.size > LINKS_MAX) links.delete(key)
  }
  return {
    create(user) {
      forgetOld()
      const code = Buffer.from(randomBytes(24)).toString('base64url')
      const expiresMs = now() + LIFE_MS
      links.set(sha256(code), { user, expiresMs })
      return { code, expiresMs }
    },
    redeem(code) {
      forgetOld()
      const key = sha256(code)
      const link = links.get(key)
      if (link === undefined)
        throw new ChoirError(
          'link.invalid',
          'this link has been used already or is too old: "choir link" makes a new one',
        )
      links.delete(key)
      return link.user
    },
  }
}
