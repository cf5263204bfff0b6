import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Message, RunAnswer, RunCancel, RunDiscard, RunStart, WorkCreate, type DataOf, type Wish } from '@choiros/contract/catalog.ts'
import { clip } from '@choiros/contract/clip.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import { assert, ChoirError, hasCode } from '@choiros/contract/error.ts'
import type { Draft } from '@choiros/contract/event.ts'
import { labelFrom, RunId, type Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import { isOver } from '@choiros/core/everywhere/run-projection.ts'
import { isWithdrawal } from '@choiros/core/recipes/withdraw.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import { takeCheckpoint } from '../computer/automatic-checkpoints.ts'
import { PERSON_RESERVE_BYTES } from '../computer/room.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import type { ModelGateway } from '../models/model-gateway.ts'
import { packContext } from './context-pack.ts'
import { createDirectorLine, type DirectorLine, type Finish } from './director-line.ts'
import { agentDraft } from '../computer/drafts.ts'
import { createHealthWatch, type HealthWatch } from './health.ts'
import { createLiveText, type LiveText } from './live-text.ts'
import { landVerified, objectsOf, type BeforeLanding } from './land.ts'
import { answersIn, dayOf } from './next-sentence.ts'
import { createQuestions } from './questions.ts'
import { beginRun, runTask, type RunAtWork, type RunTools } from './run.ts'
import { clearWorkPlaces, WORK_PLACES } from '../computer/places.ts'
import type { Workshop } from './workshop.ts'

/** The runs of one computer: asked for, worked on one at a time in order, ended in exactly one way each (L4). */
export interface Runs {
  readonly health: HealthWatch
  readonly live: LiveText
  /** Someone looks: the Director is started before it is asked for anything. */
  warmUp(): void
  prompt(draft: Pick<Draft, 'user' | 'source' | 'via'>, text: string, wishes: readonly Wish[]): Promise<RunView>
  /** Tells the run at work more. */
  steer(draft: Pick<Draft, 'user' | 'source' | 'via'>, run: RunId, text: string): Promise<RunView>
  answer(draft: Pick<Draft, 'user' | 'source' | 'via'>, run: RunId, question: string, answers: readonly string[]): Promise<RunView>
  /** One, or the one at work and all that wait. */
  stop(run: RunId | null): Promise<RunId[]>
  /** When everything asked for so far has ended. */
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
}

const CONVERSATION = 'main'
const RETRY_MS = 1000

/** Foreseen: what is still on its way inside is refused, and nobody needs to look at it. */
class Stopped extends ChoirError {
  readonly by: DataOf<typeof RunCancel>['by']
  constructor(message: string, by: Stopped['by']) {
    super('syscall.refused', message)
    this.by = by
  }
}

export function createRuns({ computer, machine, models, workshop, enterSafeMode, isSafe, beforeLanding, patienceMs }: RunsOptions): Runs {
  const health = createHealthWatch({
    computer,
    machine,
    enterSafeMode,
    isAtWork: (run) => current?.run === run,
    isSafe,
    explain: (run, text) => note(run, text),
  })
  const { queries } = computer
  const live = createLiveText()
  const questions = createQuestions(computer, machine, patienceMs)
  let working: Promise<void> | null = null
  let current: { run: RunId; abort: AbortController; at: RunAtWork | null } | null = null
  let line: DirectorLine | null = null
  let closed = false

  const view = (run: RunId): RunView => {
    const found = queries.run(run)
    assert(found !== null, 'a run that was asked for is in the tables')
    return found
  }

  const work = async () => {
    for (let next = queries.openRuns()[0]; next !== undefined && !closed; next = queries.openRuns()[0]) {
      const abort = new AbortController()
      current = { run: next.run, abort, at: null }
      try {
        await execute(next.run, abort)
      } finally {
        current = null
      }
    }
  }
  const schedule = () => {
    working ??= work()
      .catch(async (error: unknown) => {
        machine.warn('a run could not be ended', error)
        await delay(RETRY_MS) // The disk is full, most likely, and will be in the next moment too.
      })
      .finally(() => {
        working = null
        if (queries.openRuns().length > 0 && !closed) schedule()
      })
  }

  const execute = async (run: RunId, abort: AbortController): Promise<void> => {
    const { signal } = abort
    // Tasks of one run follow each other, and none outlives it: not even that of a Director that died.
    let tasks: Promise<unknown> = Promise.resolve()
    let at: RunAtWork | null = null
    try {
      await begin(run)
      const { tools, director } = await openTools()
      const begun = beginRun(run, { seq: computer.head().seq, tree: new Map(queries.allEntries()) }, signal)
      at = begun
      if (current?.run === run) current.at = begun
      const { hearing } = begun
      const inTurn = (task: DirectorTask) => {
        const done = tasks.then(() => runTask(tools, begun, task))
        tasks = done.catch(() => {})
        return done
      }
      const finish = await director.work(
        await order(run, begun),
        {
          task: inTurn,
          model(request) {
            hearing.open()
            live.begin(run)
            let anew = false
            return models.call(computer, run, request, signal, {
              text(piece) {
                if (anew) live.begin(run)
                anew = false
                live.add(run, piece)
              },
              waits(ms) {
                anew = true
                live.begin(run)
                live.add(run, `The model’s server is busy. It is asked again in ${Math.max(1, Math.round(ms / 1000))} s.`)
              },
            })
          },
          question: (asked) => questions.ask(run, asked, signal),
          heard: hearing.listen(),
          finished: hearing.close,
        },
        signal,
      )
      await tasks
      await end(tools, begun, finish)
    } catch (error) {
      const why = signal.aborted ? (signal.reason as Error) : error
      abort.abort(why)
      await tasks
      await giveUp(run, why, at)
    }
  }

  const begin = async (run: RunId) => {
    const { text } = view(run)
    const base = computer.head().seq as Seq
    await computer.append(() => ({ draft: agentDraft(computer, run, WorkCreate, { work: run, title: text, criteria: [] }, 'system') }))
    await computer.append(({ state }) =>
      state.run(run)?.status === 'queued' ? { draft: agentDraft(computer, run, RunStart, { work: run, base }, 'system') } : null,
    )
    machine.reached('run.start.after')
  }

  const openTools = async (): Promise<{ tools: RunTools; director: DirectorLine }> => {
    const { host, toolchain, trees } = await workshop()
    const sockets = join(computer.folder, WORK_PLACES.sockets)
    mkdirSync(sockets, { recursive: true, mode: 0o755 })
    const socketFile = (name: string) => join(sockets, `${name.slice(0, 24)}.sock`)
    line ??= createDirectorLine({ host, name: `director-${computer.id}`, socketFile: socketFile('director'), warn: machine.warn })
    return { tools: { computer, machine, models, host, trees, packages: join(toolchain.folder, 'node_modules'), socketFile }, director: line }
  }

  const order = async (run: RunId, at: RunAtWork): Promise<WorkOrder> => {
    const { text, asked } = view(run)
    const unsigned = {
      run,
      text,
      wishes: await wishesOf(computer, asked),
      base: at.base.seq as Seq,
      context: await packContext(computer, run, models.isConfigured()),
    }
    return { ...unsigned, signature: machine.signer.sign(unsigned) }
  }

  const end = async (tools: RunTools, at: RunAtWork, { end: how, summary, reply, offers, checkpoint }: Finish) => {
    const { run } = at
    if (queries.run(run)?.status !== 'running') return say(run, reply, offers) // What moved the history has ended it.
    if (how !== 'land' || at.staged.changes.length === 0) {
      if (how === 'land' && checkpoint !== null) await takeCheckpoint(computer, { run, name: checkpoint })
      else if (how === 'answer') await answered(run)
      else await discard(run, summary)
      return say(run, reply, offers)
    }
    const landed = await landVerified(tools, at, summary, beforeLanding)
    // The person hears at once what was done; the verdict of the pages comes on top.
    await say(run, reply, offers)
    await health.judge(run, landed.seq, checkpoint)
  }

  const discard = (run: RunId, reason: string, objects: readonly ObjectBytes[] = []) =>
    computer.append(
      ({ state }) =>
        state.run(run)?.status === 'running'
          ? { draft: agentDraft(computer, run, RunDiscard, { reason: clip(reason, 4000) }, 'system'), objects }
          : null,
      PERSON_RESERVE_BYTES,
    )

  const answered = (run: RunId) =>
    computer.append(({ state }) => (state.run(run)?.status === 'running' ? { draft: agentDraft(computer, run, RunAnswer, {}, 'system') } : null))

  const cancel = (run: RunId, { message: reason, by }: Stopped) =>
    computer.append(({ state }) => {
      const known = state.run(run)
      return known === null || isOver(known) ? null : { draft: agentDraft(computer, run, RunCancel, { reason, by }, 'system') }
    }, PERSON_RESERVE_BYTES)

  const giveUp = async (run: RunId, error: unknown, at: RunAtWork | null) => {
    if (error instanceof Stopped) return void (await cancel(run, error))
    if (!(error instanceof ChoirError)) machine.warn('a run failed in a way nobody foresaw', error)
    const why = error instanceof ChoirError ? error.message : 'something went wrong inside ChoirOS; nothing was changed'
    // What met with the person's own work is kept beside it: its tool results name it by hash.
    await discard(run, why, at !== null && hasCode(error, 'run.refused') ? objectsOf(at.staged) : [])
    await note(run, `This could not be done: ${why}`)
  }

  /** ChoirOS speaks for itself where the Director has no last word. */
  const note = async (run: RunId, text: string) => {
    const data = {
      conversation: CONVERSATION,
      role: 'system' as const,
      text: clip(text, 4000),
      object: null,
      signature: null,
      wishes: [],
      offers: [],
    }
    await computer.append(() => ({ draft: agentDraft(computer, run, Message, data, 'system') }))
  }

  /** The Director's words, signed: nobody else speaks to the person in its name. */
  const say = async (run: RunId, words: string, offers: readonly string[]) => {
    const text = clip(words, LIMITS.messageBytesMax)
    const told = { computer: computer.id, run, text, ...(offers.length === 0 ? {} : { offers: [...offers] }) }
    const data = {
      conversation: CONVERSATION,
      role: 'director' as const,
      text,
      object: null,
      signature: machine.signer.sign(told),
      wishes: [],
      offers: [...offers],
    }
    await computer.append(() => ({ draft: agentDraft(computer, run, Message, data) }))
    machine.reached('run.reply.after')
  }

  const stopOne = async (run: RunId): Promise<boolean> => {
    // Whoever lands in this very moment has landed: saying that it was stopped would be a lie.
    const why = new Stopped('stopped by you', 'person')
    if ((await cancel(run, why)) === null) return false
    if (current?.run === run) current.abort.abort(why)
    return true
  }

  /** What is said next is first the answer to what was asked, or takes back what was said last. The run that heard it, or null: it is a new wish. */
  const hear = async (by: Pick<Draft, 'user' | 'source' | 'via'>, text: string, wishes: readonly Wish[]): Promise<RunId | null> => {
    const asked = questions.open()
    if (asked !== null) {
      const answers = wishes.length > 0 ? null : answersIn(asked.questions, text, dayOf(machine.now()), models.isConfigured())
      try {
        if (answers === null) await questions.withdraw(by, asked.question, text)
        else await questions.answer(by, asked.run, asked.question, answers)
      } catch (error) {
        if (!hasCode(error, 'run.unknown')) throw error
        return null // Answered elsewhere in this very moment.
      }
      return answers !== null || isWithdrawal(text, true) ? asked.run : null
    }
    const newest = queries.openRuns().at(-1)
    if (newest === undefined || wishes.length > 0 || !isWithdrawal(text, true)) return null
    return (await stopOne(newest.run)) ? newest.run : null
  }

  return {
    health,
    live,
    warmUp() {
      if (!closed)
        openTools().then(
          ({ director }) => director.warmUp(),
          () => {},
        ) // Told when it is really needed.
    },
    async prompt(by, text, wishes) {
      const heard = await hear(by, text, wishes)
      if (heard !== null) return view(heard)
      const run = RunId.parse(labelFrom(machine.randomBytes(16)))
      const data = { conversation: CONVERSATION, role: 'user', text, object: null, signature: null, wishes, offers: [] }
      await computer.append(({ state }) => {
        if (state.openRuns().length > LIMITS.runsQueuedMax)
          throw new ChoirError('rate.limited', `${LIMITS.runsQueuedMax} wishes are waiting already. Wait until some are done, or press Stop.`)
        return { draft: { type: Message.type, version: Message.version, data, ...by, run, cause: null } }
      })
      machine.reached('run.prompt.after')
      schedule()
      return view(run)
    },
    async steer(by, run, text) {
      const heard = current?.run === run ? current.at?.hearing : undefined
      if (heard === undefined) throw new ChoirError('run.unknown', 'this run is not at work')
      const data = { conversation: CONVERSATION, role: 'user', text, object: null, signature: null, wishes: [], offers: [] }
      await computer.append(({ state }) => {
        heard.check()
        if (state.messagesOf(run) > LIMITS.steersPerRunMax)
          throw new ChoirError('rate.limited', 'this has been told as much as it can take in; stop it and ask again')
        return { draft: { type: Message.type, version: Message.version, data, ...by, run, cause: null } }
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
    async idle() {
      while (working !== null) await working
    },
    async close() {
      closed = true
      health.close()
      current?.abort.abort(new Stopped('ChoirOS was stopped; nothing was changed', 'system'))
      await working
      for (const left of queries.openRuns()) await cancel(left.run, new Stopped('ChoirOS was stopped before it began', 'system'))
      await line?.close()
      clearWorkPlaces(computer.folder)
    },
  }
}

/** What was chosen from the menu stands in the message itself. */
async function wishesOf(computer: Computer, asked: Seq): Promise<Wish[]> {
  const [stored] = await computer.log.read({ after: asked - 1, limit: 1 })
  if (stored === undefined) return []
  const { data } = JSON.parse(stored.bytes.toString('utf8')) as { data: { wishes?: Wish[] } }
  return data.wishes ?? []
}
