import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Entry } from '@choiros/contract/change.ts'
import { NO_HASH, type ComputerId } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Progress } from '@choiros/contract/routes.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'
import type { Lease } from '@choiros/ports/ownership/ownership.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'
import { readFacts } from '../history/facts.ts'
import { openGitCheckpoints, type GitCheckpoints } from '../history/git-checkpoints.ts'
import { catchUp, openStateOf, type KeptOptions } from '../history/rebuild.ts'
import type { HeadRecord } from '../signing/head-record.ts'
import { isTableDamage } from '../state/damage.ts'
import { sealTables } from '../state/seal.ts'
import type { State } from '../state/state.ts'
import { removeTableFile } from '../state/tables.ts'
import { createProjector, type Projector } from '../tree/projector.ts'
import { createAfterAppend } from './after-append.ts'
import { createAutomaticCheckpoints } from './automatic-checkpoints.ts'
import type { Computer } from './computer.ts'
import { collectGarbage } from './garbage.ts'
import { createGitCommits } from './git-commits.ts'
import { createHeadSigner } from './head-signer.ts'
import { createHold } from './hold.ts'
import { createLogWriter, type LogWriter } from './log-writer.ts'
import type { ComputerIdentity, Machine } from './machine.ts'
import { createObjectStore, type ObjectStore } from './object-store.ts'
import { PLACES } from './places.ts'
import { createQuota } from './quota.ts'
import { freeBytesAt, watchRoom } from './room.ts'
import { checkHolds, checkTail, findLost, type TailWitnesses } from './tail.ts'

export interface OpenOptions {
  readonly progress?: Progress | undefined
  /** The home's record of how far the log had got. */
  readonly record?: HeadRecord
  /** What else must be put right before anyone is answered. */
  readonly finish?: (computer: Computer) => Promise<void>
}

/** Damaged tables are thrown away and made again; with any other damage the computer stays closed. */
export async function openComputer(
  folder: string,
  identity: ComputerIdentity,
  machine: Machine,
  options: OpenOptions = {},
): Promise<Computer> {
  const lease = await machine.ownership.take(identity.id)
  const open = () => openOnce(folder, identity, machine, lease, options)
  try {
    const computer = await open().catch((error: unknown) => {
      if (!isTableDamage(error)) throw error
      removeTables(folder)
      return open()
    })
    return {
      ...computer,
      async close() {
        try {
          await computer.close()
        } finally {
          await lease.release() // Even if it did not close well: it must be possible to open it again.
        }
      },
    }
  } catch (error) {
    await lease.release()
    throw error
  }
}

/** Everything beside the log that knows how far the log had got. */
export function witnessesOf(
  folder: string,
  computer: ComputerId,
  parts: Pick<TailWitnesses, 'git' | 'signer'> & { record: HeadRecord | null },
): TailWitnesses {
  const at = (place: keyof typeof PLACES) => join(folder, PLACES[place])
  return {
    computer,
    headFile: at('head'),
    stateFile: at('state'),
    treeCursorFile: at('treeCursor'),
    snapshots: at('snapshots'),
    ...parts,
  }
}

/**
 * Only for a closed computer. The log makes the tables again; a snapshot may hold the same damage, and so may the files
 * that were written from the tables.
 */
export function removeTables(folder: string): void {
  rmSync(join(folder, PLACES.treeCursor), { force: true })
  removeTableFile(join(folder, PLACES.state))
  rmSync(join(folder, PLACES.snapshots), { recursive: true, force: true })
}

