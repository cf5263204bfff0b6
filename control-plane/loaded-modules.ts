import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What the pages of each sign-in have loaded, so that a desk that was started again can be told. */
export interface LoadedModules {
  /** After an answer of the desk. */
  heard(label: string, request: IncomingMessage, answer: IncomingMessage, body: string): void
  of(label: string): { readonly page: string | null; readonly modules: readonly LoadedModule[] }
  forget(label: string): void
}

export interface LoadedModule {
  readonly address: string
  readonly hash: string
}

interface Known {
  page: string
  readonly modules: Map<string, LoadedModule>
  /** For answers that only say "as you have it". */
  readonly byTag: Map<string, string>
}

/** A desktop has some sixty. One that has far more is simply loaded again. */
const MODULES_MAX = 2000
const NEVER_THE_SAME = ''
/** Vite's client holds a token of its own server, and has no state to lose. */
const OWN_TO_VITE = '/@vite/'

export function createLoadedModules(): LoadedModules {
  const known = new Map<string, Known>()
  return {
    heard(label, request, answer, body) {
      const address = request.url ?? '/'
      const { 'sec-fetch-dest': to, 'if-none-match': held } = request.headers
      if (to === 'iframe' || to === 'document') known.set(label, { page: body, modules: new Map(), byTag: known.get(label)?.byTag ?? new Map() })
      const own = known.get(label)
      if (own === undefined || to !== 'script' || address.startsWith(OWN_TO_VITE) || own.modules.size >= MODULES_MAX) return
      const { statusCode, headers } = answer
      const hash = statusCode === 200 ? hashOf(body) : statusCode === 304 ? own.byTag.get(held ?? '') : NEVER_THE_SAME
      if (statusCode === 200 && headers.etag !== undefined && own.byTag.size < 10 * MODULES_MAX) own.byTag.set(headers.etag, hashOf(body))
      // The newest version of each: an update is the same address with another time.
      own.modules.set(withoutTimes(address), { address, hash: hash ?? NEVER_THE_SAME })
    },
    of(label) {
      const own = known.get(label)
      return own === undefined ? { page: null, modules: [] } : { page: own.page, modules: [...own.modules.values()] }
    },
    forget: (label) => void known.delete(label),
  }
}

/** The code alone: not when its imports were last updated, nor the map that is put behind it. The desk's own `/@choir/known` does the same. */
function hashOf(code: string): string {
  return createHash('sha256')
    .update(withoutTimes(code.split('\n//# sourceMappingURL=')[0] ?? ''))
    .digest('hex')
}

function withoutTimes(text: string): string {
  return text.replaceAll(/[?&]t=\d+/g, '')
}
