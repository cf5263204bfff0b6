import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { LINE_WIDTH_MAX, type SourceFacts } from './source-facts.ts'

/**
 * Who may import whom. A room is a folder at the root; it may import only what is in its list. `core/everywhere` is the
 * part of the rules that also runs in pages and in the command line.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'contract': [],
  'core': ['contract'],
  'ports': ['contract'],
  'supervisor': ['contract', 'core', 'ports'],
  'control-plane': ['contract', 'core/everywhere', 'ports'],
  'guest': ['contract'],
  'director': ['contract', 'core', 'guest'],
  'associate': ['contract', 'core', 'guest'],
  'eyes': ['contract', 'core'],
  'verifiers': ['contract', 'eyes'],
  'desktop': ['contract', 'core/everywhere'],
  'command-line': ['contract', 'core/everywhere'],
}

/**
 * The same inside of rooms that are large enough to become tangled: each folder with the folders it may import. Files
 * beside the folders are free to all; only a main.ts may import all of them.
 */
export const INNER_LAYERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  supervisor: {
    'wire': [],
    'signing': [],
    'tree': [],
    'state': [],
    'history': ['signing', 'state'],
    'computer': ['signing', 'tree', 'state', 'history'],
    'undo': ['computer', 'state', 'history'],
    'after-crash': ['computer', 'undo'],
    'models': ['signing', 'computer', 'state'],
    'desk': ['computer', 'tree'],
    'runs': ['wire', 'signing', 'tree', 'state', 'computer', 'undo', 'models', 'desk'],
    'session': ['computer', 'after-crash', 'tree', 'models', 'desk', 'runs'],
    'home': ['signing', 'computer', 'session'],
    'commands': ['signing', 'tree', 'state', 'history', 'computer', 'undo', 'models', 'session', 'home'],
    'socket': ['wire', 'runs', 'session', 'home', 'commands'],
  },
}

/** Folders that may import everything and that no room may import. */
const FREE_FOLDERS: readonly string[] = ['tests', 'bench', 'evals', 'scripts']

export const LINES_MAX = 400
/** The most lines of a function's own, without those of functions inside of it. */
export const FUNCTION_LINES_MAX = 70

/** Rooms whose code must give the same answer on every machine, at every time. */
const PURE_ROOMS = ['contract', 'core']
const PURE_BUILTINS: Readonly<Record<string, readonly string[]>> = { 'contract/canonical.ts': ['node:crypto'] }
const IMPURE_USES =
  /^(Date\.now|new Date\(\)|Date\(\)|Math\.random|performance\.\w+|crypto\.\w+|process\.\w+|console\.\w+|fetch\(\)|set(Timeout|Interval|Immediate)\(\))$/

/** [L1] The only places that write tables. */
const SQL_WRITERS = ['core/reducers/', 'ports/', 'supervisor/state/']
const SQL_WORDS = String.raw`(INSERT\s+(OR\s+\w+\s+)?INTO|REPLACE\s+INTO|DELETE\s+FROM|UPDATE\s+(OR\s+\w+\s+)?\S+\s+SET)\b`
/**
 * In capitals anywhere, in small letters only at the beginning of a statement: "you may delete from the list" is a
 * sentence.
 */
const SQL_WRITES = [new RegExp(String.raw`\b${SQL_WORDS}`), new RegExp(String.raw`(^|;)\s*${SQL_WORDS}`, 'i')]

/**
 * Packages that a folder's package.json names. The root's is under the empty name; its development packages serve every
 * test.
 */
export type Manifests = Readonly<
  Record<string, { readonly dependencies: readonly string[]; readonly devDependencies: readonly string[] }>
>

export interface Violation {
  readonly path: string
  readonly line: number
  readonly message: string
}

/** Every broken rule in these files. Pure: the caller reads the disk. */
export function findViolations(files: readonly SourceFacts[], manifests: Manifests): Violation[] {
  return [
    ...files.flatMap(fileViolations),
    ...undeclaredPackages(files, manifests),
    ...Object.keys(manifests).flatMap((room) => manifestViolations(room, manifests)),
  ]
}

