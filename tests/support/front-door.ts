import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { SMALL_HEAP } from '../../scripts/small-heap.mjs'
import { lendToolchain } from './shared-toolchain.ts'

const LAUNCH = fileURLToPath(new URL('../../scripts/launch.ts', import.meta.url))
const READY_MS = 60_000

export interface Running {
  readonly port: number
  readonly link: string
  output(): string
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * `npm start` on a free port, or on the one it had, until its sign-in link is printed. `environment`: on top of the
 * test's own.
 */
export async function startAll(
  home: string,
  environment: Readonly<Record<string, string>> = {},
  samePort?: number,
): Promise<Running> {
  await lendToolchain(home)
  const port = samePort ?? (await freePort())
  const child = spawn(process.execPath, [SMALL_HEAP, LAUNCH, '--home', home, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  let output = ''
  const ended = once(child, 'close') as Promise<[number | null]>
  const link = await new Promise<string>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`no link was printed: ${output}`)), READY_MS)
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data.toString()
        const found = /Sign in:\s+(\S+)/.exec(output)?.[1]
        if (found === undefined) return
        clearTimeout(limit)
        resolve(found)
      })
    }
    void ended.then(([code]) => reject(new Error(`it ended with ${code}: ${output}`)))
  })
  return {
    port,
    link,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export interface Asked {
  readonly host?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request as a browser, or any other program, would send it; the test chooses the host name. */
export function ask(
  port: number,
  path: string,
  { host = `localhost:${port}`, method = 'GET', headers = {}, body }: Asked = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (data: string) => (text += data))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
