import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import type { z } from 'zod'

/** How a process that executed the tree's code ended, and what it reported about it. */
export interface ChildEnd<Line> {
  readonly lines: readonly Line[]
  /** The last that it wrote, for a person: never read for a verdict. */
  readonly said: string
  readonly exitCode: number | null
  readonly isLate: boolean
}

export interface ChildOptions<Line> {
  /** One of ours, below /opt/choir/verify. It is told the secret, and executes the tree's code. */
  readonly program: string
  readonly args: readonly string[]
  /** Folders that it may read beside the toolchain. */
  readonly readable: readonly string[]
  readonly line: z.ZodType<Line>
  readonly wallClockMs: number
}

const LINES_MAX = 2000
const REPORT_BYTES_MAX = 1024 * 1024
const SAID_BYTES_MAX = 4096

/**
 * Executes the tree's code in a process of its own, so that nothing it writes stands in a verdict's place: what it
 * prints is collected apart, and only lines on another pipe that begin with a secret count, which our program there
 * reads before the tree's first module runs and keeps to itself. Node's permissions keep that code from the files of
 * other processes (where ChoirOS has no user of its own for each sandbox, /proc/…/fd/1 of this one could be opened),
 * from further processes, and from the inspector, which could read the secret. All the same it runs beside our program:
 * what is reported is that code's own word, and no receipt calls it more.
 */
export function runChild<Line>(options: ChildOptions<Line>): Promise<ChildEnd<Line>> {
  const { program, args, readable, line, wallClockMs } = options
  const secret = randomBytes(24).toString('hex')
  const allowed = ['/opt/choir', '/node_modules', ...readable].map((path) => `--allow-fs-read=${path}`)
  const child = spawn(
    process.execPath,
    [
      '--permission',
      ...allowed,
      '--enable-source-maps',
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
      program,
      ...args,
    ],
    { env: { NODE_ENV: 'development' }, cwd: '/', stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] },
  )
  const said = keepEnd(child.stdout as Readable, child.stderr as Readable)
  const report = keepStart(child.stdio[3] as Readable)
  ;(child.stdio[4] as Writable).on('error', () => {}).end(secret)
  let isLate = false
  const clock = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, wallClockMs)
  return new Promise((resolve) => {
    const end = (exitCode: number | null) => {
      clearTimeout(clock)
      resolve({ lines: linesIn(report(), secret, line), said: said(), exitCode, isLate })
    }
    child.once('error', () => end(null))
    child.once('close', end)
  })
}

function linesIn<Line>(text: string, secret: string, line: z.ZodType<Line>): Line[] {
  return text
    .split('\n')
    .filter((one) => one.startsWith(secret))
    .slice(0, LINES_MAX)
    .flatMap((one) => {
      try {
        return [line.parse(JSON.parse(one.slice(secret.length)))]
      } catch {
        return []
      }
    })
}

function keepStart(stream: Readable): () => string {
  const pieces: Buffer[] = []
  let left = REPORT_BYTES_MAX
  stream.on('data', (data: Buffer) => {
    const part = data.subarray(0, left)
    left -= part.length
    if (part.length > 0) pieces.push(part)
  })
  return () => Buffer.concat(pieces).toString('utf8')
}

function keepEnd(...streams: readonly Readable[]): () => string {
  let end = Buffer.alloc(0)
  for (const stream of streams)
    stream.on('data', (data: Buffer) => {
      end = Buffer.from(Buffer.concat([end, data]).subarray(-SAID_BYTES_MAX))
    })
  return () => end.toString('utf8').toWellFormed()
}