function fileViolations(file: SourceFacts): Violation[] {
  const { path } = file
  const found: Violation[] = []
  const report = (line: number, message: string) => found.push({ path, line, message })
  const folder = folderOf(path)
  const isRoom = folder in LAYERS

  for (const error of file.errors) report(error.line, `does not parse: ${error.text}`)
  if (folder !== '' && !isRoom && !FREE_FOLDERS.includes(folder))
    report(1, `${folder}/ is no room: add it to LAYERS or move the file`)
  if (file.lines > LINES_MAX)
    report(LINES_MAX + 1, `${file.lines} lines, more than ${LINES_MAX}: it is asking to be two files`)
  for (const { line, width } of file.widths)
    if (width > LINE_WIDTH_MAX) report(line, `${width} columns, more than ${LINE_WIDTH_MAX}`)
  if (!isTest(path))
    for (const { line, own } of file.functions)
      if (own > FUNCTION_LINES_MAX)
        report(line, `a function of ${own} lines, more than ${FUNCTION_LINES_MAX}: it is asking to be two`)
  if (isRoom && /^index\.\w+$/.test(posix.basename(path))) report(1, 'a barrel: import the file that defines the name')
  if (isRoom)
    for (const { line, text } of file.reexportsAll)
      report(line, `a barrel: everything of '${text}' is passed on; import the file that defines the name`)
  for (const { text, line } of file.imports) {
    const message = text === null ? computedImportProblem(path) : importProblem(path, text)
    if (message !== null) report(line, message)
  }
  if (PURE_ROOMS.includes(folder) && !isTest(path)) {
    for (const { text, line } of file.uses)
      if (IMPURE_USES.test(text))
        report(line, `${text} in ${folder}: clock, random and the outside world are arguments here`)
  }
  if (!isTest(path) && folder !== 'bench' && !SQL_WRITERS.some((place) => path.startsWith(place))) {
    for (const { text, line } of file.strings)
      if (SQL_WRITES.some((write) => write.test(text)))
        report(line, `[L1] a table is written here: only ${SQL_WRITERS.join(', ')} do that`)
  }
  return found
}

/** Pages get these files as they are: no library is beside them, and nothing resolves package names. */
const EVERYWHERE = 'core/everywhere/'

/** What runs there executes what a tree holds, whose names nobody knows here. */
const EXECUTE_TREES = 'verifiers/inside/'

function computedImportProblem(path: string): string | null {
  if (path.startsWith(EXECUTE_TREES)) return null
  return folderOf(path) in LAYERS && !isTest(path) ? 'a computed import escapes the layer check: name the module' : null
}

function importProblem(path: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return targetProblem(path, posix.join(posix.dirname(path), specifier), 'relative')
  if (specifier.startsWith('/') || specifier.startsWith('file:')) return `'${specifier}' exists on one machine only`
  if (isBuiltin(specifier)) return builtinProblem(path, specifier)
  if (isSdk(path, packageOf(specifier) ?? '')) return null
  return specifier.startsWith('@choiros/') ? targetProblem(path, specifier.slice('@choiros/'.length), 'package') : null
}

/** `target` is the imported file's path from the root. */
function targetProblem(path: string, target: string, by: 'relative' | 'package'): string | null {
  const from = folderOf(path)
  const to = folderOf(target)
  if (path.startsWith(EVERYWHERE) && !isTest(path) && !target.startsWith(EVERYWHERE))
    return `${EVERYWHERE} is served to pages alone: it needs nothing but itself`
  if (isTestFile(target) && !isTest(path)) return `${target} is a test: code that ships must not need it`
  if (from === to) return by === 'package' ? `inside ${from} import by relative path` : innerProblem(path, target)
  if (from in LAYERS && !(to in LAYERS)) return `${from} may not reach outside the rooms: ${target}`
  if (from in LAYERS && !LAYERS[from]!.some((part) => part === to || target.startsWith(`${part}/`)))
    return `${from} may import ${LAYERS[from]!.join(', ') || 'no other room'}, not ${to}`
  if (to in LAYERS && by === 'relative') return `another room is imported as '@choiros/${target}'`
  if (isAdapter(target) && !mayNameAdapters(path))
    return `only a main.ts names an adapter: take the interface from '@choiros/ports/${portOf(target)}/${portOf(target)}.ts'`
  return null
}

function innerProblem(path: string, target: string): string | null {
  const inner = INNER_LAYERS[folderOf(path)]
  const [from, to] = [innerFolderOf(path), innerFolderOf(target)]
  if (inner === undefined || from === to || to === null || isTest(path) || posix.basename(path) === 'main.ts')
    return null
  const room = folderOf(path)
  if (from === null)
    return `${path} lies beside the folders of ${room}: they may import it, so it may import none of them`
  const allowed = inner[from]
  if (allowed === undefined || !(to in inner))
    return `${room}/${allowed === undefined ? from : to}/ is not in INNER_LAYERS`
  return allowed.includes(to)
    ? null
    : `${room}/${from} may import ${allowed.join(', ') || 'no other folder of it'}, not ${to}`
}

