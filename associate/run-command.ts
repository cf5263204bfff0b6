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
): Promise<AssociateResult['commands_run'][number]> {
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const pieces: Buffer[] = []
    let left = limits.outputBytesMax
    let isCut = false
    let isLate = false
    const keep = (piece: Buffer) => {
      isCut ||= piece.length > left
      pieces.push(piece.subarray(0, left))
      left -= Math.min(left, piece.length)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const clock = setTimeout(() => {
      isLate = true
      killGroup(child.pid)
    }, limits.wallClockMs)
    const end = (exitCode: number | null, note: string) => {
      clearTimeout(clock)
      const output = Buffer.concat(pieces).toString('utf8').toWellFormed()
      resolve({
        command: [...command],
        exit_code: exitCode,
        log: `${output}${isCut ? '\n(the output was longer)' : ''}${note}`.trim(),
      })
    }
    child.once('error', (error) => end(null, `\ncould not be started: ${error.message}`))
    child.once('close', (exitCode, signal) => {
      killGroup(child.pid) // Processes that the command left running must not outlive it.
      end(exitCode, isLate ? '\n(stopped: it took too long)' : signal === null ? '' : `\n(ended by ${signal})`)
    })
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended by itself.
  }
}
