import { setTimeout as delay } from 'node:timers/promises'
import { Message, type Wish } from '@choiros/contract/events/talk.ts'
import type { RunMood } from '@choiros/contract/policy.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import { assert, ChoirError, hasCode } from '@choiros/contract/error.ts'
import type { Draft } from '@choiros/contract/event.ts'
import { labelFrom, RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { asksToGoOn } from '@choiros/core/go-on.ts'
import { isWithdrawal } from '@choiros/core/recipes/withdraw.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import { clearWorkPlaces } from '../computer/places.ts'
import { openRunDrafts } from '../computer/run-drafts.ts'
import type { ModelGateway } from '../models/model-gateway.ts'
import { createApprovals, type Approvals } from './approvals.ts'
import { createExecutor, type Wanted } from './execute.ts'
import { createHealthWatch, type HealthWatch } from './health.ts'
import type { BeforeLanding } from './land.ts'
import { createLiveText, type LiveText } from './live-text.ts'
import { answersIn, dayOf } from './next-sentence.ts'
import { createQuestions, type Questions } from './questions.ts'
import { createRunEnds, Stopped } from './run-ends.ts'
import { RUN_CLOCKS, type RunAtWork, type RunClocks } from './run.ts'
import { startMood } from './start-mood.ts'
import type { Workshop } from './workshop.ts'

/** Who says it, and through which program. */
type By = Pick<Draft, 'user' | 'source' | 'via'>

/** The runs of one computer: asked for, worked on one at a time in order, ended in exactly one way each (L4). */
export interface Runs {
  readonly health: HealthWatch
  readonly live: LiveText
  readonly approvals: Approvals
  /** The mood of the run at work, or the one that the next would begin with. */
  mood(): RunMood
  /** Whether there is a model that could be asked. */
  canThink(): boolean
  /** Called when someone looks: starts the Director before it is asked for anything. */
  warmUp(): void
  prompt(by: By, text: string, wishes: readonly Wish[]): Promise<RunView>
  /** Tells the run at work more. */
  steer(by: By, run: RunId, text: string): Promise<RunView>
  /** Asks for the same again, beginning with what the run has left behind. */
  goOn(by: By, run: RunId): Promise<RunView>
  /** Forgets what a run has left behind. */
  drop(run: RunId): Promise<RunView>
  answer(by: By, run: RunId, question: string, answers: readonly string[]): Promise<RunView>
  /** Stops one run, or the run at work and all that wait. */
  stop(run: RunId | null): Promise<RunId[]>
  /** Resolves when everything asked for so far has ended. */
  idle(): Promise<void>
  close(): Promise<void>
}

export interface RunsOptions {
  readonly computer: Computer
  readonly machine: Machine
  readonly models: ModelGateway
  readonly workshop: () => Promise<Workshop>
  readonly enterSafeMode: (why: string) => Promise<void>
  readonly isSafe: () => boolean
  readonly beforeLanding: BeforeLanding
  /** How long a question waits for its answer. */
  readonly patienceMs?: number
  readonly clocks?: Partial<RunClocks>
}

export function createRuns({
  computer,
  machine,
  models,
  workshop,
  enterSafeMode,
  isSafe,
  beforeLanding,
  patienceMs,
  clocks = {},
}: RunsOptions): Runs {
  const { queries } = computer
  const live = createLiveText()
  const questions = createQuestions(computer, machine, patienceMs)
  const approvals = createApprovals(computer, machine, patienceMs)
  const ends = createRunEnds(computer, machine)
  const isAtWork = (run: RunId) => queue.current()?.run === run
  const health = createHealthWatch({ computer, machine, enterSafeMode, isAtWork, isSafe, explain: ends.note })
  const drafts = openRunDrafts(computer)
  const executor = createExecutor({
    computer,
    machine,
    models,
    workshop,
    beforeLanding,
    health,
    live,
    questions,
    approvals,
    ends,
    drafts,
    clocks: { ...RUN_CLOCKS, ...clocks },
  })
  const queue = createQueue(computer, machine, executor.execute)

  const view = (run: RunId): RunView => {
    const found = queries.run(run)
    assert(found !== null, 'a run that was asked for is in the tables')
    return found
  }
  /** The newest run, if it has left something that can be gone on with. */
  const leftLast = (): RunView | null => {
    const [newest] = queries.runs(1)
    return newest?.draft == null || drafts.read(newest.run) === null ? null : newest
  }
  const stopOne = async (run: RunId): Promise<boolean> => {
    // A run that lands in this very moment has landed: to say that it was stopped would be a lie.
    const why = new Stopped('stopped by you', 'person')
    if ((await ends.cancel(run, why)) === null) return false
    queue.dropped(run, why)
    return true
  }
  const begin = async (by: By, text: string, wanted: Wanted): Promise<RunId> => {
    const run = RunId.parse(labelFrom(machine.randomBytes(16)))
    await computer.append(({ state }) => {
      if (state.openRuns().length > LIMITS.runsQueuedMax)
        throw new ChoirError(
          'rate.limited',
          `${LIMITS.runsQueuedMax} wishes are waiting already. Wait until some are done, or press Stop.`,
        )
      queue.expect(run, wanted)
      return { draft: messageDraft(by, run, text, wanted.wishes) }
    })
    machine.reached('run.prompt.after')
    queue.schedule()
    return run
  }
  const hear = createEar({
    questions,
    stopOne,
    openRuns: queries.openRuns,
    now: machine.now,
    isConfigured: models.isConfigured,
  })

  return {
    health,
    live,
    approvals,
    mood: () => queue.current()?.at?.policy.mood() ?? startMood(queries, null, {}),
    canThink: models.isConfigured,
    warmUp: () => void (queue.isClosed() || executor.warmUp()),
    async prompt(by, text, wishes) {
      const heard = await hear(by, text, wishes)
      if (heard !== null) return view(heard)
      const left = wishes.length === 0 && asksToGoOn(text) && models.isConfigured() ? leftLast() : null
      return view(await begin(by, left?.text ?? text, { wishes, continues: left?.run ?? null }))
    },
    async goOn(by, run) {
      const before = queries.run(run)
      if (before?.draft == null || drafts.read(run) === null) {
        if (before !== null) await drafts.drop(run)
        throw new ChoirError('run.unknown', 'nothing is left of that run to go on with; ask for it again')
      }
      if (!models.isConfigured())
        throw new ChoirError('model.none', 'to go on with it, a language model is needed: choose one under Model')
      return view(await begin(by, before.text, { wishes: [], continues: run }))
    },
    async drop(run) {
      if (queries.run(run) === null) throw new ChoirError('run.unknown', `there is no run ${run}`)
      await drafts.drop(run)
      return view(run)
    },
    async steer(by, run, text) {
      const heard = isAtWork(run) ? queue.current()?.at?.hearing : undefined
      if (heard === undefined) throw new ChoirError('run.unknown', 'this run is not at work')
      await computer.append(({ state }) => {
        heard.check()
        if (state.messagesOf(run) > LIMITS.steersPerRunMax)
          throw new ChoirError('rate.limited', 'this has been told as much as it can take in; stop it and ask again')
        return { draft: messageDraft(by, run, text, []) }
      })
      heard.say(text)
      return view(run)
    },
    async answer(by, run, question, answers) {
      await questions.answer(by, run, question, answers)
      return view(run)
    },
    async stop(run) {
      const open = queries.openRuns().filter((other) => run === null || other.run === run)
      const stopped: RunId[] = []
      for (const other of open.toReversed()) if (await stopOne(other.run)) stopped.unshift(other.run)
      if (run !== null && stopped.length === 0) throw new ChoirError('run.unknown', 'this run is not going on')
      return stopped
    },
    idle: queue.idle,
    async close() {
      health.close()
      await queue.close(new Stopped('ChoirOS was stopped; nothing was changed', 'system'))
      for (const left of queries.openRuns())
        await ends.cancel(left.run, new Stopped('ChoirOS was stopped before it began', 'system'))
      await executor.close()
      clearWorkPlaces(computer.folder)
    },
  }
}

function messageDraft(by: By, run: RunId, text: string, wishes: readonly Wish[]): Draft {
  const data = { role: 'user', text, object: null, signature: null, wishes, offers: [] }
  return { type: Message.type, version: Message.version, data, ...by, run, cause: null }
}

interface Current {
  readonly run: RunId
  readonly abort: AbortController
  at: RunAtWork | null
}

/** Those that were asked for and have not ended, one after the other. */
interface Queue {
  current(): Current | null
  /**
   * What is wanted of a run that is about to be asked for. Memory is enough: every open run was asked for in this
   * process, because a start ends all others.
   */
  expect(run: RunId, wanted: Wanted): void
  schedule(): void
  /** The run was cancelled in the log; if it is at work, the work is aborted. */
  dropped(run: RunId, why: Stopped): void
  idle(): Promise<void>
  isClosed(): boolean
  close(why: Stopped): Promise<void>
}

const RETRY_MS = 1000

type Execute = (run: RunId, wanted: Wanted, abort: AbortController, begun: (at: RunAtWork) => void) => Promise<void>

function createQueue({ queries }: Computer, { warn }: Pick<Machine, 'warn'>, execute: Execute): Queue {
  const wantedOf = new Map<RunId, Wanted>()
  let working: Promise<void> | null = null
  let current: Current | null = null
  let closed = false

  const work = async () => {
    for (let next = queries.openRuns()[0]; next !== undefined && !closed; next = queries.openRuns()[0]) {
      const now: Current = { run: next.run, abort: new AbortController(), at: null }
      current = now
      try {
        await execute(
          next.run,
          wantedOf.get(next.run) ?? { wishes: [], continues: null },
          now.abort,
          (at) => (now.at = at),
        )
      } finally {
        current = null
        wantedOf.delete(next.run)
      }
    }
  }
  const schedule = () => {
    working ??= work()
      .catch(async (error: unknown) => {
        warn('a run could not be ended', error)
        await delay(RETRY_MS) // Most likely the disk is full, and will still be so in the next moment.
      })
      .then(() => {
        working = null
        if (!closed && hasOpenRuns()) schedule()
      })
  }
  /** Of tables that turn out to be damaged here, the next command tells: it makes them again. */
  const hasOpenRuns = (): boolean => {
    try {
      return queries.openRuns().length > 0
    } catch (error) {
      warn('what waits could not be looked up', error)
      return false
    }
  }

  return {
    current: () => current,
    expect: (run, wanted) => void wantedOf.set(run, wanted),
    schedule,
    dropped(run, why) {
      if (current?.run === run) current.abort.abort(why)
      else wantedOf.delete(run)
    },
    async idle() {
      while (working !== null) await working
    },
    isClosed: () => closed,
    async close(why) {
      closed = true
      current?.abort.abort(why)
      await working
    },
  }
}

interface EarOptions {
  readonly questions: Questions
  readonly stopOne: (run: RunId) => Promise<boolean>
  readonly openRuns: () => RunView[]
  readonly now: () => number
  readonly isConfigured: () => boolean
}

/**
 * What the person says is first read as the answer to an open question, or as taking back what was said last. Returns
 * the run that heard it; null: it is a new wish.
 */
function createEar({ questions, stopOne, openRuns, now, isConfigured }: EarOptions) {
  return async (by: By, text: string, wishes: readonly Wish[]): Promise<RunId | null> => {
    const asked = questions.open()
    if (asked !== null) {
      const answers = wishes.length > 0 ? null : answersIn(asked.questions, text, dayOf(now()), isConfigured())
      try {
        if (answers === null) await questions.withdraw(by, asked.question, text)
        else await questions.answer(by, asked.run, asked.question, answers)
      } catch (error) {
        if (!hasCode(error, 'run.unknown')) throw error
        return null // Answered elsewhere in this very moment.
      }
      return answers !== null || isWithdrawal(text, true) ? asked.run : null
    }
    const newest = openRuns().at(-1)
    if (newest === undefined || wishes.length > 0 || !isWithdrawal(text, true)) return null
    return (await stopOne(newest.run)) ? newest.run : null
  }
}
