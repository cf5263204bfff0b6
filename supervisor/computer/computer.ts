import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '@choiros/contract/change.ts'
import { NO_HASH, type ComputerId, type ComputerName, type EventId, type Hash, type UserId } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Progress } from '@choiros/contract/routes.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import type { EventLog, LogStep } from '@choiros/ports/event-log/event-log.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'
import type { Objects, ObjectStep } from '@choiros/ports/objects/objects.ts'
import type { Reached } from '../crash-points.ts'
import { catchUp, openStateOf } from '../history/rebuild.ts'
import { openGitCheckpoints, type GitCheckpoints } from '../history/git-checkpoints.ts'
import { readFacts } from '../history/facts.ts'
import { newestSnapshotSeq, takeSnapshot } from '../history/snapshots.ts'
import type { Base } from './base.ts'
import { writeDurably } from '../signing/durable-file.ts'
import type { HeadRecord } from '../signing/head-record.ts'
import type { SignedHead, Signer } from '../signing/signing.ts'
import { sealTables } from '../state/seal.ts'
import { isTableDamage } from '../state/damage.ts'
import type { State } from '../state/state.ts'
import { removeTableFile } from '../state/tables.ts'
import { createProjector, type Projector } from '../tree/projector.ts'
import { createAutomaticCheckpoints } from './automatic-checkpoints.ts'
import { collectGarbage } from './garbage.ts'
import { createHold } from './hold.ts'
import { createLogWriter, type Decide, type LogWriter } from './log-writer.ts'
import { createObjectStore, type ObjectStore } from './object-store.ts'
import { syncGit } from './git-sync.ts'
import { PLACES } from './places.ts'
import { createQuota, type Quotas } from './quota.ts'
import { freeBytesAt, watchRoom } from './room.ts'
import { checkHolds, checkTail, findLost, type TailWitnesses, type Witness } from './tail.ts'

export interface ComputerIdentity {
  readonly id: ComputerId
  readonly name: ComputerName
  readonly user: UserId
}

/** What a computer needs from outside; `main.ts` alone knows what stands behind it. */
export interface Machine {
  openLog(options: { file: string; computer: ComputerId; reached: (step: LogStep) => void }): EventLog
  openObjects(options: { folder: string; reached: (step: ObjectStep) => void }): Promise<Objects>
  readonly signer: Signer
  readonly reached: Reached
  readonly now: () => number
  readonly newEventId: (timeMs: number) => EventId
  readonly randomBytes: (count: number) => Uint8Array
  readonly bootId: string
  readonly snapshotEveryEvents: number
  /** How much a computer may hold, where that is not what the contract says. */
  readonly quotas?: Quotas
  /** What a new computer starts with. */
  readonly base: () => Base
  /** Where a failure that nobody waits for is told. */
  readonly warn: (message: string, cause?: unknown) => void
}

export interface Computer extends ComputerIdentity {
  readonly folder: string
  readonly log: EventLog
  readonly objects: ObjectStore
  readonly large: Objects
  readonly state: State
  readonly writer: LogWriter
  readonly projector: Projector
  readonly git: GitCheckpoints
  /** Decides, writes, and waits until the files on disk show it; waits its turn while a landing holds the files still. */
  change(decide: Decide, reserveBytes?: number): ReturnType<LogWriter['submit']>
  /** The same for a landing, which waits for nobody. */
  changeAtOnce(decide: Decide): ReturnType<LogWriter['submit']>
  /** Lets every change that was sent before arrive, and holds back the next ones. */
  holdStill(longestMs: number): Promise<() => void>
  /** Takes away the bytes that an erase has named, as far as nothing has named them again since. */
  erase(objects: readonly Hash[]): Promise<void>
  /** Compares the files on disk with the log, byte for byte, and puts right what differs. Returns what was wrong. */
  mendTree(): Promise<string[]>
  /** A durable, signed word that the log reached its present head. */
  signHead(): SignedHead
  /** Whatever knows of events that the log does not hold. */
  findLost(): Promise<Witness[]>
  close(): Promise<void>
}

/** Each is overwritten in the log before it is gone: a hundred thousand at once would keep everyone waiting. */
const ERASED_AT_ONCE = 100

/** Damaged tables are thrown away and made again; whatever else is wrong keeps the computer closed. */
export async function openComputer(folder: string, identity: ComputerIdentity, machine: Machine, options: OpenOptions = {}): Promise<Computer> {
  try {
    return await openOnce(folder, identity, machine, options)
  } catch (error) {
    if (!isTableDamage(error)) throw error
    removeTables(folder)
    return await openOnce(folder, identity, machine, options)
  }
}

