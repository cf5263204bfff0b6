import { createServer, type Server, type ServerResponse } from 'node:http'
import { readdirSync, readFileSync, statSync } from 'node:fs'
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

/** What the page loads first, and what its shell finds. */
const ENTRY = /\/app\/(main|apps\/[^/]+\/app|widgets\/[^/]+\/widget)\.tsx$/
const SCRIPT = /^\/(?!@vite\/|@id\/)[^?#]*\.(ts|tsx|js|jsx|css)(\?|$)/

/** In place of Vite's own: a page that is only looked at is never updated, so it opens no connection for that. */
const VITE_CLIENT = `
const nothing = () => {}
export const createHotContext = () => ({ data: {}, accept: nothing, acceptExports: nothing, dispose: nothing, prune: nothing, invalidate: nothing, on: nothing, off: nothing, send: nothing })
const styles = new Map()
export function updateStyle(id, text) {
  const style = styles.get(id) ?? document.head.appendChild(document.createElement('style'))
  style.textContent = text
  styles.set(id, style)
}
export function removeStyle(id) {
  styles.get(id)?.remove()
  styles.delete(id)
}
export const injectQuery = (url, query) => url + (url.includes('?') ? '&' : '?') + query
`

export async function openSite(folder: string, cache: string): Promise<Site> {
  process.env['CHOIR_LOOK_AT'] = folder
  process.env['CHOIR_LOOK_CACHE'] = cache
  const { createServer: createVite } = await import('vite')
  const computer = createStandIn()
  const vite = await createVite({
    configFile: '/opt/choir/toolchain/vite.config.ts',
    configLoader: 'native',
    logLevel: 'silent',
    server: { middlewareMode: true },
  })
  const graph = vite.environments.client.moduleGraph
  const sendPage = async (response: ServerResponse): Promise<void> => {
    const page = await vite.transformIndexHtml('/', readFileSync(join(folder, 'app/index.html'), 'utf8'))
    // All that is known to be needed is named at once: to find it module by module would take most of a look's time.
    const known = [...graph.urlToModuleMap.keys()].filter((url) => SCRIPT.test(url))
    const links = known.map((url) => `<link rel="modulepreload" href="${url.replaceAll('"', '%22')}">`).join('')
    response.writeHead(200, { 'content-type': 'text/html' }).end(page.replace('</head>', () => `${links}</head>`))
  }
  const http: Server = createServer((request, response) => {
    if (computer.answer(request, response)) return
    if (request.url === '/@vite/client')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(VITE_CLIENT)
    if (request.url === '/') return void sendPage(response).catch(() => response.destroy())
    vite.middlewares(request, response, () => response.writeHead(404).end())
  })
  http.on('upgrade', (request, socket, head) => computer.upgrade(request, socket, head))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  let before = timesBelow(join(folder, 'app'))
  // The browser is still starting: what it will ask for first can be made meanwhile.
  const entries = [...before.keys()]
    .filter((file) => ENTRY.test(file))
    .map((file) => file.slice(`${folder}/app`.length))
  for (const entry of entries) vite.environments.client.warmupRequest(entry).catch(() => {})
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
      const map = module.transformResult?.map ?? null
      return { file: module.file, map: map !== null && 'mappings' in map ? map : null }
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
