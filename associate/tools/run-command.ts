import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AssociateResult } from '@choiros/contract/tasks.ts'

export interface CommandLimits {
  readonly wallClockMs: number
  readonly outputBytesMax: number
}

/** Something that a command has left behind may hold its output for ever: nobody waits for that. */
const GRACE_MS = 1000

/**
 * All that a command finds set, the same on every machine: without a PATH there is not even node, and what is set for
 * the agent is not for what it starts (L9).
 */
const ENVIRONMENT = {
  PATH: '/opt/choir:/usr/bin:/bin',
  HOME: '/home/choir',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  TMPDIR: '/tmp',
}

/** Those of some programs that a command finds here. */
export function programsHere(names: readonly string[]): string[] {
  const folders = ENVIRONMENT.PATH.split(':')
  return names.filter((name) => folders.some((folder) => existsSync(join(folder, name))))
}

/**
 * Runs one command until it ends or its time is up. It has a process group of its own, so that everything it started
 * ends with it. What has left that group lives on, but is not waited for.
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
      env: { ...ENVIRONMENT, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const output = createEnds(limits.outputBytesMax)
    let isLate = false
    let grace: NodeJS.Timeout | undefined
    child.stdout.on('data', output.add)
    child.stderr.on('data', output.add)
    const end = (exitCode: number | null, note: string) => {
      clearTimeout(clock)
      clearTimeout(grace)
      resolve({ command: [...command], exit_code: exitCode, log: withoutEmptyEnds(`${output.text()}${note}`) })
    }
    const close = (left: string) => {
      killGroup(child.pid) // Processes that the command left running must not outlive it.
      const { exitCode, signalCode } = child
      const why = isLate ? '\n(stopped: it took too long)' : signalCode === null ? '' : `\n(ended by ${signalCode})`
      end(exitCode, `${why}${left}`)
    }
    const closeSoon = () => {
      grace ??= setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
        close('\n(something that it started still held its output; what came later is not here)')
      }, GRACE_MS)
    }
    const clock = setTimeout(() => {
      isLate = true
      killGroup(child.pid)
      closeSoon()
    }, limits.wallClockMs)
    child.once('error', (error) => end(null, `\ncould not be started: ${error.message}`))
    child.once('exit', closeSoon)
    child.once('close', () => close(''))
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
