import { parseSync } from 'rolldown/utils'
import { isConfigurationName } from '@choiros/contract/configuration-names.ts'
import { lineAt, type Problem } from './report.ts'

/**
 * What an app may not use, and what it should use instead. Such state would not be in the log: no undo would reach it,
 * and another device would not see it.
 */
const STORAGE = 'keep it in a file with the SDK (useStored, useDocument) instead: then it is undone, shared and kept'
const OUTSIDE = 'a desktop speaks to its own computer and to nobody else'
const FORBIDDEN: Readonly<Record<string, string>> = {
  localStorage: STORAGE,
  sessionStorage: STORAGE,
  indexedDB: STORAGE,
  caches: STORAGE,
  cookieStore: STORAGE,
  serviceWorker: 'a service worker would outlive an undo',
  RTCPeerConnection: OUTSIDE,
  webkitRTCPeerConnection: OUTSIDE,
  WebTransport: OUTSIDE,
  WebSocketStream: OUTSIDE,
}
/** Forbidden only as a property: otherwise the words are too common. */
const FORBIDDEN_OF_DOCUMENT = new Set(['cookie'])

/** The gateway's first script refuses frames at run time; this says so before anything lands. */
const FRAMES = new Set(['iframe', 'frame', 'frameset', 'object', 'embed', 'fencedframe', 'portal'])
const NO_FRAMES = 'a desktop holds no frames: show it with elements of your own'
/** The page is not allowed to send forms, so their handlers are never called: what waits for one is dead. */
const OF_SENDING = new Set(['onSubmit', 'action', 'formAction'])
const NO_SENDING =
  'a form is never sent here, and this is never called: use a button with onClick, and onKeyDown for Enter'

const NO_CONFIGURATION =
  "a desktop's files are no configuration of its tools: Vite, PostCSS, TypeScript and the environment are given and cannot be changed from here"
const DECLARATIONS = /\.d\.([^.]+\.)?[cm]?ts$/
const NO_DECLARATIONS =
  'a file of declarations is checked by nothing: write the types in the .ts file that has the code'

/** Comments that would keep the compiler from checking. An expected error may still be marked on its own line. */
const SILENCERS: readonly (readonly [RegExp, string])[] = [
  [/@ts-nocheck\b/, '@ts-nocheck: types are checked in every file; mend what is found'],
  [/@ts-ignore\b/, '@ts-ignore: mend the error, or expect it on that one line with @ts-expect-error'],
  [/^\/\s*<(reference|amd-)/, '/// <reference>: import what is needed; types of React, Vite and the SDK are there'],
]

/** What a page could never load; a test beside a file may use Node's runner and its assertions. */
const TEST = /\.test\.tsx?$/
const OF_TESTS = new Set(['node:test', 'node:assert/strict'])
const NO_NODE =
  'a desktop runs in a page, which has nothing of Node; a test (*.test.ts) may use node:test and node:assert/strict'

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

/**
 * What is wrong with a file because of its name alone: in the desktop's folder, or at the root, where tools that search
 * upwards would find it.
 */
export function checkName(path: string): Problem[] {
  if (path.includes('/') && !path.startsWith('app/')) return []
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (isConfigurationName(name)) return [{ path, line: null, message: `${name}: ${NO_CONFIGURATION}` }]
  return path.startsWith('app/') && DECLARATIONS.test(name)
    ? [{ path, line: null, message: `${name}: ${NO_DECLARATIONS}` }]
    : []
}

export function checkSetting(path: string, text: string): Problem[] {
  try {
    JSON.parse(text)
    return []
  } catch {
    return [{ path, line: null, message: 'a setting must be JSON' }]
  }
}

