import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../command-line/main.ts', import.meta.url))
const SUPERVISOR = fileURLToPath(new URL('../../supervisor/main.ts', import.meta.url))

export interface Outcome {
  readonly code: number | null
  readonly out: Buffer
  readonly text: string
  readonly error: string
  json(): unknown
}

/** The command line as a person runs it: a process of its own, with real standard streams. */
export async function choir(home: string, args: readonly string[], input: Buffer | string = '', wrap: readonly string[] = []): Promise<Outcome> {
  const [program, ...before] = [...wrap, process.execPath]
  const child = spawn(program ?? process.execPath, [...before, MAIN, '--home', home, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  const out: Buffer[] = []
  const error: Buffer[] = []
  child.stdout.on('data', (data: Buffer) => out.push(data))
  child.stderr.on('data', (data: Buffer) => error.push(data))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  const bytes = Buffer.concat(out)
  return {
    code,
    out: bytes,
    text: bytes.toString('utf8'),
    error: Buffer.concat(error).toString('utf8'),
    json: () => JSON.parse(bytes.toString('utf8')),
  }
}

/** `npm start` without npm: the supervisor until it is stopped. */
export async function startSupervisor(
  home: string,
): Promise<{ pid: number; stop(signal?: NodeJS.Signals): Promise<number | null>; output(): string }> {
  const child = spawn(process.execPath, [SUPERVISOR, '--home', home], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const ended = once(child, 'close') as Promise<[number | null]>
  await Promise.race([once(child.stdout, 'data'), ended])
  return {
    pid: child.pid ?? 0,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}
