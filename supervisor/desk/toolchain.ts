import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { sha256Stream } from '@choiros/contract/canonical.ts'
import { assert } from '@choiros/contract/error.ts'
import { VERIFIERS } from '@choiros/core/verifier-plan.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'
import { checkFiles, checkRoom, DISK_RESERVE_BYTES, roomAt } from '../computer/room.ts'

/**
 * What is mounted read-only into every sandbox: Node, the guest agent, Vite and the packages a desktop may import, and
 * the SDK. It is a copy in the home, never the checkout itself: a sandbox must not see the code that confines it.
 */
export interface Toolchain {
  readonly folder: string
}

/**
 * The programs that run inside, each as one file of plain JavaScript: inside there is no folder to resolve imports
 * from, and stripping types at every start would take longer than the start itself.
 */
export const PROGRAMS = [
  ...['guest', 'director', 'associate', 'eyes'].map((agent) => ({
    entry: `${agent}/main.ts`,
    file: `agents/${agent}.mjs`,
  })),
  ...VERIFIERS.map((verifier) => ({
    entry: `verifiers/${verifier}.ts`,
    file: `verify/${verifier}.mjs`,
  })),
  // Started by verifiers, in processes of their own: they execute the tree's code.
  ...['render', 'test'].map((inside) => ({
    entry: `verifiers/inside/${inside}.ts`,
    file: `verify/inside/${inside}.mjs`,
  })),
]
/** Folders of the checkout that the toolchain is made from, or made by. */
const SOURCES = [
  'supervisor/desk',
  'guest',
  'director',
  'associate',
  'verifiers',
  'eyes',
  'core',
  'contract',
  'desktop/sdk',
  'desktop/toolchain',
  'desktop/parts',
]

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: z.record(z.string(), z.string()).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
      link: z.boolean().optional(),
    }),
  ),
})

export async function prepareToolchain(checkout: string, home: string): Promise<Toolchain> {
  const root = join(home, 'toolchain')
  mkdirSync(root, { recursive: true, mode: 0o755 })
  const folder = join(root, hashOf(checkout).slice(0, 32))
  // This process holds the home alone, and the sandboxes of an earlier supervisor ended with it: nobody uses another
  // toolchain.
  for (const name of readdirSync(root))
    if (join(root, name) !== folder) rmSync(join(root, name), { recursive: true, force: true, maxRetries: 5 })
  if (existsSync(folder)) return { folder }
  // The pid tells it from one that a killed supervisor was still making.
  const making = `${folder}.${process.pid}.new`
  try {
    checkToolchainRoom(checkout, root)
    await makeToolchain(checkout, making)
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    throw toStorageError(error, 'making the toolchain')
  }
  return { folder }
}

/** The room for the bundled programs, which cannot be measured before they are made. */
const PROGRAMS_BYTES = 16 * 1024 * 1024

/** Before the first byte: a copy that fails half-way would have taken the last room from the computers in this home. */
function checkToolchainRoom(checkout: string, root: string): void {
  const parts = [
    process.execPath,
    ...['sdk', 'toolchain', 'parts'].map((part) => join(checkout, 'desktop', part)),
    ...packagesOf(checkout, ['desktop', 'verifiers']).map((name) => join(checkout, 'node_modules', name)),
  ]
  const needed = parts
    .map(sizeOf)
    .reduce((sum, { bytes, files }) => ({ bytes: sum.bytes + bytes, files: sum.files + files }))
  const room = roomAt(root)
  checkRoom(room.bytes, needed.bytes + PROGRAMS_BYTES, DISK_RESERVE_BYTES)
  checkFiles(room.files, needed.files + PROGRAMS.length)
}

/** As a disk counts it, in whole blocks. */
function sizeOf(path: string): { bytes: number; files: number } {
  const stat = statSync(path)
  if (!stat.isDirectory()) return { bytes: Math.ceil(stat.size / BLOCK_BYTES) * BLOCK_BYTES, files: 1 }
  let [bytes, files] = [BLOCK_BYTES, 1]
  for (const name of readdirSync(path)) {
    const inside = sizeOf(join(path, name))
    bytes += inside.bytes
    files += inside.files
  }
  return { bytes, files }
}

const BLOCK_BYTES = 4096

/** How the making ended: null where it went well. */
export interface Making {
  readonly failure: { readonly message: string; readonly code?: string } | null
}

const MAKER = fileURLToPath(new URL('make-toolchain.ts', import.meta.url))
/** The only variables that the maker gets: a key must not go where it is not used. */
const MAKER_ENVIRONMENT = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE']

async function makeToolchain(checkout: string, making: string): Promise<void> {
  const env = Object.fromEntries(
    MAKER_ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
  const maker = fork(MAKER, [checkout, making], {
    env,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let made: Making = { failure: { message: 'whoever makes it was ended' } }
  maker.on('message', (message) => (made = message as Making))
  await once(maker, 'exit')
  if (made.failure !== null) throw Object.assign(new Error(made.failure.message), made.failure)
}

/** Names the toolchain by everything that goes into it, so that a new release makes a new one. */
function hashOf(checkout: string): string {
  const digest = sha256Stream()
  digest.update(Buffer.from(process.version))
  digest.update(readFileSync(join(checkout, 'package-lock.json')))
  for (const part of SOURCES) {
    const folder = join(checkout, part)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (name.startsWith('node_modules/') || name.endsWith('.test.ts') || !statSync(join(folder, name)).isFile())
        continue
      digest.update(Buffer.from(`${part}/${name}\0`))
      digest.update(readFileSync(join(folder, name)))
    }
  }
  return digest.digest()
}

/**
 * Every package that these folders of the checkout need, with what those packages need, by the lockfile. Our own
 * packages are bundled.
 */
export function packagesOf(checkout: string, rooms: readonly string[]): string[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')))
  const found = new Set<string>()
  const queue = rooms.map((room) => packages[room])
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const name of Object.keys({ ...next.dependencies, ...next.optionalDependencies })) {
      const path = `node_modules/${name}`
      // Optional packages for other machines are not installed.
      if (found.has(name) || name.startsWith('@choiros/') || !existsSync(join(checkout, path))) continue
      found.add(name)
      const entry = packages[path]
      assert(entry !== undefined, `${name} is installed but not in the lockfile`)
      queue.push(entry)
    }
  }
  return [...found]
}
