import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { COMMANDS, type InputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { WindowState } from '@choiros/contract/events/windows.ts'
import { inputError } from '@choiros/contract/issue.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { listAt, readTreeMap } from '@choiros/core/tree.ts'
import { z } from 'zod'
import { checkDesktopMay, EMPTY_COMPUTER, type Answers, type DesktopCommand } from './empty-computer.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Answers a page as its computer would, from a snapshot and in memory: files can be read and changed, windows opened
 * and closed. Nothing of it lasts, and there is nobody behind it to ask for more.
 */
export interface StandIn {
  /** Whether the request was one of a computer's. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** What the next page finds. */
  reset(snapshot: Snapshot, windows: readonly WindowState[]): void
  /** Opens a window in the page that is there. */
  open(window: WindowState): void
  close(window: string): void
}

const Asked = z.object({ command: z.string(), input: z.unknown() })

export function createStandIn(): StandIn {
  let snapshot: Snapshot | null = null
  let windows: WindowState[] = []
  let seq = 1
  const sockets = new Set<WebSocket>()
  const server = new WebSocketServer({ noServer: true })

  const now = (): Snapshot => {
    if (snapshot === null) throw new ChoirError('supervisor.stopping', 'there is no computer to look at yet')
    return snapshot
  }
  const tell = (type: string, data: object): number => {
    const event = { seq: ++seq, type, data, time: Date.now(), run: null, source: 'user', via: 'desktop' }
    for (const socket of sockets) socket.send(JSON.stringify(event))
    return seq
  }
  const openWindow = (opened: InputOf<'window.open'>): number => {
    windows = [...windows.filter(({ window }) => window !== opened.window), { ...opened, wide: null, narrow: null }]
    return tell('window.open', opened)
  }
  const closeWindow = (closed: string): number => {
    windows = windows.filter(({ window }) => window !== closed)
    return tell('window.close', { window: closed })
  }

  const commands: Answers<DesktopCommand> = {
    ...EMPTY_COMPUTER,
    'tree': () => ({ seq, hash: now().hash(), files: Object.fromEntries(now().entries()) }),
    'files.list': ({ path }) =>
      [...listAt(readTreeMap(now().entries()), path)].map(([found, entry]) => ({ path: found, entry, seq: 1 })),
    'files.stat': ({ path }) => ({ entry: now().entries().get(path) ?? null }),
    'files.change'({ operations }) {
      const { changes, written } = now().change(operations)
      const told = changes.length === 0 ? null : tell('file.change', { changes, manifest: null })
      return { seq: told, changes: changes.length, written }
    },
    'window.list': () => windows,
    'window.open': (opened) => ({ seq: openWindow(opened) }),
    'window.close': ({ window }) => ({ seq: closeWindow(window) }),
    'window.settle'({ window, device, geometry }) {
      windows = windows.map((one) => (one.window === window ? { ...one, [device]: geometry } : one))
      return { seq: tell('window.settle', { window, device, geometry }) }
    },
  }

  const runCommand = (body: string): object => {
    try {
      const { command, input } = Asked.parse(JSON.parse(body))
      checkDesktopMay(command)
      const parsed = COMMANDS[command].input.safeParse(input, { reportInput: true })
      if (!parsed.success) throw inputError(parsed.error, command)
      // Each name is paired with its own input; once it is looked up, TypeScript can no longer see that.
      return { result: (commands[command] as (given: unknown) => unknown)(parsed.data) }
    } catch (error) {
      const code = error instanceof ChoirError ? error.code : 'request.invalid'
      const details = error instanceof ChoirError ? error.details : {}
      return { error: { code, message: error instanceof Error ? error.message : String(error), details } }
    }
  }
  const sendFile = (path: string, response: ServerResponse): void => {
    const bytes = snapshot?.bytes(path) ?? null
    response.writeHead(bytes === null ? 404 : 200, { 'content-type': typeOf(path) }).end(bytes ?? '')
  }
  const answerTo = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    if (url.pathname === '/choir/file') return sendFile(url.searchParams.get('path') ?? '', response)
    const body = await bodyOf(request)
    const answered =
      url.pathname === '/choir/command'
        ? runCommand(body.toString('utf8'))
        : url.pathname === '/choir/object'
          ? stored(now().store(body))
          : {}
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
  }

  return {
    answer(request, response) {
      const url = new URL(request.url ?? '/', 'http://computer')
      if (!url.pathname.startsWith('/choir/')) return false
      answerTo(request, response, url).catch(() => response.destroy())
      return true
    },
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (opened) => {
        sockets.add(opened)
        opened.once('close', () => sockets.delete(opened))
      })
    },
    reset(next, open) {
      snapshot = next
      windows = [...open]
      seq = 1
      for (const socket of sockets) socket.terminate()
    },
    open: ({ window, app, title }) => void openWindow({ window, app, title }),
    close: (window) => void closeWindow(window),
  }
}

function stored({ object, size }: { object: string; size: number }): { hash: string; size: number } {
  return { hash: object, size }
}

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
}

function typeOf(path: string): string {
  return TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8'
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    bytes += (piece as Buffer).length
    if (bytes > LIMITS.commandBytesMax) throw new Error('the body is too long')
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces)
}
