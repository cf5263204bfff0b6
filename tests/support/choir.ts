import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { CheckAnswer } from '@choiros/command-line/client.ts'
import { runCommandLine } from '@choiros/command-line/run.ts'
import { COMMANDS } from '@choiros/contract/commands.ts'
import { lendToolchain } from './shared-toolchain.ts'

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
export async function choir(
  home: string,
  args: readonly string[],
  input: Buffer | string = '',
  wrap: readonly string[] = [],
): Promise<Outcome> {
  const [program, ...before] = [...wrap, process.execPath]
  const child = spawn(program ?? process.execPath, [...before, MAIN, '--home', home, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const error: Buffer[] = []
  child.stdout.on('data', (data: Buffer) => out.push(data))
  child.stderr.on('data', (data: Buffer) => error.push(data))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return outcome(code, Buffer.concat(out), Buffer.concat(error))
}

/**
 * The same command line inside of this process: for questions about the state, where a process for every question would
 * cost more than the test.
 */
export async function choirHere(home: string, args: readonly string[], input: Buffer | string = ''): Promise<Outcome> {
  const stdout = gathering()
  const stderr = gathering()
  const isFine = await runCommandLine(['--home', home, ...args], {
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    checkAnswer,
  })
  return outcome(isFine ? 0 : 1, stdout.bytes(), stderr.bytes())
}

/** Every answer that a test gets is held against the contract. */
const checkAnswer: CheckAnswer = (command, result) => void COMMANDS[command].output.parse(result)

function gathering(): Writable & { bytes(): Buffer } {
  const pieces: Buffer[] = []
  const stream = new Writable({ write: (piece: Buffer, _encoding, done) => (pieces.push(piece), done()) })
  return Object.assign(stream, { bytes: () => Buffer.concat(pieces) })
}

function outcome(code: number | null, out: Buffer, error: Buffer): Outcome {
  return {
    code,
    out,
    text: out.toString('utf8'),
    error: error.toString('utf8'),
    json: () => JSON.parse(out.toString('utf8')),
  }
}

/** `npm start` without npm: the supervisor until it is stopped. */
export async function startSupervisor(
  home: string,
): Promise<{ pid: number; stop(signal?: NodeJS.Signals): Promise<number | null>; output(): string }> {
  await lendToolchain(home)
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