export function checkScript(path: string, text: string): Problem[] {
  // A page runs every script as a module, whatever its ending says.
  const { program, errors, comments } = parseSync(path.replace(/\.c([jt]s)$/, '.m$1'), text)
  if (errors.length > 0) return [] // The transform verifier reports it.
  const found: Problem[] = []
  const refuse = (node: { start: number }, name: string, why: string) =>
    found.push({ path, line: lineAt(text, node.start), message: `${name}: ${why}` })
  for (const comment of comments) {
    for (const [form, message] of SILENCERS)
      if (form.test(comment.value)) found.push({ path, line: lineAt(text, comment.start), message })
  }
  visit(program as unknown as Node, null, (node, parent) => {
    const ambient = ambientModule(node)
    if (ambient !== null)
      refuse(
        node,
        `declare module '${ambient}'`,
        'a package is what it is; declaring it would only keep the compiler from looking',
      )
    const builtin = builtinOf(node)
    if (builtin !== null && !(TEST.test(path) && OF_TESTS.has(builtin))) refuse(node, builtin, NO_NODE)
    const frame = frameOf(node)
    if (frame !== null) refuse(node, `<${frame}>`, NO_FRAMES)
    const attribute = node.type === 'JSXAttribute' ? (node.name as Node).name : null
    if (typeof attribute === 'string' && OF_SENDING.has(attribute) && isElement(parent, ['form', 'button', 'input']))
      refuse(node, attribute, NO_SENDING)
    const name = nameOf(node, parent)
    if (name === null) return
    const why = Object.hasOwn(FORBIDDEN, name) ? FORBIDDEN[name] : undefined
    if (why !== undefined) refuse(node, name, why)
    else if (FORBIDDEN_OF_DOCUMENT.has(name) && node.type === 'MemberExpression' && isDocument(node.object as Node))
      refuse(node, `document.${name}`, STORAGE)
  })
  return found
}

/**
 * The name by which a node reaches for something: `localStorage`, `window.localStorage`, `window['localStorage']`, `{
 * localStorage } = window`.
 */
function nameOf(node: Node, parent: Node | null): string | null {
  if (node.type === 'MemberExpression') {
    const property = node.property as Node
    if (node.computed === true)
      return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null
    return typeof property.name === 'string' ? property.name : null
  }
  if (node.type === 'Property' && parent?.type === 'ObjectPattern') {
    const key = node.key as Node
    return typeof key.name === 'string' ? key.name : typeof key.value === 'string' ? key.value : null
  }
  if (node.type !== 'Identifier' || parent === null) return null
  // A name of one's own (a property, a parameter, a key) is no use of the global.
  if (parent.type === 'MemberExpression' && parent.property === node) return null
  if (
    (parent.type === 'Property' || parent.type === 'PropertyDefinition' || parent.type === 'MethodDefinition') &&
    parent.key === node
  )
    return null
  if (parent.type.startsWith('TS') || parent.type === 'JSXAttribute') return null
  return typeof node.name === 'string' ? node.name : null
}

function isElement(node: Node | null, names: readonly string[]): boolean {
  return node?.type === 'JSXOpeningElement' && names.includes(String((node.name as Node).name))
}

/** `<iframe>`, `createElement('iframe')`, `jsx('iframe', …)`. */
function frameOf(node: Node): string | null {
  const made = node.type === 'CallExpression' ? (node.arguments as Node[])[0]?.value : null
  const name = node.type === 'JSXOpeningElement' ? (node.name as Node).name : made
  return typeof name === 'string' && FRAMES.has(name.toLowerCase()) ? name : null
}

/** A module of Node that is imported, in whatever way. */
function builtinOf(node: Node): string | null {
  if (!['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'].includes(node.type))
    return null
  const name = (node.source as Node | null)?.value
  return typeof name === 'string' && name.startsWith('node:') ? name : null
}

/**
 * `declare module 'name'` would make the compiler believe in a module that does not exist; with `*`, in all of them.
 */
function ambientModule(node: Node): string | null {
  const name = node.type === 'TSModuleDeclaration' ? (node.id as Node).value : null
  return typeof name === 'string' ? name : null
}

function isDocument(node: Node): boolean {
  return (
    (node.type === 'Identifier' && node.name === 'document') ||
    (node.type === 'MemberExpression' && (node.property as Node).name === 'document')
  )
}

function visit(node: Node, parent: Node | null, look: (node: Node, parent: Node | null) => void): void {
  look(node, parent)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
        visit(child as Node, node, look)
    }
  }
}

/** Scripts written into the page itself are looked at as text: there should be none. */
export function checkPage(path: string, text: string): Problem[] {
  const words = Object.entries(FORBIDDEN).map(([name, why]) => ({ at: text.indexOf(name), name, why }))
  const frames = [...FRAMES].map((name) => ({
    at: text.search(new RegExp(`<${name}[\\s/>]`, 'i')),
    name: `<${name}>`,
    why: NO_FRAMES,
  }))
  return [...words, ...frames]
    .filter(({ at }) => at !== -1)
    .map(({ at, name, why }) => ({ path, line: lineAt(text, at), message: `${name}: ${why}` }))
}
