import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * One process of ChoirOS, kept running. If it dies it is started again, with a longer wait each time; if it was told to
 * end (exit code 0), everything ends. A child notices by its standard input that we are gone, however we ended, and
 * ends in order: kill -9 of the launcher leaves no process behind.
 */
export interface Part {
  /** False: it could not be started at all, and said why. */
  start(): Promise<boolean>
  /** Writes a word to its standard input. */
  tell(word: string): void
  end(): Promise<void>
}

export interface PartOptions {
  readonly name: string
  readonly command: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly say: (line: string) => void
  /** Called when it runs again after it had died. */
  readonly returned: () => void
  /** Called when someone else told it to end. */
  readonly dismissed: () => void
}

const BACKOFF_MS = [200, 500, 1000, 2000, 5000, 10_000, 30_000]
/** A process that lived this long before it died starts again with the shortest wait. */
const HEALTHY_MS = 60_000
/** A process that ends in order finishes its work first; only one that hangs is not waited for. */
const END_MS = 60_000

export function createPart({ name, command, environment, say, returned, dismissed }: PartOptions): Part {
  let child: ChildProcess | null = null
  let ending = false
  let deaths = 0

  /** Started in a group of its own: Ctrl-C reaches only the launcher, which ends the parts in order. */
  const launch = async (): Promise<boolean> => {
    const [program = '', ...args] = command
    const own = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true, env: environment })
    child = own
    const startedMs = Date.now()
    own.stdin.on('error', () => {}) // It may be gone before it is told.
    const ready = once(own.stdout, 'data').then(() => true)
    const ended = once(own, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    const isReady = await Promise.race([ready, ended.then(() => false)])
    if (!isReady) return false
    own.stdout.on('data', (data: Buffer) => process.stdout.write(data))
    void ended.then(async ([code, signal]) => {
      if (ending) return
      if (code === 0) {
        say(`${name} was told to end, so ChoirOS ends`)
        dismissed()
        return
      }
      deaths = Date.now() - startedMs > HEALTHY_MS ? 0 : deaths
      say(`${name} ended (${signal === null ? `exit code ${code}` : signal}); starting it again`)
      await again()
    })
    return true
  }
  const again = async (): Promise<void> => {
    for (;;) {
      await delay(BACKOFF_MS[Math.min(deaths++, BACKOFF_MS.length - 1)])
      if (ending) return
      if (await launch()) break
      if (ending) return
      say(`${name} could not be started; trying again`)
    }
    say(`${name} is running again`)
    returned()
  }

  return {
    start: launch,
    tell: (word) => void child?.stdin?.write(`${word}\n`),
    async end() {
      ending = true
      const own = child
      if (own === null || own.exitCode !== null || own.signalCode !== null) return
      own.kill('SIGTERM')
      const gone = once(own, 'exit')
      const slow = new AbortController()
      void delay(END_MS, undefined, { signal: slow.signal }).then(
        () => own.kill('SIGKILL'),
        () => {},
      )
      await gone
      slow.abort()
    },
  }
}
