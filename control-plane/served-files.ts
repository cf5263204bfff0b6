import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readStripped } from './stripped.ts'

interface Asset {
  readonly type: string
  readonly body: string
}

const FRAME = fileURLToPath(new URL('frame', import.meta.url))
const FIRST_SCRIPTS = fileURLToPath(new URL('first-script', import.meta.url))
const EVERYWHERE = dirname(fileURLToPath(import.meta.resolve('@choiros/core/everywhere/run-words.ts')))

const pathsIn = (folder: string) => scriptsIn(folder).map((name) => join(folder, name))
const FIRST = ['keep-inside.ts', 'desktop-keys.ts', 'where.ts', 'probe.ts'].map((name) => join(FIRST_SCRIPTS, name))
const SCRIPTS = [...pathsIn(FRAME), ...pathsIn(EVERYWHERE), ...FIRST]
/** Read once at start, as is all that follows: what is served cannot change under a running front door. */
const STRIPPED: ReadonlyMap<string, string> = new Map(
  readStripped(SCRIPTS).map((text, index) => [SCRIPTS[index] ?? '', text]),
)

export const PAGES = {
  frame: page('frame'),
  model: page('model-page'),
  storage: page('storage-page'),
  signIn: page('sign-in'),
}

/** What the frame's pages load, by the path they ask for. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ...scriptsIn(FRAME).map((name) => [`/${name}`, script(join(FRAME, name))] as const),
  ...scriptsIn(EVERYWHERE).map((name) => [`/everywhere/${name}`, script(join(EVERYWHERE, name))] as const),
  ...['frame', 'panels', 'model-page'].map((name) => [`/${name}.css`, style(name)] as const),
  ['/icon.svg', { type: 'image/svg+xml', body: readFileSync(join(FRAME, 'icon.svg'), 'utf8') }],
])

/** All that answers without a session. */
export const OPEN_ASSETS: ReadonlySet<string> = new Set(['/sign-in.ts', '/frame.css', '/icon.svg'])

/**
 * What the gateway puts before everything else in a desktop's page, in this order. No modules: they must run first, and
 * leave no names behind.
 */
export const FIRST_SCRIPT = FIRST.map((file) => `{${STRIPPED.get(file)}}`).join('\n')

function page(name: string): string {
  return readFileSync(join(FRAME, `${name}.html`), 'utf8')
}

function style(name: string): Asset {
  return { type: 'text/css; charset=utf-8', body: readFileSync(join(FRAME, `${name}.css`), 'utf8') }
}

/** A page cannot import packages: the code that it shares with others is served beside its own scripts. */
function script(file: string): Asset {
  const text = STRIPPED.get(file) ?? ''
  return {
    type: 'text/javascript; charset=utf-8',
    body: text.replaceAll("from '@choiros/core/everywhere/", "from '/everywhere/"),
  }
}

function scriptsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
}
