import { setTimeout as delay } from 'node:timers/promises'
import type { Question } from '@choiros/contract/events/talk.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { LookRequest, Seen } from '@choiros/contract/look.ts'
import type { ModelAnswer, ModelRequest } from '@choiros/contract/models.ts'
import type { SyscallInput, SyscallOutput, TaskOutcome, WorkOrder } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import { openSyscallSocket } from './syscall-socket.ts'

export interface Finish {
  readonly end: 'land' | 'answer' | 'discard'
  readonly summary: string
  readonly reply: string
  readonly offers: readonly string[]
  readonly checkpoint: string | null
  readonly windows: readonly { readonly app: string; readonly title: string }[]
}

/** What the Director may ask for while it works on a run. */
export interface DirectorHandlers {
  task(task: DirectorTask): Promise<TaskOutcome>
  together(tasks: readonly DirectorTask[]): Promise<TaskOutcome[]>
  read(what: Omit<SyscallInput<'tree.read'>, 'run'>): Promise<SyscallOutput<'tree.read'>>
  look(look: LookRequest): Promise<Seen>
  model(request: ModelRequest): Promise<ModelAnswer>
  question(questions: readonly Question[]): Promise<SyscallOutput<'question.ask'>>
  /** A note that is to last. */
  note(proposal: SyscallInput<'note.add'>): Promise<SyscallOutput<'note.add'>>
  /** Forgets what the person asked to forget; resolves with what that was. */
  obey(): Promise<string[]>
  /** What the person said since it was last asked for. */
  heard(): string[]
  /** What has changed for it meanwhile. */
  warnings(): string[]
  /** Ends the run as the Director says. Resolves with what was wrong where it may mend it, and it goes on. */
  finish(finish: Finish): Promise<string | null>
}

/**
 * The connection to one computer's Director. It waits in its sandbox, is given one piece of work at a time, and says
 * how that ends.
 */
export interface DirectorLine {
  /**
   * Resolves when the Director has said its last word and that was carried out. Rejects when the signal says so, when
   * the time that is left is over, or when the Director is gone.
   */
  work(order: WorkOrder, handlers: DirectorHandlers, signal: AbortSignal, leftMs: number): Promise<void>
  /** Starts it before it is needed. */
  warmUp(): void
  close(): Promise<void>
}

export interface DirectorLineOptions {
  readonly host: SandboxHost
  readonly name: string
  readonly socketFile: string
  readonly warn: (message: string, cause?: unknown) => void
  readonly silentMs?: number
  readonly restMs?: number
}

const POLL_MS = 25_000
const LONGEST_MS = 2 ** 31 - 60_000
/**
 * A Director waits in a call, or works for moments between two calls. If nothing is heard of it for this long, it
 * hangs.
 */
const SILENT_MS = 60_000
/**
 * A Director that nobody needs for this long is ended: it would hold 60 MiB for nothing, and starts in 0.3 s. It is
 * longer than the silence above, so that a Director that hangs is told of as such.
 */
const REST_MS = 90_000

interface Running {
  leave(): Promise<void>
}

interface Job {
  readonly order: WorkOrder
  readonly handlers: DirectorHandlers
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  given: boolean
  /** Its last word was said, or it was given up. */
  isOver: boolean
}