function builtinProblem(path: string, specifier: string): string | null {
  if (!PURE_ROOMS.includes(folderOf(path)) || isTest(path)) return null
  return (PURE_BUILTINS[path] ?? []).includes(specifier)
    ? null
    : `${folderOf(path)} does no input or output: '${specifier}'`
}

/** Each missing package once per folder: one line in its package.json mends them all. */
function undeclaredPackages(files: readonly SourceFacts[], manifests: Manifests): Violation[] {
  const found = new Map<string, Violation>()
  for (const { path, imports } of files) {
    const folder = folderOf(path)
    for (const { text, line } of imports) {
      const name = text === null ? null : packageOf(text)
      if (name === null || isServed(path, name) || name === `@choiros/${folder}` || isDeclared(path, name, manifests))
        continue
      const manifest = posix.join(folder, 'package.json')
      const key = `${manifest} ${name}`
      if (!found.has(key)) found.set(key, { path, line, message: `'${name}' is not in ${manifest}` })
    }
  }
  return [...found.values()]
}

function packageOf(specifier: string): string | null {
  if (/^(\.|\/|file:)/.test(specifier) || isBuiltin(specifier)) return null
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/**
 * A room's code needs its own package.json, because it is installed alone; tests and tools run from the checkout and
 * see its packages.
 */
function isDeclared(path: string, name: string, manifests: Manifests): boolean {
  const folder = folderOf(path)
  const root = manifests['']
  const ofRoot = [...(root?.dependencies ?? []), ...(root?.devDependencies ?? [])].includes(name)
  const own = manifests[folder]
  if (folder in LAYERS)
    return (
      (own?.dependencies.includes(name) ?? false) ||
      (isTest(path) && ((own?.devDependencies.includes(name) ?? false) || ofRoot))
    )
  return (
    ofRoot ||
    Object.entries(manifests).some(
      ([room, { dependencies }]) => name === `@choiros/${room}` || dependencies.includes(name),
    )
  )
}

function manifestViolations(room: string, manifests: Manifests): Violation[] {
  const allowed = LAYERS[room]
  const { dependencies = [], devDependencies = [] } = manifests[room] ?? {}
  const others = [...dependencies, ...devDependencies]
    .filter((name) => name.startsWith('@choiros/'))
    .map((name) => name.slice('@choiros/'.length))
  const path = posix.join(room, 'package.json')
  return others
    .filter((other) => allowed !== undefined && !allowed.some((part) => folderOf(`${part}/`) === other))
    .map((other) => ({ path, line: 1, message: `${room} may not depend on ${other}` }))
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

/** The folder inside of a room, or null for what lies beside them. */
function innerFolderOf(path: string): string | null {
  const parts = path.split('/')
  return parts.length > 2 ? parts[1]! : null
}

function isTest(path: string): boolean {
  return folderOf(path) === 'tests' || isTestFile(path)
}

/** By its name: a test, a suite that several tests run, or a fake. */
function isTestFile(path: string): boolean {
  return /\.(test|suite|fake)\.\w+$/.test(path)
}

function portOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/**
 * A file in a port's folder that is not its interface; files beside the folders (`ports/storage-error.ts`) belong to
 * all.
 */
function isAdapter(path: string): boolean {
  return folderOf(path) === 'ports' && path.split('/').length > 2 && path !== `ports/${portOf(path)}/${portOf(path)}.ts`
}

function mayNameAdapters(path: string): boolean {
  return posix.basename(path) === 'main.ts' || isTest(path) || !(folderOf(path) in LAYERS)
}

/** The desktop's code sees the SDK where its sandbox mounts it, not where it is in this checkout. */
function isSdk(path: string, name: string): boolean {
  return folderOf(path) === 'desktop' && name === '@choiros/sdk'
}

/** Files that are mounted in a desktop's sandbox or sent to the frame's page are no packages there. */
function isServed(path: string, name: string): boolean {
  return (
    isSdk(path, name) ||
    (['@choiros/core', '@choiros/contract'].includes(name) &&
      (folderOf(path) === 'desktop' || /^control-plane\/(frame|first-script)\//.test(path)))
  )
}
