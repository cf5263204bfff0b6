import { spawn } from 'node:child_process'
import type { AssociateResult } from '@choiros/contract/tasks.ts'

export interface CommandLimits {
  readonly wallClockMs: number
  readonly outputBytesMax: number
}

/**
 * Runs one command until it ends or its time is up. It has a process group of its own, so that everything it started
 * ends with it.
 */
export function runCommand(
  command: readonly string[],
  folder: string,
  limits: CommandLimits,
  environment: Readonly<Record<string, string>> = {},
): Promise<AssociateResult['commands_run'][number]> {
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const output = createEnds(limits.outputBytesMax)
    let isLate = false
    child.stdout.on('data', output.add)
    child.stderr.on('data', output.add)
    const clock = setTimeout(() => {
      isLate = true
      killGroup(child.pid)
    }, limits.wallClockMs)
    const end = (exitCode: number | null, note: string) => {
      clearTimeout(clock)
      resolve({ command: [...command], exit_code: exitCode, log: withoutEmptyEnds(`${output.text()}${note}`) })
    }
    child.once('error', (error) => end(null, `\ncould not be started: ${error.message}`))
    child.once('close', (exitCode, signal) => {
      killGroup(child.pid) // Processes that the command left running must not outlive it.
      end(exitCode, isLate ? '\n(stopped: it took too long)' : signal === null ? '' : `\n(ended by ${signal})`)
    })
  })
}

/** Keeps the beginning and the end of an output, half of the limit each: errors stand at either. */
function createEnds(bytesMax: number): { add(piece: Buffer): void; text(): string } {
  const half = Math.floor(bytesMax / 2)
  const head: Buffer[] = []
  let tail: Buffer[] = []
  let headBytes = 0
  let tailBytes = 0
  let leftOut = 0
  const add = (piece: Buffer) => {
    const first = piece.subarray(0, half - headBytes)
    headBytes += first.length
    if (first.length > 0) head.push(first)
    const rest = piece.subarray(first.length)
    if (rest.length === 0) return
    tail.push(rest)
    tailBytes += rest.length
    if (tailBytes <= 2 * half) return
    const whole = Buffer.concat(tail)
    leftOut += whole.length - half
    tail = [whole.subarray(-half)]
    tailBytes = half
  }
  return {
    add,
    text() {
      const last = Buffer.concat(tail).subarray(-half)
      const missing = leftOut + tailBytes - last.length
      const words = missing === 0 ? '' : `\n(… ${missing} bytes are left out here …)\n`
      const texts = missing === 0 ? [Buffer.concat([...head, last])] : [Buffer.concat(head), Buffer.from(words), last]
      return texts.map((part) => part.toString('utf8').toWellFormed()).join('')
    },
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended by itself.
  }
}

/** The first line keeps its indentation: it may be the text that an edit will look for. */
function withoutEmptyEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}
