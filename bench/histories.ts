import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import { BaseInstall, FileChange } from '@choiros/contract/events/files.ts'
import { WindowOpen } from '@choiros/contract/events/windows.ts'
import { sealEvent, type StoredEvent } from '@choiros/contract/event.ts'
import { eventIdFrom, NO_HASH, type Seq } from '@choiros/contract/ids.ts'
import { packChanges } from '@choiros/core/facts.ts'
import { hashSortedTree } from '@choiros/core/tree.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import { openSqliteEventLog } from '@choiros/ports/event-log/sqlite.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { IDENTITY, openBenchComputer } from './bench-computer.ts'
import { happenings, type Happening } from './history-events.ts'
import { createHistoryFiles } from './history-files.ts'
import { createRandom } from './random.ts'

export interface HistorySpec {
  readonly name: string
  readonly events: number
  /** How many files the tree grows to. */
  readonly files: number
  /** All files are there from the start, uploaded in bursts of 500. */
  readonly preload: boolean
}

export const GROWN_1K: HistorySpec = { name: 'grown-1k', events: 1_000, files: 10_000, preload: false }
export const FILES_1K: HistorySpec = { name: 'files-1k', events: 1_000, files: 10_000, preload: true }
export const FILES_1M: HistorySpec = { name: 'files-1m', events: 1_000_000, files: 10_000, preload: true }

const BATCH = 2_000
const UPLOAD = 500
const FIRST_DAY_MS = Date.UTC(2026, 0, 1)

/**
 * The folder of a computer that holds a log and nothing derived from it. Made once per run of the bench; treat it as
 * read-only.
 */
export async function logOf(runFolder: string, spec: HistorySpec): Promise<string> {
  const folder = join(runFolder, spec.name)
  if (existsSync(folder)) return folder
  const making = `${folder}.new`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { recursive: true })
  const log = await openSqliteEventLog({
    file: join(making, PLACES.log),
    folder: join(making, PLACES.objects),
    computer: IDENTITY.id,
    epoch: 1,
  })
  await fill(log, spec)
  await log.close()
  renameSync(making, folder)
  return folder
}

/**
 * The same computer with its tables, tree, snapshot and checkpoints, as it stands after a clean stop. Treat it as
 * read-only.
 */
export async function computerOf(runFolder: string, spec: HistorySpec): Promise<string> {
  const folder = join(runFolder, `${spec.name}-opened`)
  if (existsSync(folder)) return folder
  const making = `${folder}.new`
  rmSync(making, { recursive: true, force: true })
  await cp(await logOf(runFolder, spec), making, { recursive: true })
  const computer = await openBenchComputer(making)
  await touch(computer) // The first write after so many events takes the snapshot that a used computer has.
  await computer.close()
  renameSync(making, folder)
  return folder
}

/** A copy that a bench may write to, of everything or of some places in it. */
export async function ownCopy(folder: string, copy: string, places: readonly string[] = ['.']): Promise<string> {
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  for (const place of places)
    if (existsSync(join(folder, place))) await cp(join(folder, place), join(copy, place), { recursive: true })
  return copy
}

async function touch(computer: Computer): Promise<void> {
  const data = { window: 'window-0', app: 'clock', title: 'clock' }
  const draft = {
    type: WindowOpen.type,
    version: WindowOpen.version,
    data,
    user: computer.user,
    source: 'user',
    via: 'desktop',
  } as const
  await computer.change(() => ({ draft: { ...draft, run: null, cause: null } }))
}

async function fill(log: EventLog, spec: HistorySpec): Promise<void> {
  const random = createRandom(spec.events + spec.files)
  const files = createHistoryFiles(random, spec.files)
  let head: Head = { seq: 0, hash: NO_HASH }
  let events: StoredEvent[] = []
  let objects: ObjectBytes[] = []

  const flush = async () => {
    await log.append(events, objects, head.seq - events.length)
    events = []
    objects = []
  }
  const add = async (happening: Happening) => {
    const stored = sealAfter(head, happening, random.bytes(10))
    events.push(stored)
    objects.push(...(happening.edited?.objects ?? []))
    head = stored
    if (events.length >= BATCH) await flush()
  }

  await add(install())
  while (spec.preload && files.count() < spec.files) {
    await add({ definition: FileChange, data: {}, source: 'user', via: 'desktop', edited: files.create(UPLOAD) })
  }
  for (const happening of happenings(random, files)) {
    if (head.seq >= spec.events) break
    await add(happening)
  }
  await flush()
}

function install(): Happening {
  const data = { name: IDENTITY.name, release: '0.1.0', tree: hashSortedTree([]), dependencies: null }
  return { definition: BaseInstall, data, source: 'system', via: 'system', edited: { changes: [], objects: [] } }
}

function sealAfter(head: Head, happening: Happening, randomBytes: Buffer): StoredEvent {
  const { definition, source, via, run = null, edited } = happening
  const seq = (head.seq + 1) as Seq
  const time = FIRST_DAY_MS + seq * 3_000
  const packed = edited && packChanges(edited.changes)
  const data = happening.undoesLast === true ? { ...happening.data, target: head.seq } : happening.data
  const { stored } = sealEvent(
    {
      type: definition.type,
      version: definition.version,
      data:
        packed === undefined
          ? data
          : { ...data, changes: packed.changes, manifest: packed.manifest && sha256(packed.manifest) },
      user: IDENTITY.user,
      source,
      via,
      run,
      cause: null,
    },
    { id: eventIdFrom(time, randomBytes), computer: IDENTITY.id, seq, time, prev: head.hash },
  )
  if (packed?.manifest) throw new Error('an upload of the bench fits into its event')
  return stored
}
