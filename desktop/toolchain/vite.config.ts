import { readdirSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import react from '@vitejs/plugin-react'
import { defineConfig, type EnvironmentModuleNode, type Plugin, type UserConfig } from 'vite'

const HMR_MODULE = '/@choir/hmr'
/**
 * A file that cannot be served is an error of the page: the probe counts it, where Vite would only write it to the
 * console.
 */
const HMR_CLIENT = `
import { carryFields } from '@choiros/sdk/carry-fields.ts'
const tell = (what, id) => globalThis.choirHot?.(what, id)
import.meta.hot.on('choir:pong', ({ id }) => tell('pong', id))
import.meta.hot.on('vite:beforeUpdate', ({ updates }) => tell('begin', updates.flatMap(({ path, acceptedPath }) => [path, acceptedPath]).join('\\n')))
import.meta.hot.on('vite:beforeUpdate', carryFields)
import.meta.hot.on('vite:afterUpdate', () => tell('end'))
import.meta.hot.on('vite:beforeFullReload', () => tell('reload'))
// The desk has gone: what this page says now is not about what landed. Vite loads it again when there is another one.
// It waits for this promise first, so that the page does not go with something unsaved in it.
import.meta.hot.on('vite:ws:disconnect', () => {
  tell('reload')
  return globalThis.choirSettled?.()
})
import.meta.hot.on('vite:error', ({ err }) => reportError(new Error(err.message)))
`

/** A machine under load sees a file late; after this it is asked no further. */
const SEEN_MS_MAX = 2000
const LOOK_EVERY_MS = 20

/** When a file was last written; 0 where there is none. */
function modifiedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/**
 * Lets the probe ask whether changes still reach a page: a ping by request comes back through the hot-update
 * connection, once Vite has seen the files it names. The client's half is a module of ours that Vite puts into the
 * page, so that rewriting the desktop does not rewrite it.
 */
function hotUpdatePing(): Plugin {
  return {
    name: 'choir-hot-update-ping',
    configureServer(server) {
      const seen = new Map<string, number>()
      server.watcher.on('all', (_, file) => seen.set(file, modifiedMs(file)))
      const hasSeen = (file: string) => seen.get(file) === modifiedMs(file)
      server.middlewares.use('/@choir/ping', (request, response) => {
        const { searchParams } = new URL(request.url ?? '/', 'http://desk')
        const files = searchParams.getAll('path').map((path) => `/desk/${path}`)
        const answer = async () => {
          for (let waitedMs = 0; waitedMs < SEEN_MS_MAX && !files.every(hasSeen); waitedMs += LOOK_EVERY_MS)
            await delay(LOOK_EVERY_MS)
          await delay(LOOK_EVERY_MS) // What Vite makes of a file it has just seen goes out before the answer.
          server.ws.send('choir:pong', { id: searchParams.get('id') ?? '' })
          response.setHeader('content-type', 'application/json')
          response.end('{}')
        }
        void answer()
      })
    },
    resolveId: (id) => (id === HMR_MODULE ? id : null),
    load: (id) => (id === HMR_MODULE ? HMR_CLIENT : null),
    transformIndexHtml: () => [{ tag: 'script', attrs: { type: 'module', src: HMR_MODULE }, injectTo: 'head-prepend' }],
  }
}

/**
 * A file that could not be read as code has not reached the page, so Vite tells no one when it is mended. Those who
 * asked for it are told here.
 */
const retryBroken: Plugin = {
  name: 'choir:retry-broken',
  hotUpdate({ modules }) {
    return [
      ...modules,
      ...modules.filter((module) => module.isSelfAccepting === undefined).flatMap((module) => [...module.importers]),
    ]
  },
}

/** Where the shell finds apps and widgets; nothing in there is what a page begins with. */
const EXTENSIONS = /^\/desk\/app\/(apps|widgets)\//

/**
 * What nobody imports is in no page. Vite remembers a module whose file went and came back (an undo, a redo) and,
 * finding no one to pass its change on to, would load every page anew.
 */
const leaveUnimported: Plugin = {
  name: 'choir:leave-unimported',
  hotUpdate({ file, modules }) {
    if (!EXTENSIONS.test(file)) return undefined
    return modules.filter((module) => module.importers.size > 0 || module.isSelfAccepting === true)
  },
}

/** A page asks for what it loads anew when it gets to it; on a machine under load that takes a while. */
const LOOK_AFTER_MS = [250, 1000, 4000]

/**
 * What leaves a page takes along all that only it imported. Vite tells a page of the one module that is imported no
 * more, and not of what that one brought with it: the styles of an app that was undone stayed in the page for good, and
 * went on to style what came next. Of a module with components it does not even tell that: those import themselves.
 */
function leaveTogether(): Plugin {
  const imported = new WeakSet<EnvironmentModuleNode>()
  return {
    name: 'choir:leave-together',
    hotUpdate() {
      const { hot, moduleGraph, name } = this.environment
      if (name !== 'client') return
      const look = () => {
        const all = [...moduleGraph.idToModuleMap.values()]
        const left = leftWith(all.filter((one) => imported.has(one) && isAlone(one)))
        for (const one of all) if (!isAlone(one)) imported.add(one)
        if (left.size === 0) return
        const now = Date.now()
        for (const one of left) {
          imported.delete(one)
          // Should it come back, it is another module to the page, which runs each only once: without, an app that was
          // redone would have no styles.
          moduleGraph.invalidateModule(one, new Set(), now, true)
        }
        hot.send({ type: 'prune', paths: [...left].map(({ url }) => url) })
      }
      look()
      for (const ms of LOOK_AFTER_MS) setTimeout(look, ms).unref()
    },
  }
}

function isAlone(one: EnvironmentModuleNode): boolean {
  return one.importers.size === 0 || (one.importers.size === 1 && one.importers.has(one))
}

/** These, and whatever nobody else imports any more. */
function leftWith(gone: readonly EnvironmentModuleNode[]): ReadonlySet<EnvironmentModuleNode> {
  const left = new Set(gone)
  for (const one of left) {
    for (const below of one.importedModules)
      if ([...below.importers].every((importer) => importer === below || left.has(importer))) left.add(below)
  }
  return left
}

/** What a page imports by a package's name. */
const BARE = /^@?[a-z]/i
const INSIDE = '/opt/choir/toolchain/vite.config.ts'
/** Packages as a browser reads them, made with the toolchain: see supervisor/desk/page-packages.ts. */
const PAGE_PACKAGES = '/node_modules/.page'
const MADE = new Map(
  readdirSync(PAGE_PACKAGES).map((file) => [
    file.replace(/\.js$/, '').replaceAll('_', '/'),
    `${PAGE_PACKAGES}/${file}`,
  ]),
)

/**
 * A package is what the toolchain says, wherever it is imported: a `package.json` in the tree would give its name to
 * another file, or make up names of its own; one that called itself `react` kept the desk from starting. So names are
 * looked up from inside the toolchain.
 */
const packagesOfToolchain: Plugin = {
  name: 'choir:packages-of-toolchain',
  enforce: 'pre',
  configResolved({ environments }) {
    // Nothing is left to be made here, whatever other plugins ask for.
    for (const { optimizeDeps } of Object.values(environments)) optimizeDeps.include = []
  },
  resolveId(id, importer, options) {
    const made = MADE.get(id)
    if (made !== undefined) return made
    if (importer?.startsWith('/desk/') !== true) return null
    if (id.startsWith('#')) throw new Error(`${id} is the name of no package`)
    return BARE.test(id) && !/^[a-z][a-z\d+.-]*:/i.test(id)
      ? this.resolve(id, INSIDE, { ...options, skipSelf: true })
      : null
  },
}

/** Nobody looks into these, and the map of one is larger than itself. */
const withoutMaps: Plugin = {
  name: 'choir:without-maps',
  enforce: 'post',
  transform: (code, id) => (id.startsWith(PAGE_PACKAGES) ? { code: `${code}\n`, map: { mappings: '' } } : null),
}

/**
 * How code becomes what a browser reads. Vite's own type leaves `tsconfig` out, but hands it on: without it the nearest
 * one in the tree would have a say.
 */
const oxc: Extract<UserConfig['oxc'], object> & { tsconfig: false } = { tsconfig: false }

/**
 * The desk's own configuration, from the read-only toolchain. No file of a tree is configuration: whatever Vite,
 * PostCSS, Oxc or Rolldown would go and look for is said here, or its search is off. What they would execute all the
 * same is refused by only-toolchain.mjs.
 */
export default defineConfig({
  root: '/desk/app',
  cacheDir: '/cache/vite',
  envDir: false,
  css: { transformer: 'postcss', postcss: { plugins: [] } },
  oxc,
  plugins: [packagesOfToolchain, react(), hotUpdatePing(), retryBroken, leaveUnimported, leaveTogether(), withoutMaps],
  resolve: {
    alias: { '@choiros/sdk': '/opt/choir/sdk', '@choiros/core/everywhere': '/opt/choir/sdk/everywhere' },
    preserveSymlinks: false,
    tsconfigPaths: false,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    // Broken code leaves the desktop as it was; a sheet over all of it would lock the person out.
    hmr: { overlay: false },
    fs: { strict: true, allow: ['/desk/app', '/opt/choir/sdk', '/node_modules'] },
    // Vite would load every page anew for one of these, though nothing reads it.
    watch: { ignored: ['**/tsconfig.json'] },
  },
  optimizeDeps: { noDiscovery: true, include: [], rolldownOptions: { tsconfig: false } },
  clearScreen: false,
})
