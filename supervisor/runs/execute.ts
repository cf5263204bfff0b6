import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import { RunStart } from '@choiros/contract/events/runs.ts'
import { type Wish } from '@choiros/contract/events/talk.ts'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import { WindowOpen } from '@choiros/contract/events/windows.ts'
import { labelFrom, WindowId, type RunId, type Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { LookRequest } from '@choiros/contract/look.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import { rebaseChanges } from '@choiros/core/rebase.ts'
import { readTreeMap, type TreeMap } from '@choiros/core/tree.ts'
import { takeCheckpoint } from '../computer/automatic-checkpoints.ts'
import type { Computer } from '../computer/computer.ts'
import { agentDraft } from '../computer/drafts.ts'
import type { Machine } from '../computer/machine.ts'
import type { RunDrafts } from '../computer/run-drafts.ts'
import { WORK_PLACES } from '../computer/places.ts'
import { findBrowser } from '../desk/browser.ts'
import type { ModelGateway } from '../models/model-gateway.ts'
import { createBeforePictures } from './before-pictures.ts'
import { lastTaskOf, packContext } from './context-pack.ts'
import { createDirectorLine, type DirectorHandlers, type DirectorLine, type Finish } from './director-line.ts'
import type { HealthWatch } from './health.ts'
import { landVerified, type BeforeLanding } from './land.ts'
import type { LiveText } from './live-text.ts'
import { dayOf } from './next-sentence.ts'
import { addNote, obeyForgetting } from './notes.ts'
import type { Approvals } from './approvals.ts'
import { createRunPolicy } from './policy.ts'
import type { Questions } from './questions.ts'
import type { RunEnds } from './run-ends.ts'
import { beginRun, runTask, type RunAtWork, type RunClocks, type RunTools } from './run.ts'
import { lookForReview, readTree } from './read-tree.ts'
import { sayingTo } from './saying.ts'
import type { Staged } from './stage.ts'
import { runTogether } from './together.ts'
import { warningsTo } from './warnings.ts'
import type { Workshop } from './workshop.ts'

export interface ExecuteOptions {
  readonly computer: Computer
  readonly machine: Machine
  readonly models: ModelGateway
  readonly workshop: () => Promise<Workshop>
  readonly beforeLanding: BeforeLanding
  readonly health: HealthWatch
  readonly live: LiveText
  readonly questions: Questions
  readonly approvals: Approvals
  readonly ends: RunEnds
  readonly drafts: RunDrafts
  readonly clocks: RunClocks
}

/** What was asked for besides the words. */
export interface Wanted {
  readonly wishes: readonly Wish[]
  /** The run whose draft this one begins with. */
  readonly continues: RunId | null
}

/** Works on a run from its first event to its end, whatever happens in between. */
export interface Executor {
  /** `begun` is called as soon as the person can tell the run more. */
  execute(run: RunId, wanted: Wanted, abort: AbortController, begun: (at: RunAtWork) => void): Promise<void>
  /** Starts the Director before it is needed. */
  warmUp(): void
  close(): Promise<void>
}

export function createExecutor({
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
  clocks,
}: ExecuteOptions): Executor {
  const { queries } = computer
  const beforePictures = createBeforePictures(machine.warn)
  let line: DirectorLine | null = null
  let isClosed = false

  const openTools = async (): Promise<{ tools: RunTools; director: DirectorLine }> => {
    const { host, toolchain, trees } = await workshop()
    // One that were started now would be ended by nobody.
    if (isClosed) throw new ChoirError('supervisor.stopping', 'the computer is closing; try again when it is back')
    const sockets = join(computer.folder, WORK_PLACES.sockets)
    mkdirSync(sockets, { recursive: true, mode: 0o755 })
    const socketFile = (name: string) => join(sockets, `${name.slice(0, 24)}.sock`)
    line ??= createDirectorLine({
      host,
      name: `director-${computer.id}`,
      socketFile: socketFile('director'),
      warn: machine.warn,
    })
    return {
      tools: {
        computer,
        machine,
        models,
        host,
        trees,
        packages: join(toolchain.folder, 'node_modules'),
        browser: findBrowser(),
        drafts,
        clocks,
        socketFile,
      },
      director: line,
    }
  }

  const handlersOf = (
    at: RunAtWork,
    { wishes }: Wanted,
    own: Pick<DirectorHandlers, 'task' | 'together' | 'look' | 'finish'>,
  ): DirectorHandlers => ({
    ...own,
    read: (what) => readTree({ computer }, at, what),
    note: (proposal) => addNote({ computer, machine }, at, 'director', proposal),
    obey: () => obeyForgetting(computer, at, wishes),
    async model(asked) {
      const [request, within] = await at.policy.think(at, asked, null)
      at.hearing.open()
      return models.call(computer, at.run, request, at.signal, sayingTo(live, at.run, asked), within)
    },
    async question(asked) {
      await at.policy.question()
      const answered = await questions.ask(at.run, asked, at.signal)
      if (answered.by === 'person') await at.policy.answered()
      return answered
    },
    heard: at.hearing.listen(),
    warnings: warningsTo({ computer, machine, models, clocks }, at, at.policy.mood().mood),
  })

  const order = async ({ run, draft, policy }: RunAtWork, { wishes, continues }: Wanted): Promise<WorkOrder> => {
    const asked = queries.run(run)
    assert(asked !== null, 'a run that is worked on was asked for')
    const before = continues === null ? null : queries.run(continues)
    const left =
      before === null || draft === null
        ? null
        : {
            text: before.text,
            why: before.reason ?? '',
            task: await lastTaskOf(computer, before.run),
            files: draft.changes.map(({ path }) => String(path)),
          }
    const context = await packContext(computer, run, models.isConfigured())
    const today = dayOf(machine.now())
    return { run, today, text: asked.text, wishes: [...wishes], draft: left, mood: policy.order(), context }
  }

  /** Carries out the Director's last word. Resolves with what was wrong where the run may mend it. */
  const end = async (tools: RunTools, at: RunAtWork, finish: Finish): Promise<string | null> => {
    const { end: how, summary, reply, offers, checkpoint } = finish
    const { run } = at
    const said = async () => {
      await ends.say(run, reply, offers)
      for (const window of finish.windows) await openFor(computer, machine, run, window)
      return null
    }
    // A task that moved the history has already ended the run.
    const isOpen = queries.run(run)?.status === 'running'
    if (!isOpen || how !== 'land' || at.staged.changes.length === 0) {
      if (!isOpen) return said()
      if (how === 'land' && checkpoint !== null) await takeCheckpoint(computer, { run, name: checkpoint })
      else if (how === 'answer') await ends.answered(run)
      else await ends.discard(run, summary)
      return said()
    }
    if (approvals.isTakenBack(run, queries)) {
      await ends.discard(run, 'you have taken back what you had allowed')
      await ends.say(run, 'You have taken back what you had allowed, so nothing was changed.', [])
      return null
    }
    const landed = await landVerified(tools, at, summary, beforeLanding)
    beforePictures.take(tools, at)
    const mayMend = at.byModel && at.mended === 0 && models.isConfigured()
    const { verdict, why, stack, goesOn } = await health.judge(run, landed.seq, checkpoint, mayMend)
    if (goesOn) {
      at.mended++
      await at.policy.feel({ reverted: true })
      await beginAgain(computer, at)
      return stack === '' ? why : `${why}\n${stack}`
    }
    // What was taken back is not praised; that it was, the person has been told.
    return verdict === 'bad' ? null : said()
  }

  /** What stood in the stage of a run that did not land is kept; what landed or was empty leaves nothing. */
  const leaveDraft = async (run: RunId, continues: RunId | null): Promise<void> => {
    const status = queries.run(run)?.status
    if (status === 'discarded' || status === 'cancelled') await drafts.keep(run)
    else await drafts.drop(run)
    // Its draft is in this one by now: landed, or a draft again.
    if (continues !== null && (status === 'landed' || queries.run(run)?.draft !== null)) await drafts.drop(continues)
  }

  return {
    async execute(run, wanted, abort, begun) {
      const { signal } = abort
      // Tasks of one run follow each other, and none outlives the run, not even a task of a Director that died.
      let tasks: Promise<unknown> = Promise.resolve()
      let at: RunAtWork | null = null
      try {
        const untilMs = machine.now() + clocks.runMs
        const policy = createRunPolicy({ computer, machine, models, approvals, run, signal, untilMs })
        await Promise.all([begin(computer, run), policy.begin()])
        machine.reached('run.start.after')
        const { tools, director } = await openTools()
        const work = beginRun(
          run,
          { seq: computer.head().seq, tree: new Map(queries.allEntries()) },
          signal,
          untilMs,
          policy,
        )
        at = work
        if (wanted.continues !== null) work.draft = await takeUp(computer, drafts, wanted.continues, work)
        begun(work)
        const inTurn = <Outcome>(doing: () => Promise<Outcome>) => {
          const done = tasks.then(doing)
          tasks = done.catch(() => {})
          return done
        }
        const finish = async (word: Finish) => {
          work.hearing.close()
          await tasks
          const again = await end(tools, work, word)
          if (again !== null) work.hearing.open()
          return again
        }
        const own = {
          task: (task: DirectorTask) => inTurn(() => runTask(tools, work, task)),
          // One at a time, too: each is a browser, and a Director that lies could ask for many.
          look: (look: LookRequest) => inTurn(() => lookForReview(tools, work, look)),
          together: (several: readonly DirectorTask[]) => inTurn(() => runTogether(tools, work, several)),
          finish,
        }
        await director.work(await order(work, wanted), handlersOf(work, wanted, own), signal, untilMs - machine.now())
      } catch (error) {
        const why = signal.aborted ? (signal.reason as Error) : error
        abort.abort(why)
        await tasks
        await ends.giveUp(run, why, at)
      }
      await leaveDraft(run, wanted.continues)
    },
    warmUp() {
      openTools().then(
        ({ director }) => director.warmUp(),
        () => {}, // The error is reported when the Director is really needed.
      )
    },
    async close() {
      isClosed = true
      await Promise.all([line?.close(), beforePictures.close()])
    },
  }
}

/** A draft as it is on top of what the person has done since; what cannot be merged is left out. */
async function takeUp(computer: Computer, drafts: RunDrafts, run: RunId, { base }: RunAtWork): Promise<Staged | null> {
  const kept = drafts.read(run)
  if (kept === null) throw new ChoirError('run.unknown', 'what that run left behind is not there any more')
  return onTree(computer, kept, base.tree)
}

/** After its landing was taken back: the tree is another one by now, and what was landed is where it goes on. */
async function beginAgain(computer: Computer, at: RunAtWork): Promise<void> {
  const before = at.staged
  at.base = { seq: computer.head().seq, tree: new Map(computer.queries.allEntries()) }
  at.staged = { changes: [], objects: new Map() }
  at.verified = null
  at.draft = await onTree(computer, before, at.base.tree)
}

async function onTree(computer: Computer, kept: Staged, tree: TreeMap): Promise<Staged | null> {
  const objects = new Map(kept.objects)
  const { changes } = await rebaseChanges(kept.changes, {
    tree: readTreeMap(tree),
    bytes: async (object) => objects.get(object)?.bytes ?? (await computer.objects.find(object)),
    store(bytes) {
      const hash = sha256(bytes)
      objects.set(hash, { hash, bytes })
      return { object: hash, size: bytes.length }
    },
  })
  return changes.length === 0 ? null : { changes, objects }
}

async function begin(computer: Computer, run: RunId): Promise<void> {
  const base = computer.head().seq as Seq
  await computer.append(({ state }) =>
    state.run(run)?.status === 'queued' ? { draft: agentDraft(computer, run, RunStart, { base }, 'system') } : null,
  )
}

/** Opens a window for the person, unless the same one is open already. */
async function openFor(
  computer: Computer,
  machine: Machine,
  run: RunId,
  { app, title }: Finish['windows'][number],
): Promise<void> {
  const window = WindowId.parse(labelFrom(machine.randomBytes(8)))
  await computer.append(({ state }) => {
    const open = state.windows()
    if (open.length >= LIMITS.windowsMax || open.some((one) => one.app === app && one.title === title)) return null
    return { draft: agentDraft(computer, run, WindowOpen, { window, app, title }) }
  })
}