export interface OpenOptions {
  readonly progress?: Progress | undefined
  /** How far the log had got, as the home knows it. */
  readonly record?: HeadRecord
  /** What else must be put right before anyone is answered. */
  readonly finish?: (computer: Computer) => Promise<void>
}

/** Whatever knows of a computer's log beside the log itself. */
export function witnessesOf(
  folder: string,
  computer: ComputerId,
  parts: Pick<TailWitnesses, 'git' | 'signer'> & { record: HeadRecord | null },
): TailWitnesses {
  const at = (place: keyof typeof PLACES) => join(folder, PLACES[place])
  return { computer, headFile: at('head'), stateFile: at('state'), treeCursorFile: at('treeCursor'), snapshots: at('snapshots'), ...parts }
}

/** Only for a computer that is closed. The log makes the tables again; a snapshot may hold the same damage, and the files were written from them. */
export function removeTables(folder: string): void {
  rmSync(join(folder, PLACES.treeCursor), { force: true })
  removeTableFile(join(folder, PLACES.state))
  rmSync(join(folder, PLACES.snapshots), { recursive: true, force: true })
}

async function openOnce(folder: string, identity: ComputerIdentity, machine: Machine, { progress, record, finish }: OpenOptions): Promise<Computer> {
  const at = (place: keyof typeof PLACES) => join(folder, PLACES[place])
  const { reached } = machine
  mkdirSync(at('snapshots'), { recursive: true })
  const log = machine.openLog({ file: at('log'), computer: identity.id, reached })
  let state: State | null = null
  try {
    const large = await machine.openObjects({ folder: at('objects'), reached })
    const objects = createObjectStore(log, large, () => freeBytesAt(folder))
    const git = openGitCheckpoints(at('git'), (hash) => objects.find(hash).catch(() => null)) // A damaged object is a hole there.
    const witnesses = witnessesOf(folder, identity.id, { git, signer: machine.signer, record: record ?? null })
    await checkTail(log, witnesses)
    log.settle()
    const rebuildOptions = { log, object: objects.get, reached, bootId: machine.bootId, ...(progress === undefined ? {} : { progress }) }
    state = await openStateOf(at('state'), at('snapshots'), rebuildOptions)
    const projector = createProjector({
      folder: at('tree'),
      staging: at('staging'),
      cursorFile: at('treeCursor'),
      bootId: machine.bootId,
      object: objects.get,
      reached,
    })
    const computer = assemble({ folder, identity, machine, log, objects, large, state, projector, git, rebuildOptions, witnesses })
    await finishErasing(computer)
    // Git is asked by processes of its own: waiting for them one after the other with the files would take as long again.
    await Promise.all([
      recoverTree(computer).catch((error: unknown) => machine.warn(`the files of ${identity.name} are behind its log`, error)),
      syncGit(computer, machine).catch((error: unknown) => machine.warn(`checkpoints of ${identity.name} are not in git`, error)),
    ])
    await finish?.(computer)
    await collectGarbage(computer, machine.now())
    return computer
  } catch (error) {
    state?.close()
    await log.close()
    throw isTableDamage(error) ? error : toStorageError(error, 'opening the computer')
  }
}

interface Parts {
  readonly folder: string
  readonly identity: ComputerIdentity
  readonly machine: Machine
  readonly log: EventLog
  readonly objects: ObjectStore
  readonly large: Objects
  readonly state: State
  readonly projector: Projector
  readonly git: GitCheckpoints
  readonly rebuildOptions: Parameters<typeof catchUp>[1]
  readonly witnesses: TailWitnesses
}

