import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Asset {
  readonly type: string
  readonly body: string
}

const FRAME = fileURLToPath(new URL('frame', import.meta.url))
const FIRST_SCRIPTS = fileURLToPath(new URL('first-script', import.meta.url))
const EVERYWHERE = dirname(fileURLToPath(import.meta.resolve('@choiros/core/everywhere/run-words.ts')))

/** Read once at start, so that the served files cannot change while the front door runs. */
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

/** The only files that are served without a sign-in. */
export const OPEN_ASSETS: ReadonlySet<string> = new Set(['/sign-in.ts', '/frame.css', '/icon.svg'])

/**
 * What the gateway puts before everything else in a desktop's page, in this order. They are no modules: they must run
 * first, and leave no names behind.
 */
export const FIRST_SCRIPT = ['keep-inside.ts', 'desktop-keys.ts', 'probe.ts']
  .map((name) => `{${stripTypeScriptTypes(readFileSync(join(FIRST_SCRIPTS, name), 'utf8'))}}`)
  .join('\n')

function page(name: string): string {
  return readFileSync(join(FRAME, `${name}.html`), 'utf8')
}

function style(name: string): Asset {
  return { type: 'text/css; charset=utf-8', body: readFileSync(join(FRAME, `${name}.css`), 'utf8') }
}

/** A page cannot import packages: the code that it shares with others is served beside its own scripts. */
function script(file: string): Asset {
  const text = stripTypeScriptTypes(readFileSync(file, 'utf8'))
  return {
    type: 'text/javascript; charset=utf-8',
    body: text.replaceAll("from '@choiros/core/everywhere/", "from '/everywhere/"),
  }
}

function scriptsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
}
