import type { Change } from '@choiros/contract/change.ts'
import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import type { Event, StoredEvent } from '@choiros/contract/event.ts'
import type { ComputerId, EventId, Hash } from '@choiros/contract/ids.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import { hashSortedTree } from '@choiros/core/tree.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'
import type { Reached } from '../crash-points.ts'
import type { Queries } from '../state/queries.ts'
import { isTableDamage } from '../state/damage.ts'
import type { State } from '../state/state.ts'
import type { ObjectStore } from './object-store.ts'
import { sealProposal, type Proposal } from './seal.ts'
import { growthBy, type Quota, type Totals } from './quota.ts'
import { bytesToWrite, checkFiles, checkRoom, DISK_RESERVE_BYTES, filesToMake, reserveFor, type Room } from './room.ts'

/** What a decision may look at: the computer as it will be when everything queued before it is written. */
export interface View {
  readonly head: Head
  readonly state: Queries
  /** The last event that changed a file or erased something: a plan made before it must be made again. */
  readonly filesSeq: number
  readonly totals: Totals
}

/**
 * Decides on the view, synchronously, so that nothing can come in between. Null: there is nothing to do. Throwing
 * refuses this command alone.
 */
export type Decide = (view: View) => Proposal | null

export interface LogWriter {
  /** Rejects with `disk.full` where less than the reserve would stay free. */
  submit(decide: Decide, reserveBytes?: number): Promise<Event | null>
  /** Runs `work` while no event is decided or written: what it finds in the tables stays true until it is done. */
  alone(work: (state: Queries) => Promise<void>): Promise<void>
  head(): Head
  /** The last event that changed a file or took old versions away. */
  filesSeq(): number
  /** How much room the computer takes, as of the head. */
  totals(): Totals
  /** Waits for what is queued, then refuses everything. */
  close(): Promise<void>
}

export interface LogWriterOptions {
  readonly computer: ComputerId
  readonly log: EventLog
  readonly state: State
  readonly objects: Pick<ObjectStore, 'isGone' | 'cameBack'>
  readonly head: Head
  readonly now: () => number
  readonly newEventId: (timeMs: number) => EventId
  readonly room: () => Room
  readonly quota: Quota
  readonly reached: Reached
  /** Called with the new facts of the log, in order, before the callers are answered. */
  readonly appended: (facts: readonly Fact[]) => void
  /** Brings the tables up to the log after something went wrong between the two. */
  readonly catchUp: () => Promise<Head>
}

interface Job {
  readonly decide: Decide
  readonly reserveBytes: number
  readonly resolve: (event: Event | null) => void
  readonly reject: (error: unknown) => void
}

interface Accepted {
  readonly job: Job
  readonly fact: Fact
  readonly stored: StoredEvent
  /** How much room the computer takes once this event is written. */
  readonly totals: Totals
}

const BATCH_MAX = 512
const QUEUE_MAX = 20_000
/**
 * How many rows of the tables may wait for a commit, and how long when nothing else happens. More would make a start
 * after a crash slow.
 */
const WAITING_ROWS_MAX = 500
const WAITING_MS_MAX = 20

