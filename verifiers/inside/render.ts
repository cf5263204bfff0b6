import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { definePage, filesOf, isNoBrowser, settingsOf } from './page-globals.ts'
import { openReporter } from './reporter.ts'

/**
 * Renders apps and the desktop to text, where there is no browser. Effects do not run, so what only they bring is not
 * seen: each is rendered, then again when what it has asked of its computer has arrived.
 */
const tell = openReporter()
const [tree = '', made = '', given = '[]'] = process.argv.slice(2)

/** Of React, as much as is used: it is loaded from the toolchain at run time. */
interface ReactLike {
  createElement(type: unknown, props: object | null): unknown
  [hook: string]: unknown
}
type Hook = (...args: readonly unknown[]) => unknown

const require = createRequire('/node_modules/react/index.js')
const React = require('react') as ReactLike
const { renderToString } = require('react-dom/server') as { renderToString(element: unknown): string }
const client = require('react-dom/client') as Record<string, unknown>

const EXTENSIONS_MS = 5000

/** Of what is rendered right now. */
let about = 'the desktop'
/** Something may still come by an effect, or when a state changes. */
let mayChange = false
let root: unknown = null

const fail = (error: unknown) => {
  if (isNoBrowser(error)) return
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  tell({ problem: `${about}: ${message}`.slice(0, 900).toWellFormed(), stack: stack.slice(0, 4000) })
}
prepare()
for (const { id, kind, file } of JSON.parse(given) as { id: string; kind: 'app' | 'widget'; file: string }[]) {
  about = `the ${kind} ${id}`
  await attempt(async () => renderOne(kind, await load(file)))
}
about = 'the desktop'
await attempt(renderDesktop)
tell({ done: true })
process.exit(0)

function prepare(): void {
  definePage(tree, fail)
  for (const name of ['useEffect', 'useLayoutEffect', 'useInsertionEffect', 'useState', 'useReducer']) {
    const hook = React[name] as Hook
    React[name] = (...args: readonly unknown[]) => {
      mayChange = true
      return hook(...args)
    }
  }
  const plain = React['useSyncExternalStore'] as Hook
  // Without a value for the server React would refuse to render at all.
  React['useSyncExternalStore'] = (subscribe: unknown, get: unknown, onServer: unknown = get) =>
    plain(subscribe, get, onServer)
  client['createRoot'] = () => ({ render: (element: unknown) => (root = element), unmount: () => {} })
  const live = { connected: true, loaded: true, files: filesOf(tree), windows: [], events: [] }
  Object.assign(globalThis, {
    choirLive: { live, files: filesOf(tree), seq: 1, listeners: new Set(), eventListeners: new Set(), started: true },
    choirSettings: settingsOf(tree),
  })
  console.error = (...words: readonly unknown[]) => {
    const thrown = words.find((word) => word instanceof Error)
    if (thrown !== undefined) return fail(thrown)
    // A sign such as %s stands for the word after it.
    const [first, ...rest] = words.map(String)
    const message = rest.reduce(
      (text: string, word) => (/%\w/.test(text) ? text.replace(/%\w/, () => word) : text),
      first ?? '',
    )
    fail(new Error(`console: ${message}`))
  }
}

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    fail(error)
  }
}

async function load(file: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(`${made}/${file}`).href)) as Record<string, unknown>
}

async function renderOne(kind: 'app' | 'widget', module: Record<string, unknown>): Promise<void> {
  const thing = module['default'] as { id?: unknown; title?: unknown; Content?: unknown } | undefined
  if (typeof thing?.id !== 'string' || typeof thing.title !== 'string' || thing.Content === undefined)
    throw new Error(`its file exports no ${kind}`)
  mayChange = false
  const element = React.createElement(thing.Content, { window: 'w-look', title: thing.title })
  renderToString(element)
  await arrived()
  const text = renderToString(element)
  const isEmpty =
    text.replaceAll(/<[^>]*>/g, '').trim() === '' &&
    !/<(img|svg|canvas|video|input|textarea|select|button)\b/.test(text)
  if (isEmpty && !mayChange) fail(new Error(kind === 'app' ? 'its window is empty' : 'it shows nothing'))
}

async function renderDesktop(): Promise<void> {
  await load('main.mjs')
  if (root === null) throw new Error('app/main.tsx shows nothing')
  const kept = globalThis as { choirExtensions?: { now: unknown } }
  const deadline = performance.now() + EXTENSIONS_MS
  while (kept.choirExtensions?.now === null && performance.now() < deadline) await delay(10)
  const text = renderToString(root)
  if (!/role="toolbar"/.test(text)) throw new Error('it does not come up: there is no taskbar')
}

/** What was asked of the computer is answered at once; what then follows takes some turns. */
async function arrived(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await delay(2)
}
