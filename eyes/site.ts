import { createServer, type Server } from 'node:http'
import { readdirSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { createStandIn, type StandIn } from './stand-in.ts'

/** The desktop of one folder, served to a browser on this side of the sandbox. */
export interface Site {
  readonly address: string
  readonly computer: StandIn
  /** Call before each look: files may have changed since. */
  refresh(): void
  /** The module that the browser has loaded under this address, with its source map; null: none that is known. */
  sourceOf(address: string): { readonly file: string; readonly map: object | null } | null
  close(): Promise<void>
}

/** The little of Vite that is used here; it comes from the toolchain, and is not a part of this program. */
interface Vite {
  createServer(options: object): Promise<ViteServer>
}
interface ViteServer {
  middlewares(request: unknown, response: unknown, next: () => void): void
  readonly environments: {
    readonly client: {
      readonly moduleGraph: {
        invalidateAll(): void
        onFileChange(file: string): void
        readonly urlToModuleMap: ReadonlyMap<string, ViteModule>
      }
    }
  }
  close(): Promise<void>
}
interface ViteModule {
  readonly file: string | null
  readonly transformResult: { readonly map: object | null } | null
}

const VITE = '/node_modules/vite/dist/node/index.js'

export async function openSite(folder: string, cache: string): Promise<Site> {
  process.env['CHOIR_LOOK_AT'] = folder
  process.env['CHOIR_LOOK_CACHE'] = cache
  const { createServer: createVite } = (await import(VITE)) as Vite
  const computer = createStandIn()
  const vite = await createVite({
    configFile: '/opt/choir/toolchain/vite.config.ts',
    configLoader: 'native',
    logLevel: 'silent',
    server: { middlewareMode: true },
  })
  const http: Server = createServer((request, response) => {
    if (computer.answer(request, response)) return
    vite.middlewares(request, response, () => response.writeHead(404).end())
  })
  http.on('upgrade', (request, socket, head) => computer.upgrade(request, socket, head))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const graph = vite.environments.client.moduleGraph
  let before = new Map<string, number>()
  return {
    address,
    computer,
    refresh() {
      const now = timesBelow(join(folder, 'app'))
      const isSameSet = now.size === before.size && [...now.keys()].every((file) => before.has(file))
      // A file that comes or goes is found by others: what is looked for by a pattern is not known here.
      if (!isSameSet) graph.invalidateAll()
      else for (const [file, ms] of now) if (before.get(file) !== ms) graph.onFileChange(file)
      before = now
    },
    sourceOf(at) {
      const { pathname, search } = new URL(at)
      const module = graph.urlToModuleMap.get(`${pathname}${search}`) ?? graph.urlToModuleMap.get(pathname)
      if (module?.file == null) return null
      return { file: module.file, map: module.transformResult?.map ?? null }
    },
    async close() {
      http.closeAllConnections()
      http.close()
      await vite.close()
    },
  }
}

function timesBelow(folder: string): Map<string, number> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return [file, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0]
    }),
  )
}