async function openOnce(
  folder: string,
  identity: ComputerIdentity,
  machine: Machine,
  { epoch, lost }: Lease,
  { progress, record, finish }: OpenOptions,
): Promise<Computer> {
  const at = (place: keyof typeof PLACES) => join(folder, PLACES[place])
  const { reached } = machine
  mkdirSync(at('snapshots'), { recursive: true })
  const log = await machine.openLog({ name: basename(folder), computer: identity.id, epoch, reached })
  let state: State | null = null
  try {
    const objects = createObjectStore(log.objects, () => freeBytesAt(folder))
    // In git, a damaged object is a hole.
    const git = openGitCheckpoints(at('git'), (hash) => objects.find(hash).catch(() => null))
    const witnesses = witnessesOf(folder, identity.id, { git, signer: machine.signer, record: record ?? null })
    await checkTail(log, witnesses)
    log.settle()
    const replay = {
      log,
      object: objects.get,
      reached,
      bootId: machine.bootId,
      ...(progress === undefined ? {} : { progress }),
    }
    state = await openStateOf(at('state'), at('snapshots'), replay)
    const { queries } = state
    const projector = createProjector({
      folder: at('tree'),
      staging: at('staging'),
      cursorFile: at('treeCursor'),
      bootId: machine.bootId,
      object: objects.get,
      isFolder: (path) => queries.tree.entry(path)?.kind === 'folder',
      reached,
    })
    const parts: Parts = { folder, identity, machine, lost, log, objects, state, projector, git, replay, witnesses }
    const { computer, writer } = assemble(parts)
    await finishErasing(parts)
    // Git runs in processes of its own: to wait for it and for the files one after the other would take twice as long.
    await Promise.all([
      recoverTree(parts, computer).catch((error: unknown) =>
        machine.warn(`the files of ${identity.name} are behind its log`, error),
      ),
      computer
        .commitCheckpoints()
        .catch((error: unknown) => machine.warn(`checkpoints of ${identity.name} are not in git`, error)),
    ])
    await finish?.(computer)
    await collectGarbage({ objects, queries: state.queries, writer }, machine.now())
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
  readonly lost: AbortSignal
  readonly log: EventLog
  readonly objects: ObjectStore
  readonly state: State
  readonly projector: Projector
  readonly git: GitCheckpoints
  readonly replay: KeptOptions
  readonly witnesses: TailWitnesses
}

/** Each erased object is overwritten on disk: a hundred thousand at once would keep everyone waiting. */
const ERASED_AT_ONCE = 100

function assemble(parts: Parts): { computer: Computer; writer: LogWriter } {
  const { folder, identity, machine, lost, log, objects, state, projector, git, witnesses } = parts
  const { record } = witnesses
  // Twice, because the record has two slots: neither may still hold a head that a recovery has accounted for.
  for (let place = 0; place < 2; place++) if (state.cursor().seq > 0) record?.note(state.cursor())
  const { queries } = state
  const after = createAfterAppend({
    name: identity.name,
    snapshots: join(folder, PLACES.snapshots),
    state,
    projector,
    machine,
  })
  const automatic = createAutomaticCheckpoints(() => computer, machine)
  const appended = (facts: readonly Fact[]) => {
    const last = facts.at(-1)?.event
    if (last !== undefined) record?.note(last)
    after.project(facts)
    automatic.appended(facts)
    after.snapshotSometimes(last?.seq ?? 0)
  }
  const writer = createWriter(parts, appended, after.project)
  const hold = createHold()
  const heads = createHeadSigner({ identity, file: join(folder, PLACES.head), head: writer.head, record, machine })

  const computer: Computer = {
    ...identity,
    folder,
    lost,
    queries,
    objects,
    log,
    head: writer.head,
    filesSeq: writer.filesSeq,
    totals: writer.totals,
    tableHashes: state.tableHashes,
    append: writer.submit,
    async change(decide, { reserveBytes, atOnce = false } = {}) {
      if (!atOnce) await hold.passed()
      const event = await writer.submit(decide, reserveBytes)
      if (event !== null) await projector.idle()
      return event
    },
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
        // Objects that an event has named again since stay (L3).
        await writer.alone((standing) => objects.erase(some.filter((object) => standing.isErased(object))))
      }
    },
    collectGarbage: (nowMs, oldMs) => collectGarbage({ objects, queries, writer }, nowMs, oldMs),
    shown: projector.idle,
    problem: projector.problem,
    mendTree: () => projector.repair(() => ({ seq: state.cursor().seq, tree: new Map(queries.allEntries()) })),
    commitCheckpoints: createGitCommits({ computer: identity.id, log, queries, git, machine }),
    signHead: heads.sign,
    findLost: () => findLost(log, witnesses),
    async close() {
      await automatic.close()
      await writer.close()
      await after.close()
      heads.signOnClose()
      await state.onDisk()
      state.close()
      await sealTables(join(folder, PLACES.state)).catch((error: unknown) =>
        machine.warn('the tables were not sealed', error),
      )
      await log.close()
      record?.close()
    },
  }
  return { computer, writer }
}

type Told = (facts: readonly Fact[]) => void

/** `late` is called with facts that were in the log and not yet in the tables. */
function createWriter(
  { folder, identity, machine, log, objects, state, replay }: Parts,
  appended: Told,
  late: Told,
): LogWriter {
  return createLogWriter({
    computer: identity.id,
    log,
    state,
    objects,
    head: state.cursor(),
    now: machine.now,
    newEventId: machine.newEventId,
    room: watchRoom(folder, machine.now),
    quota: createQuota(machine.now, machine.quotas),
    reached: machine.reached,
    appended,
    catchUp: async () => {
      const from = state.cursor()
      await checkHolds(log, from)
      const head = await catchUp(state, replay)
      for await (const facts of readFacts(log, objects.get, from)) late(facts)
      return head
    },
  })
}

/** An erase is done when the bytes are gone; where a crash came after its event, this start removes them. */
async function finishErasing({ state, objects, folder }: Parts): Promise<void> {
  const newest = state.queries.newestErase()
  const file = join(folder, PLACES.erased)
  const known = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (known === newest) return
  const left = []
  // A log that lost its end may have another event of that number by now: then all erased objects are looked at.
  for (const object of state.queries.erased(known < newest ? known : 0))
    if (await objects.has(object)) left.push(object)
  if (left.length > 0) await objects.erase(left)
  writeFileSync(file, String(newest))
}

/**
 * Brings the files on disk to the log's head after a crash: only what changed since, or byte for byte where that is not
 * known.
 */
async function recoverTree({ log, objects, projector, state }: Parts, computer: Computer): Promise<void> {
  const { seq } = computer.head()
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
