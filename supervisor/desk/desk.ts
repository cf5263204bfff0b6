import type { Duplex } from 'node:stream'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ChoirError } from '@choiros/contract/error.ts'
import type { ComputerId } from '@choiros/contract/ids.ts'
import type { ExecSpec, Sandbox, SandboxHost, SandboxSpec } from '@choiros/ports/sandbox/sandbox.ts'
import { PLACES } from '../computer/places.ts'
import { askDesk, DESK_PORT, servesPage } from './desk-page.ts'
import type { Toolchain } from './toolchain.ts'

/**
 * Vite for one computer, in a sandbox of its own, on the read-only projected tree. It is started when someone looks,
 * and never twice at once (L13).
 */
export interface Desk {
  dial(): Promise<Duplex>
  /** From now on it shows this folder instead of the computer's own files; null: its own again. */
  serve(folder: string | null): Promise<void>
  /**
   * The same, if a fresh desk starts on the folder and its whole page can come up; else false, and something else must
   * be served.
   */
  tryServe(folder: string): Promise<boolean>
  close(): Promise<void>
}

/** Whose desk it is. `idle` resolves when the files on disk show everything that is in the log. */
interface DeskOf {
  readonly id: ComputerId
  readonly name: string
  readonly folder: string
  idle(): Promise<void>
}

const READY_MS = 20_000
const PROBE_MS = 5000
/** A fresh desk still has to transform everything. */
const PAGE_MS = 20_000
/** A desk that dies is started again at once, but not for ever. */
const STARTS_MAX = 5
const STARTS_WINDOW_MS = 60_000
/** The longest time a timer can run, less what the channel adds: in practice a desk ends only when it is told to. */
const LONGEST_MS = 2 ** 31 - 60_000
const MEBIBYTE = 1024 * 1024
/**
 * A running desk is asked now and then whether it still answers. Slow is not dead (L13): only a desk that stays silent
 * this often in a row is replaced.
 */
const WATCH_EVERY_MS = 10_000
const WATCH_MS = 10_000
const SILENT_MAX = 3

/**
 * Vite's own configuration comes from the toolchain, never from the tree, and so does everything that its Node
 * executes.
 */
export const VITE: ExecSpec = {
  command: [
    '/opt/choir/node',
    '--import=/opt/choir/toolchain/only-toolchain.mjs',
    '/node_modules/vite/bin/vite.js',
    '--config=/opt/choir/toolchain/vite.config.ts',
    '--configLoader=native',
  ],
  cwd: '/desk',
  environment: { NODE_ENV: 'development' },
  wallClockMs: LONGEST_MS,
  outputBytesMax: 256 * 1024,
}

/** All that a desk's sandbox sees. */
export function deskSpec(computer: ComputerId, tree: string, toolchain: Toolchain): SandboxSpec {
  return {
    name: `desk-${computer}`,
    role: 'desk',
    mounts: [
      { host: tree, guest: '/desk' },
      { host: join(toolchain.folder, 'node_modules'), guest: '/node_modules' },
    ],
    scratch: [{ guest: '/cache', bytesMax: 256 * MEBIBYTE }],
    syscallSocket: null,
  }
}

export interface DeskOptions {
  readonly host: SandboxHost
  readonly toolchain: Toolchain
  readonly computer: DeskOf
  readonly warn: (message: string) => void
  readonly watch?: { readonly everyMs: number; readonly answerMs: number }
}

export function createDesk({
  host,
  toolchain,
  computer,
  warn,
  watch = { everyMs: WATCH_EVERY_MS, answerMs: WATCH_MS },
}: DeskOptions): Desk {
  let running: Promise<Sandbox> | null = null
  let starts: number[] = []
  let shown: string | null = null
  let closed = false
  /** Sandboxes that end because they were told to. */
  const dismissed = new WeakSet<Sandbox>()

  const dismiss = async (desk: Promise<Sandbox> | null): Promise<void> => {
    const sandbox = (await desk?.catch(() => null)) ?? null
    if (sandbox === null) return
    dismissed.add(sandbox)
    await sandbox.kill()
  }

  const start = async (): Promise<Sandbox> => {
    starts = starts.filter((atMs) => Date.now() - atMs < STARTS_WINDOW_MS)
    if (starts.length >= STARTS_MAX)
      throw new ChoirError(
        'sandbox.unavailable',
        'the desktop keeps failing to start; it is tried again in a minute. The frame still offers undo.',
      )
    starts.push(Date.now())
    await computer.idle()
    if (closed) throw new ChoirError('supervisor.stopping', 'ChoirOS is stopping')
    const sandbox = await host.create(deskSpec(computer.id, shown ?? join(computer.folder, PLACES.tree), toolchain))
    const vite = sandbox.exec(VITE)
    void vite.then(
      ({ output }) => {
        if (!dismissed.has(sandbox)) warn(`the desk of ${computer.name} ended: ${output.toString('utf8').slice(-2000)}`)
        return sandbox.kill()
      },
      () => {},
    )
    await untilReady(sandbox)
    void replaceWhenSilent(sandbox)
    return sandbox
  }

  /** A loop in Vite, or in what it runs, would leave every page waiting for ever. */
  const replaceWhenSilent = async (sandbox: Sandbox): Promise<void> => {
    let ended = false
    void sandbox.ended.then(() => (ended = true))
    for (let silent = 0; silent < SILENT_MAX;) {
      await delay(watch.everyMs, undefined, { ref: false })
      if (ended) return
      silent = (await answers(sandbox, watch.answerMs)) ? 0 : silent + 1
    }
    if (ended) return
    warn(`the desk of ${computer.name} hangs and is replaced`)
    await dismiss(Promise.resolve(sandbox))
  }

  const ensure = (): Promise<Sandbox> => {
    if (running !== null) return running
    // A dial now would start a desk that nobody ends.
    if (closed) return Promise.reject(new ChoirError('supervisor.stopping', 'ChoirOS is stopping'))
    const starting = start()
    const forget = () => {
      if (running === starting) running = null
    }
    running = starting
    starting.then((sandbox) => void sandbox.ended.then(forget), forget)
    return starting
  }

  const serve = async (folder: string | null): Promise<void> => {
    shown = folder
    starts = []
    const before = running
    running = null
    await dismiss(before)
  }

  return {
    async dial() {
      return (await ensure()).dial(DESK_PORT)
    },
    serve,
    async tryServe(folder) {
      await serve(folder)
      try {
        return await servesPage(await ensure(), PAGE_MS)
      } catch (error) {
        if (error instanceof ChoirError && error.code === 'sandbox.unavailable') return false
        throw error
      }
    },
    async close() {
      closed = true
      await dismiss(running)
    },
  }
}

async function untilReady(sandbox: Sandbox): Promise<void> {
  let ended = false
  void sandbox.ended.then(() => (ended = true))
  const deadline = Date.now() + READY_MS
  while (!(await answers(sandbox))) {
    if (ended || Date.now() > deadline) {
      await sandbox.kill()
      throw new ChoirError('sandbox.unavailable', `the desktop did not start within ${READY_MS / 1000} s`)
    }
    await delay(30)
  }
}

/**
 * A whole answer, not only an open port: while it starts, Vite opens the port for a moment to see whether it is free.
 */
async function answers(sandbox: Sandbox, withinMs = PROBE_MS): Promise<boolean> {
  return (await askDesk(sandbox, '/@vite/client', withinMs)) !== null
}