function assemble({ folder, identity, machine, log, objects, large, state, projector, git, rebuildOptions, witnesses }: Parts): Computer {
  const headFile = join(folder, PLACES.head)
  const { record } = witnesses
  // Twice, for it has two places: neither may go on speaking of what a recovery has accounted for.
  for (let place = 0; place < 2; place++) if (state.cursor().seq > 0) record?.note(state.cursor())
  const snapshots = join(folder, PLACES.snapshots)
  let snapshotSeq = newestSnapshotSeq(snapshots)
  let snapshotting: Promise<unknown> | null = null

  const projectLanded = (facts: readonly Fact[]) => {
    const wanted = new Map<TreePath, Entry | null>()
    for (const fact of facts) for (const change of fact.changes) wanted.set(change.path, change.to)
    const seq = facts.at(-1)?.event.seq
    if (seq === undefined || wanted.size === 0) return
    projector.project(seq, wanted).catch((error: unknown) => machine.warn(`the files of ${identity.name} are behind its log`, error))
  }

  const snapshotSometimes = (seq: number) => {
    if (snapshotting !== null || seq - snapshotSeq < machine.snapshotEveryEvents) return
    snapshotSeq = seq
    snapshotting = takeSnapshot(state, snapshots, machine.reached)
      .catch((error: unknown) => machine.warn('no snapshot was taken', error))
      .finally(() => (snapshotting = null))
  }

  const automatic = createAutomaticCheckpoints(() => computer, machine)

  const writer = createLogWriter({
    computer: identity.id,
    log,
    state,
    large,
    objects,
    head: state.cursor(),
    now: machine.now,
    newEventId: machine.newEventId,
    room: watchRoom(folder, machine.now),
    quota: createQuota(machine.now, machine.quotas),
    reached: machine.reached,
    landed(facts) {
      const last = facts.at(-1)?.event
      if (last !== undefined) record?.note(last)
      projectLanded(facts)
      automatic.landed(facts)
      snapshotSometimes(facts.at(-1)?.event.seq ?? 0)
    },
    catchUp: async () => {
      const from = state.cursor()
      await checkHolds(log, from)
      const head = await catchUp(state, rebuildOptions)
      for await (const facts of readFacts(log, objects.get, from)) projectLanded(facts)
      return head
    },
  })

  const signHead = () => {
    machine.reached('head.sign.before')
    const signed = machine.signer.signHead({ computer: identity.id, ...writer.head() })
    try {
      writeDurably(headFile, JSON.stringify(signed), 0o600)
      record?.settle()
    } catch (error) {
      throw toStorageError(error, 'signing the head of the log')
    }
    machine.reached('head.sign.after')
    return signed
  }

  /** A full disk must not keep a computer from closing; the head that was signed last still stands. */
  const signOnClose = () => {
    try {
      signHead()
    } catch (error) {
      machine.warn(`the head of ${identity.name} was not signed`, error)
    }
  }

  const hold = createHold()
  const written: (landing: ReturnType<LogWriter['submit']>) => ReturnType<LogWriter['submit']> = async (landing) => {
    const event = await landing
    if (event !== null) await projector.idle()
    return event
  }

  const computer: Computer = {
    ...identity,
    folder,
    log,
    objects,
    large,
    state,
    writer,
    projector,
    git,
    async change(decide, reserveBytes) {
      await hold.passed()
      return await written(writer.submit(decide, reserveBytes))
    },
    changeAtOnce: (decide) => written(writer.submit(decide)),
    async holdStill(longestMs) {
      const letGo = hold.take(longestMs)
      try {
        await writer.submit(() => null)
        return letGo
      } catch (error) {
        letGo()
        throw error
      }
    },
    async erase(erased) {
      for (let start = 0; start < erased.length; start += ERASED_AT_ONCE) {
        const some = erased.slice(start, start + ERASED_AT_ONCE)
        // What an event has named again since stays (L3).
        await writer.alone((queries) => objects.erase(some.filter((object) => queries.isErased(object))))
      }
    },
    mendTree: () => projector.repair(() => ({ seq: state.cursor().seq, tree: new Map(state.queries.allEntries()) })),
    signHead,
    findLost: () => findLost(log, witnesses),
    async close() {
      await automatic.close()
      await writer.close()
      await snapshotting
      await projector.close()
      signOnClose()
      await state.onDisk()
      state.close()
      await sealTables(join(folder, PLACES.state)).catch((error: unknown) => machine.warn('the tables were not sealed', error))
      await large.close()
      await log.close()
      record?.close()
    },
  }
  return computer
}

/** An erase is done when the bytes are gone; a crash after its event leaves that to the next start. */
async function finishErasing({ state, objects, folder }: Computer): Promise<void> {
  const newest = state.queries.newestErase()
  const file = join(folder, PLACES.erased)
  const known = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (known === newest) return
  const left = []
  // A log that lost its end may have another event of that number by now: then everything is looked at.
  for (const object of state.queries.erased(known < newest ? known : 0)) if (await objects.has(object)) left.push(object)
  if (left.length > 0) await objects.erase(left)
  writeFileSync(file, String(newest))
}

/** Brings the files on disk to the log's head after a crash, by what changed since, or byte for byte where that is not known. */
async function recoverTree(computer: Computer): Promise<void> {
  const { log, objects, projector, state, writer } = computer
  const { seq } = writer.head()
  const from = projector.reachedSeq()
  if (from === null || from > seq) {
    await computer.mendTree()
    return
  }
  if (from === seq) return
  const [last] = from === 0 ? [] : await log.read({ after: from - 1, limit: 1 })
  const start = { seq: from, hash: last?.hash ?? NO_HASH }
  const wanted = new Map<TreePath, Entry | null>()
  for await (const facts of readFacts(log, objects.get, start)) {
    for (const fact of facts) for (const { path } of fact.changes) wanted.set(path, state.queries.tree.entry(path))
  }
  await projector.project(seq, wanted)
}
