import { spawn } from 'node:child_process'
import type { ServerHttp2Stream } from 'node:http2'
import { frame, readAll } from './frames.ts'

interface ExecRequest {
  readonly command: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly wallClockMs: number
  readonly outputBytesMax: number
}

/**
 * Runs one command in a process group of its own. When the time is up or the host hangs up, the whole group is killed.
 */
export async function exec(stream: ServerHttp2Stream): Promise<void> {
  const { command, cwd, environment, wallClockMs, outputBytesMax } = JSON.parse(
    (await readAll(stream)).toString('utf8'),
  ) as ExecRequest
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const killGroup = () => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group has already ended by itself.
    }
  }
  let timedOut = false
  const clock = setTimeout(() => {
    timedOut = true
    killGroup()
  }, wallClockMs)
  stream.on('close', killGroup)
  stream.respond({ ':status': 200 })

  let left = outputBytesMax
  let truncated = false
  const send = (data: Buffer) => {
    const part = data.subarray(0, left)
    truncated ||= part.length < data.length
    left -= part.length
    if (part.length > 0 && !stream.destroyed) stream.write(frame('o', part))
  }
  child.stdout.on('data', send)
  child.stderr.on('data', send)
  const end = (result: Record<string, unknown>) => {
    clearTimeout(clock)
    if (!stream.destroyed) stream.end(frame('e', Buffer.from(JSON.stringify(result))))
  }
  child.once('error', (error) => end({ end: 'exited', exitCode: 127, truncated, error: error.message }))
  child.once('close', (exitCode, signal) =>
    end({ end: timedOut ? 'timed-out' : signal === null ? 'exited' : 'killed', exitCode, truncated }),
  )
}