export function createDirectorLine({
  host,
  name,
  socketFile,
  warn,
  silentMs = SILENT_MS,
  restMs = REST_MS,
}: DirectorLineOptions): DirectorLine {
  let job: Job | null = null
  let wake: (() => void) | null = null
  let running: Promise<Running> | null = null
  let resting: NodeJS.Timeout | undefined
  let leaving: Promise<void> = Promise.resolve()

  /** `asker.gone`: a Director that died while it waited must not be handed the work that its successor waits for. */
  const next = async (asker: { gone: boolean }): Promise<SyscallOutput<'work.next'>> => {
    if (job?.given === true && !job.isOver)
      job.reject(new ChoirError('run.refused', 'the Director went on to other work without a last word'))
    if (job === null || job.given) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    if (asker.gone || job === null || job.given) return null
    job.given = true
    return job.order
  }
  const current = (run: string): Job => {
    if (job?.order.run !== run) throw new ChoirError('syscall.refused', 'this run is not being worked on')
    return job
  }

  const start = async (): Promise<Running> => {
    const asker = { gone: false }
    const silence = createSilence(silentMs)
    const socket = await openSyscallSocket(
      socketFile,
      'director',
      {
        'work.next': () => next(asker),
        'task.issue': ({ run, task }) => current(run).handlers.task(task),
        'tasks.issue': async ({ run, tasks }) => ({ outcomes: await current(run).handlers.together(tasks) }),
        'tree.read': ({ run, ...what }) => current(run).handlers.read(what),
        'tree.look': ({ run, look }) => current(run).handlers.look(look),
        'model.stream': (request) => {
          // A Director that still thinks about a stopped run must not use the budget of the next one.
          if (job === null || !job.given) throw new ChoirError('syscall.refused', 'there is no work to think about')
          return job.handlers.model(request)
        },
        'question.ask': ({ run, questions }) => current(run).handlers.question(questions),
        'note.add': (proposal) => current(proposal.run ?? '').handlers.note(proposal),
        'memory.obey': async ({ run }) => ({ forgot: await current(run).handlers.obey() }),
        'work.heard': async () =>
          job?.given === true
            ? { said: job.handlers.heard(), warnings: job.handlers.warnings() }
            : { said: [], warnings: [] },
        'work.finish': async ({ run, ...finish }) => {
          const own = current(run)
          try {
            const again = await own.handlers.finish(finish)
            if (again === null) own.resolve()
            return { again }
          } catch (error) {
            own.reject(error)
            throw error
          }
        },
      },
      warn,
      silence,
    )
    try {
      const sandbox = await host.create({ name, role: 'director', mounts: [], scratch: [], syscallSocket: socket.file })
      const ended = sandbox.exec({
        command: ['/opt/choir/node', '--max-semi-space-size=1', '/opt/choir/agents/director.mjs'],
        cwd: '/tmp',
        environment: {},
        wallClockMs: LONGEST_MS,
        outputBytesMax: 64 * 1024,
      })
      const gone = (why: string) => {
        if (asker.gone) return
        asker.gone = true
        silence.end()
        running = null
        socket.close()
        job?.reject(new ChoirError('sandbox.unavailable', `the Director stopped: ${why}`))
        void sandbox.kill()
      }
      silence.begin(() => {
        warn(`the Director ${name} hangs: nothing was heard of it for ${silentMs / 1000} s, so it is replaced`)
        gone('it hung')
      })
      ended.then(
        ({ output }) => gone(output.toString('utf8').trim().slice(-500) || 'it ended without a word'),
        () => gone('its sandbox is gone'),
      )
      return {
        async leave() {
          asker.gone = true // What is heard of its end concerns nobody any more, least of all its successor.
          silence.end()
          wake?.()
          socket.close()
          await sandbox.kill()
        },
      }
    } catch (error) {
      silence.end()
      socket.close()
      throw error
    }
  }
  /** The next one starts when this one has gone: they share a socket's name. */
  const leave = (): Promise<void> => {
    clearTimeout(resting)
    const now = running
    running = null
    leaving = leaving.then(async () => (await now?.catch(() => null))?.leave())
    return leaving
  }
  const restLater = () => {
    clearTimeout(resting)
    resting = setTimeout(() => job === null && void leave(), restMs).unref()
  }
  const ensure = () => {
    restLater()
    running ??= leaving.then(start).catch((error: unknown) => {
      running = null
      throw error
    })
    return running
  }

  return {
    warmUp: () => void ensure().catch(() => {}),
    async work(order, handlers, signal, leftMs) {
      await ensure()
      signal.throwIfAborted()
      const timeUp = new AbortController()
      try {
        return await new Promise<void>((resolve, reject) => {
          const over =
            <Arguments extends unknown[]>(settle: (...given: Arguments) => void) =>
            (...given: Arguments) => {
              if (job?.order === order) job.isOver = true
              settle(...given)
            }
          job = { order, handlers, resolve: over(resolve), reject: over(reject), given: false, isOver: false }
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
          delay(Math.max(1, leftMs), undefined, { signal: timeUp.signal }).then(
            () => reject(new ChoirError('run.refused', 'it took longer than a run may take in all')),
            () => {},
          )
          wake?.()
        })
      } finally {
        timeUp.abort()
        job = null
        restLater()
      }
    },
    async close() {
      wake?.()
      await leave()
      clearTimeout(resting)
    },
  }
}

/**
 * Counts only the time in which no call of the Director is being answered: the time of an answer is ours, a model's or
 * a person's.
 */
function createSilence(limitMs: number): {
  begin(tooLong: () => void): void
  end(): void
  called(): void
  answered(): void
} {
  let calls = 0
  let timer: NodeJS.Timeout | undefined
  let tell: (() => void) | null = null
  const listen = () => {
    clearTimeout(timer)
    if (tell !== null && calls === 0) timer = setTimeout(tell, limitMs)
  }
  return {
    begin(tooLong) {
      tell = tooLong
      listen()
    },
    end() {
      tell = null
      clearTimeout(timer)
    },
    called() {
      calls++
      clearTimeout(timer)
    },
    answered() {
      calls--
      listen()
    },
  }
}
