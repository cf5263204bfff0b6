import { readdirSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import react from '@vitejs/plugin-react'
import { defineConfig, type EnvironmentModuleNode, type Plugin, type UserConfig } from 'vite'

const HMR_MODULE = '/@choir/hmr'
/**
 * Our part of the hot-update client; it tells the probe what happens. A file that cannot be served becomes an error of
 * the page, which the probe counts: Vite would only write it to the console.
 */
const HMR_CLIENT = `
import { carryFields } from '@choiros/sdk/carry-fields.ts'
const tell = (what, id) => globalThis.choirHot?.(what, id)
import.meta.hot.on('choir:pong', ({ id }) => tell('pong', id))
import.meta.hot.on('vite:beforeUpdate', ({ updates }) => tell('begin', updates.flatMap(({ path, acceptedPath }) => [path, acceptedPath]).join('\\n')))
import.meta.hot.on('vite:beforeUpdate', carryFields)
import.meta.hot.on('vite:afterUpdate', () => tell('end'))
import.meta.hot.on('vite:beforeFullReload', () => tell('reload'))
// The desk has gone: what this page says now is not about what landed. The probe loads it again when there is another
// one, with nothing unsaved in it. Vite waits for this promise before it would do the same: it looks for another desk
// only while the page is visible, and a page behind another tab stayed as it was.
import.meta.hot.on('vite:ws:disconnect', () => tell('lost'))
import.meta.hot.on('vite:error', ({ err }) => reportError(new Error(err.message)))
`

/** On a busy machine Vite sees a file late; after this time nothing waits for it any more. */
const SEEN_MS_MAX = 2000
const LOOK_EVERY_MS = 20

/** When a file was last written; 0 where there is none. */
function modifiedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/**
 * Lets the probe ask whether changes still reach a page: it requests a ping, and the answer comes back through the
 * hot-update connection, once Vite has seen the files it names. The page's part of this is a module of ours that Vite
 * puts into the page, so that rewriting the desktop does not rewrite it.
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
          await delay(LOOK_EVERY_MS) // Vite's update for a file it has just seen goes out before the answer.
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
 * A file that could not be parsed has not reached the page, so Vite tells no page when it is mended. The modules that
 * import it are updated here.
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

/** Where the shell finds apps and widgets; no file in there is a page's entry. */
const EXTENSIONS = /^\/desk\/app\/(apps|widgets)\//

/**
 * A module that nothing imports is in no page. Vite remembers a module whose file was deleted and came back (by an undo
 * or a redo); finding no importer for its change, it would load every page again.
 */
const leaveUnimported: Plugin = {
  name: 'choir:leave-unimported',
  hotUpdate({ file, modules }) {
    if (!EXTENSIONS.test(file)) return undefined
    return modules.filter((module) => module.importers.size > 0 || module.isSelfAccepting === true)
  },
}

/** A page requests changed modules only after a moment; on a busy machine that takes a while. */
const LOOK_AFTER_MS = [250, 1000, 4000]

/**
 * Removes a module together with everything that only it imported. Vite tells a page only of the module that is no
 * longer imported, not of what that one imported: the styles of an app that was undone stayed in the page for good, and
 * styled what came next. For a module with components Vite does not even tell that, because such a module imports
 * itself.
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
          // If it comes back, the page must see it as another module, because it runs each module only once: without
          // this, an app that was redone would have no styles.
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

/** These modules, and everything that no other module imports any more. */
function leftWith(gone: readonly EnvironmentModuleNode[]): ReadonlySet<EnvironmentModuleNode> {
  const left = new Set(gone)
  for (const one of left) {
    for (const below of one.importedModules)
      if ([...below.importers].every((importer) => importer === below || left.has(importer))) left.add(below)
  }
  return left
}

/** An import by a package's name. */
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
 * A package name always means the toolchain's package, wherever it is imported: a `package.json` in the tree could give
 * the name to another file, or invent names of its own; one that called itself `react` kept the desk from starting. So
 * names are resolved from inside the toolchain.
 */
const packagesOfToolchain: Plugin = {
  name: 'choir:packages-of-toolchain',
  enforce: 'pre',
  configResolved({ environments }) {
    // Nothing is left to be pre-bundled here, whatever other plugins ask for.
    for (const { optimizeDeps } of Object.values(environments)) optimizeDeps.include = []
  },
  resolveId(id, importer, options) {
    const made = MADE.get(id)
    // What a verifier makes for Node imports them there, as Node reads them.
    if (made !== undefined) return this.environment.name === 'client' ? made : { id, external: true }
    if (id.startsWith('node:')) return { id, external: true }
    if (importer?.startsWith(`${TREE}/`) !== true) return null
    if (id.startsWith('#')) throw new Error(`${id} is the name of no package`)
    return BARE.test(id) && !/^[a-z][a-z\d+.-]*:/i.test(id)
      ? this.resolve(id, INSIDE, { ...options, skipSelf: true })
      : null
  },
}

/** Nobody debugs these packages, and a source map is larger than its package. */
const withoutMaps: Plugin = {
  name: 'choir:without-maps',
  enforce: 'post',
  transform: (code, id) => (id.startsWith(PAGE_PACKAGES) ? { code: `${code}\n`, map: { mappings: '' } } : null),
}

/**
 * How code is turned into what a browser reads. Vite's own type leaves `tsconfig` out, but Vite passes it on: without
 * it the nearest tsconfig.json in the tree would apply.
 */
const oxc: Extract<UserConfig['oxc'], object> & { tsconfig: false } = { tsconfig: false }

/**
 * Another folder than the desk's, which is only looked at: each look is a page of its own, so nothing is updated in
 * one.
 */
const LOOKED_AT = process.env['CHOIR_LOOK_AT'] ?? null
const TREE = LOOKED_AT ?? '/desk'
const HOT_UPDATES = [hotUpdatePing(), retryBroken, leaveUnimported, leaveTogether()]

/**
 * The desk's own configuration, from the read-only toolchain. No file of a tree is configuration: whatever Vite,
 * PostCSS, Oxc or Rolldown would look for is set here, or the search is off. If they would execute something all the
 * same, only-toolchain.mjs refuses it.
 */
export default defineConfig({
  root: `${TREE}/app`,
  cacheDir: process.env['CHOIR_LOOK_CACHE'] ?? '/cache/vite',
  envDir: false,
  css: { transformer: 'postcss', postcss: { plugins: [] } },
  oxc,
  plugins: [packagesOfToolchain, react(), ...(LOOKED_AT === null ? HOT_UPDATES : []), withoutMaps],
  resolve: {
    alias: { '@choiros/sdk': '/opt/choir/sdk', '@choiros/core/everywhere': '/opt/choir/sdk/everywhere' },
    preserveSymlinks: false,
    tsconfigPaths: false,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    // Broken code leaves the desktop as it was; an overlay over all of it would lock the person out.
    hmr: LOOKED_AT === null ? { overlay: false } : false,
    ...(LOOKED_AT === null ? {} : { ws: false as const }),
    fs: { strict: true, allow: [`${TREE}/app`, '/opt/choir/sdk', '/node_modules'] },
    // Vite would load every page anew for one of these, though nothing reads it.
    watch: LOOKED_AT === null ? { ignored: ['**/tsconfig.json'] } : null,
  },
  optimizeDeps: { noDiscovery: true, include: [], rolldownOptions: { tsconfig: false } },
  clearScreen: false,
})
