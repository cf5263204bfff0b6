import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names that a page has and Node lacks: who uses another one while rendering is not judged by what Node says of it. */
const OF_A_PAGE =
  /^(HTML\w*|SVG\w*|CSS\w*|DOM\w*|\w*Observer|\w*Event|Audio\w*|Image|Worker|Notification|Element|Node|Option|Range|Selection|getSelection|getComputedStyle|speechSynthesis|indexedDB|history|screen|scrollTo|confirm|alert|prompt|open|visualViewport|OffscreenCanvas|Path2D|FontFace|MediaQueryList|customElements|devicePixelRatio|outerWidth|outerHeight|scrollX|scrollY|pageXOffset|pageYOffset|requestIdleCallback)$/

/** Whether an error only says that there is no browser here. */
export function isNoBrowser(error: unknown): boolean {
  const message = error instanceof Error ? error.message : ''
  const name = /^(\w+) is not defined$/.exec(message)?.[1]
  return name !== undefined && OF_A_PAGE.test(name)
}

const WIDTH = 1280
const HEIGHT = 800

/** The least of a page that a module may touch when it is loaded or rendered; nothing of it does anything. */
export function definePage(tree: string, report: (error: unknown) => void): void {
  const nothing = () => {}
  const listening = { addEventListener: nothing, removeEventListener: nothing, dispatchEvent: () => true }
  const element = () => ({ ...listening, style: {}, dataset: {}, classList: { add: nothing, remove: nothing } })
  class Watcher {
    observe = nothing
    unobserve = nothing
    disconnect = nothing
  }
  Object.assign(globalThis, {
    ...listening,
    innerWidth: WIDTH,
    innerHeight: HEIGHT,
    location: new URL('http://127.0.0.1/'),
    matchMedia: (media: string) => ({ ...listening, media, matches: false }),
    requestAnimationFrame: () => 0,
    cancelAnimationFrame: nothing,
    ResizeObserver: Watcher,
    MutationObserver: Watcher,
    IntersectionObserver: Watcher,
    reportError: report,
    WebSocket: class extends EventTarget {},
    parent: { postMessage: nothing },
    top: { postMessage: nothing },
    fetch: (address: string, init?: { readonly body?: string }) => answer(tree, address, init?.body ?? ''),
    document: {
      ...element(),
      documentElement: element(),
      body: element(),
      head: element(),
      activeElement: null,
      visibilityState: 'visible',
      hidden: false,
      title: '',
      getElementById: element,
      createElement: element,
      querySelector: () => null,
      querySelectorAll: () => [],
    },
  })
  Object.assign(globalThis, { window: globalThis, self: globalThis })
}

const LISTS = new Set(['window.list', 'run.list', 'recipe.list', 'undo.list', 'checkpoint.list'])

/** As the computer would, from the tree's own files; nothing can be changed. */
async function answer(tree: string, address: string, body: string): Promise<Response> {
  const url = new URL(address, 'http://127.0.0.1/')
  if (url.pathname === '/choir/file') {
    const bytes = readIfThere(tree, url.searchParams.get('path') ?? '')
    return new Response(bytes === null ? '' : new Uint8Array(bytes), { status: bytes === null ? 404 : 200 })
  }
  const { command = '', input = {} } = body === '' ? {} : (JSON.parse(body) as { command?: string; input?: object })
  const { path = null } = input as { path?: string | null }
  if (command === 'files.stat') return Response.json({ result: { entry: filesOf(tree).get(path ?? '') ?? null } })
  if (command === 'files.list') return Response.json({ result: listed(tree, path) })
  if (LISTS.has(command)) return Response.json({ result: [] })
  const error = { code: 'request.refused', message: `${command} is not possible in a copy`, details: {} }
  return Response.json({ error })
}

function listed(tree: string, path: string | null): object[] {
  return [...filesOf(tree)]
    .filter(([own]) => path === null || own === path || own.startsWith(`${path}/`))
    .map(([own, entry]) => ({ path: own, entry, seq: 1 }))
}

function readIfThere(tree: string, path: string): Buffer | null {
  try {
    return readFileSync(join(tree, path))
  } catch {
    return null
  }
}

interface FileEntry {
  readonly kind: 'file'
  readonly mode: '644'
  readonly object: string
  readonly size: number
}

let known: Map<string, FileEntry> | null = null

/** What stands in the tree. A version is named by its path: nothing changes here. */
export function filesOf(tree: string): Map<string, FileEntry> {
  known ??= new Map(
    ['app', 'artifacts'].flatMap((place) =>
      filesBelow(tree, place).map((path): [string, FileEntry] => {
        const size = readIfThere(tree, path)?.length ?? 0
        return [path, { kind: 'file', mode: '644', object: path, size }]
      }),
    ),
  )
  return known
}

function filesBelow(tree: string, place: string): string[] {
  try {
    return readdirSync(join(tree, place), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
  } catch {
    return []
  }
}

/** Settings by name, as the SDK would have read them. */
export function settingsOf(tree: string): Map<string, { object: string | null; value: unknown }> {
  const names = ['theme', 'accent', 'wallpaper', 'font-size', 'taskbar']
  return new Map(
    names.map((name) => {
      const path = `artifacts/system/${name}.json`
      const text = readIfThere(tree, path)?.toString('utf8') ?? null
      return [name, { object: text === null ? null : path, value: parsed(text) }]
    }),
  )
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}