export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { log, state, objects: store, reached } = options
  let head = options.head
  let filesSeq = head.seq
  let totals = state.queries.totals()
  let behind = false
  /** Found when the tables were to be committed: the next command is told, and has them made again. */
  let damage: unknown = null
  let closed = false
  let isRunning = false
  let whenDone = () => {}
  let committing: NodeJS.Timeout | null = null
  let queue: Job[] = []
  const between: { work(): Promise<void>; reject(error: unknown): void }[] = []

  /** Everything that arrived in one turn of the event loop shares one fsync. */
  const schedule = () => {
    if (isRunning) return
    isRunning = true
    setImmediate(() => void drain())
  }

  const drain = async () => {
    while (queue.length > 0 || between.length > 0) {
      await workAlone()
      if (queue.length === 0) continue
      const jobs = queue
      queue = jobs.splice(BATCH_MAX)
      await writeBatch(jobs)
      commitSometimes()
    }
    isRunning = false
    whenDone()
  }

  const workAlone = async () => {
    const next = between.shift()
    if (next === undefined) return
    try {
      if (behind || state.cursor().hash !== head.hash) await resync()
      await next.work()
    } catch (error) {
      next.reject(error)
    }
  }

  const writeBatch = async (jobs: readonly Job[]) => {
    let accepted: Accepted[] = []
    try {
      if (damage !== null) throw damage
      if (behind || state.cursor().hash !== head.hash) await resync()
      const objects = new Map<Hash, ObjectBytes>()
      // Once all earlier rows are committed, `waitFor` can hide the batch from readers while it is on its way, without
      // taking it off the tables.
      if (log.isRemote) commitTables()
      state.begin()
      accepted = decideAll(jobs, objects)
      if (accepted.length > 0) {
        state.settle()
        reached('state.apply.after')
        const events = accepted.map((item) => item.stored)
        const appending = log.append(events, [...objects.values()], head.seq)
        if (appending !== undefined) await waitFor(appending, accepted)
        store.cameBack(objects.keys())
      }
    } catch (error) {
      state.rollback()
      // The log may hold part of a batch that was not acknowledged: look before writing on.
      behind = true
      const told = hasCode(error, 'log.conflict')
        ? await whyMoved(error)
        : isTableDamage(error)
          ? error
          : toStorageError(error, 'saving')
      const waiting = accepted.length > 0 ? accepted.map((item) => item.job) : jobs
      for (const job of waiting) job.reject(told)
      return
    }
    finishBatch(accepted)
  }

  /** Others may read the tables meanwhile. They must see exactly what was acknowledged. */
  const waitFor = async (work: Promise<unknown>, accepted: readonly Accepted[]) => {
    if (state.canHide()) return state.hideWhile(work)
    // Earlier rows are not committed either, so the batch cannot be hidden: it is taken off the tables and put back.
    state.rollback()
    await work
    state.begin()
    for (const { fact } of accepted) state.apply(fact)
    state.settle()
  }

  const decideAll = (jobs: readonly Job[], objects: Map<Hash, ObjectBytes>): Accepted[] => {
    const accepted: Accepted[] = []
    let position = head
    let nextTotals = totals
    let nextFilesSeq = filesSeq
    let room = options.room()
    for (const job of jobs) {
      // Until a command touches the tables, its errors are its own affair, even a bug.
      const proposed = settle(job, () =>
        propose(job, { head: position, state: state.own, filesSeq: nextFilesSeq, totals: nextTotals }, room),
      )
      if (proposed === null) continue
      const { proposal, fact, grown, needed, sealed } = proposed
      try {
        applyChecked(fact, proposal.tree)
      } catch (error) {
        if (!(error instanceof ChoirError)) throw error // A bug in a reducer: the transaction cannot be trusted.
        job.reject(error)
        continue
      }
      for (const object of sealed.objects) objects.set(object.hash, object)
      position = { seq: sealed.event.seq, hash: sealed.event.hash }
      nextTotals = grown
      room = { bytes: room.bytes - needed.bytes, files: room.files - needed.files }
      if (touchesFiles(fact)) nextFilesSeq = position.seq
      accepted.push({ job, fact, stored: sealed.stored, totals: grown })
    }
    return accepted
  }

  const settle = <Proposed>(job: Job, work: () => Proposed | null): Proposed | null => {
    try {
      const proposed = work()
      if (proposed === null) job.resolve(null)
      return proposed
    } catch (error) {
      job.reject(error)
      return null
    }
  }

  const propose = (job: Job, view: View, room: Room) => {
    const proposal = job.decide(view)
    if (proposal === null) return null
    const changes = proposal.changes ?? []
    const reserveBytes = reserveFor(changes, job.reserveBytes)
    checkNamed(changes, proposal.objects ?? [])
    const needed = { bytes: bytesToWrite(changes, proposal.objects ?? []), files: filesToMake(changes) }
    checkRoom(room.bytes, needed.bytes, reserveBytes)
    checkFiles(room.files, needed.files)
    const sealed = sealProposal(proposal, view.head, options)
    const fact = { event: sealed.event, changes, erased: proposal.erased ?? [], bytes: sealed.bytes }
    const growth = growthBy(view.totals, fact, state.own.kept)
    options.quota.check(growth, { via: sealed.event.via, isUrgent: reserveBytes < DISK_RESERVE_BYTES })
    return { proposal, fact, grown: growth.after, needed, sealed }
  }

  /** The caller has looked for the bytes before this; they may have been erased since (L3). */
  const checkNamed = (changes: readonly Change[], brought: readonly ObjectBytes[]) => {
    for (const { to } of changes) {
      if (
        to === null ||
        to.object === null ||
        !store.isGone(to.object) ||
        brought.some(({ hash }) => hash === to.object)
      )
        continue
      throw new ChoirError(
        'object.missing',
        'bytes that this needs were removed for good meanwhile; nothing was written. Send them again.',
      )
    }
  }

  const applyChecked = (fact: Fact, tree: Hash | undefined) => {
    if (tree === undefined) return state.apply(fact)
    if (state.applyIf(fact, () => hashSortedTree(state.own.allEntries()) === tree)) return
    throw new ChoirError(
      'undo.mismatch',
      'the files would not be what was promised, so nothing was written. Look again and retry.',
    )
  }

  const finishBatch = (accepted: readonly Accepted[]) => {
    const last = accepted.at(-1)
    state.keep()
    if (last === undefined) return
    head = { seq: last.fact.event.seq, hash: last.fact.event.hash }
    totals = last.totals
    for (const { fact } of accepted) if (touchesFiles(fact)) filesSeq = fact.event.seq
    options.appended(accepted.map((item) => item.fact))
    for (const { job, fact } of accepted) job.resolve(fact.event)
  }

  const commitSometimes = () => {
    const rows = state.waitingRows()
    if (rows >= WAITING_ROWS_MAX) commitTables()
    else if (rows > 0) committing ??= setTimeout(commitWhenQuiet, WAITING_MS_MAX).unref()
  }

  const commitTables = () => {
    try {
      state.commit()
    } catch (error) {
      if (isTableDamage(error)) damage = error
      // The events are on disk; only the tables are late. They catch up before the next command.
    }
  }

  const commitWhenQuiet = () => {
    committing = null
    if (!isRunning) commitTables() // Otherwise the batch that is under way commits them.
  }

  const resync = async () => {
    head = await options.catchUp()
    totals = state.queries.totals()
    filesSeq = head.seq
    behind = false
  }

  /** Nobody else writes here: a log that does not end where we left it has most likely lost something. */
  const whyMoved = (conflict: unknown): Promise<unknown> =>
    resync().then(
      () => conflict,
      (error: unknown) => error,
    )

  return {
    submit(decide, reserveBytes = DISK_RESERVE_BYTES) {
      if (closed)
        return Promise.reject(
          new ChoirError('supervisor.stopping', 'the computer is closing; try again when it is back'),
        )
      if (queue.length >= QUEUE_MAX)
        return Promise.reject(new ChoirError('rate.limited', 'too many commands are waiting; try again in a moment'))
      return new Promise((resolve, reject) => {
        queue.push({ decide, reserveBytes, resolve, reject })
        schedule()
      })
    },
    alone(work) {
      if (closed)
        return Promise.reject(
          new ChoirError('supervisor.stopping', 'the computer is closing; try again when it is back'),
        )
      return new Promise((resolve, reject) => {
        between.push({ work: () => work(state.queries).then(resolve), reject })
        schedule()
      })
    },
    head: () => head,
    filesSeq: () => filesSeq,
    totals: () => totals,
    async close() {
      closed = true
      if (isRunning) await new Promise<void>((resolve) => (whenDone = resolve))
      if (committing !== null) clearTimeout(committing)
    },
  }
}

function touchesFiles({ changes, erased }: Fact): boolean {
  return changes.length > 0 || erased.length > 0
}
