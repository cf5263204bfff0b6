import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Traced {
  readonly code: number | null
  readonly lines: string[]
  readonly error: string
  readonly calls: Call[]
}

/** One finished system call: its name, its file, and its result. */
export interface Call {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly failed: boolean
}

/**
 * Runs a TypeScript file under strace. The thread pool has one thread, so that the n-th call is the same one in every
 * run.
 */
export async function trace(
  folder: string,
  script: string,
  args: readonly string[],
  options: readonly string[],
): Promise<Traced> {
  const log = join(folder, 'strace.log')
  const child = spawn('strace', ['-f', '-y', '-s', '70000', '-o', log, ...options, process.execPath, script, ...args], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let error = ''
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (error += data.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return {
    code,
    error,
    lines: out.split('\n').filter((line) => line !== ''),
    calls: readCalls(readFileSync(log, 'utf8')),
  }
}

/** Calls in the order in which they finished: one that another thread interrupted counts where it was resumed. */
function readCalls(log: string): Call[] {
  const begun = new Map<string, string>()
  const calls: Call[] = []
  for (const line of log.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (rest.endsWith('<unfinished ...>')) {
      begun.set(thread, rest)
      continue
    }
    const whole = rest.startsWith('<... ') ? `${begun.get(thread) ?? ''}${rest}` : rest
    const [, name] = /^(\w+)\(/.exec(whole) ?? []
    if (name === undefined) continue
    const file = /^\w+\((?:\d+<([^>]*)>|"([^"]*)", "([^"]*)")/.exec(whole)
    calls.push({ name, file: file?.[1] ?? file?.[3] ?? '', text: whole, failed: / = -1 /.test(rest) })
  }
  return calls
}
