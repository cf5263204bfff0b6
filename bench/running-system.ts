import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import { createServer, type ViteDevServer } from 'vite'
import react from '@vitejs/plugin-react'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { startAll, type Running } from '../tests/support/front-door.ts'

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))

/** The whole product as `npm start` gives it, and a connection to it as the command line has. */
export async function startSystem(home: string): Promise<{ running: Running; client: Client; close(): Promise<void> }> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const running = await startAll(home)
  const connection = await connect(home)
  const client = createClient(connection, { user: null, computer: null, progress: () => {} })
  return {
    running,
    client,
    async close() {
      await connection.close()
      await running.stop()
    },
  }
}

/**
 * The same desktop served by plain Vite: no log, no sandbox, no gateway. It has no computer behind it, and works
 * without one.
 */
export async function startPlainVite(folder: string): Promise<{ server: ViteDevServer; app: string; url: string }> {
  const app = join(folder, 'app')
  for (const part of ['index.html', 'main.tsx', 'shell', 'apps'])
    cpSync(join(CHECKOUT, 'desktop', part), join(app, part), { recursive: true })
  symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'))
  const server = await createServer({
    configFile: false,
    root: app,
    cacheDir: join(folder, 'cache'),
    plugins: [react()],
    resolve: { alias: { '@choiros/sdk': join(CHECKOUT, 'desktop/sdk') } },
    server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
    logLevel: 'silent',
  })
  const watching = new Promise<void>((ready) => server.watcher.once('ready', ready))
  await server.listen()
  await watching // Vite does not notice changes made before this.
  return { server, app, url: server.resolvedUrls?.local[0] ?? '' }
}

/** A process and everything it started. */
export function processesBelow(root: number): { pid: number; command: string }[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = /^PPid:\s+(\d+)$/m.exec(tryRead(`/proc/${name}/status`))?.[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const isBelow = (pid: number): boolean => pid === root || (parents.has(pid) && isBelow(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(isBelow).map((pid) => ({ pid, command: commandOf(pid) }))
}

/** The memory that a process holds alone, and its share of the memory that it holds with others. */
export function ownMebibytes(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(tryRead(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024
}

/** The memory of a process and of everything it started. */
export function proportionalMebibytes(root: number): number {
  return processesBelow(root).reduce((sum, { pid }) => sum + ownMebibytes(pid), 0)
}

/** Processes whose command line contains a text. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(Number(name)).includes(text))
    .map(Number)
}

function commandOf(pid: number): string {
  return tryRead(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // It ended while we looked.
  }
}
