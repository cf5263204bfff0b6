import { copyFileSync, existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import { sameEntry, type Change, type Entry } from '@choiros/contract/change.ts'
import type { DataOf } from '@choiros/contract/catalog.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { LogRecover } from '@choiros/contract/events/files.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { linkProblem, type TreePath } from '@choiros/contract/path.ts'
import { applyChanges, diffTrees, hashTree, placeProblem, readTreeMap, type TreeMap } from '@choiros/core/tree.ts'
import type { EventLog, Head, Leftover } from '@choiros/ports/event-log/event-log.ts'
import type { ComputerIdentity } from '../computer/machine.ts'
import { PLACES } from '../computer/places.ts'
import { sealProposal, type Sealed } from '../computer/seal.ts'
import { catchUp } from '../history/rebuild.ts'
import type { HeadRecord } from '../signing/head-record.ts'
import { buildTables } from '../state/build.ts'
import { openState } from '../state/state.ts'
import { readCursor, removeTableFile } from '../state/tables.ts'
import { witnessedSeq } from '../tree/projector.ts'
import { readTree } from '../tree/survey.ts'
import { userDraft, type Context } from './context.ts'

/** Everything a computer consists of while it is too damaged to open. */
export interface Damaged {
  readonly context: Context
  readonly identity: ComputerIdentity
  readonly folder: string
  readonly record: HeadRecord
  readonly log: EventLog
  readonly leftover: Leftover | null
}

/** What was found of the files that the log does not lead to. */
export interface FoundFiles {
  readonly changes: readonly Change[]
  /** Paths whose newest version was found nowhere. */
  readonly missing: TreePath[]
  readonly objects: ReadonlyMap<Hash, Buffer>
  /** With the changes. */
  readonly tree: Hash
  /** What the person had asked for. */
  readonly asked: string[]
}

/**
 * Looks in the tables and on the disk for files that are newer than the end of this log. `known`: whether the tables
 * and the files are whole, and only the log is not; then a file that is not there was deleted.
 */
export async function lookAtFiles(
  damaged: Damaged,
  log: EventLog,
  { areTablesNewer, known = false }: { readonly areTablesNewer: boolean; readonly known?: boolean },
): Promise<FoundFiles> {
  const { folder } = damaged
  const base = await treeOf(damaged, log)
  const { seq: head } = await log.head()
  const tables = areTablesNewer ? readTables(damaged, head) : null
  const wanted = new Map(tables?.tree ?? base)
  const filesSeq = witnessedSeq(join(folder, PLACES.treeCursor))
  // The files may be some events ahead of the tables, and they are all there is where the tables are gone. A file that
  // is not there proves nothing.
  if (filesSeq === null || filesSeq > Math.max(head, tables?.seq ?? 0)) {
    const there = existsSync(join(folder, PLACES.tree))
      ? await readTree(join(folder, PLACES.tree))
      : new Map<TreePath, Entry>()
    if (known && filesSeq !== null) wanted.clear()
    for (const [path, entry] of there)
      if ((known || entry.kind !== 'folder') && !sameEntry(wanted.get(path) ?? null, entry)) wanted.set(path, entry)
  }
  const objects = new Map<Hash, Buffer>()
  const missing: TreePath[] = []
  let changes: Change[] = []
  for (const change of diffTrees(base, wanted)) {
    const object = change.to?.object ?? null
    const bytes = object === null ? null : await findObject(damaged, object, change.path)
    const isLinkOutside =
      change.to?.kind === 'symlink' && bytes !== null && linkProblem(change.path, bytes.toString('utf8')) !== null
    if ((object !== null && bytes === null) || isLinkOutside) {
      missing.push(change.path)
      continue
    }
    if (object !== null && bytes !== null) objects.set(object, bytes)
    changes.push(change)
  }
  // Without the missing entries, something else may stand where a folder or a file would have to be.
  for (;;) {
    const after = readTreeMap(applyChanges(base, changes))
    const misplaced = changes.find(({ path, to }) => to !== null && placeProblem(after, path, to) !== null)
    if (misplaced === undefined) break
    changes = changes.filter((change) => change !== misplaced)
    missing.push(misplaced.path)
  }
  return { changes, missing, objects, tree: hashTree(applyChanges(base, changes)), asked: tables?.asked ?? [] }
}

/** The event that says what was lost, and brings along what was found of the files. */
export function sealRecovery(
  { context, identity }: Pick<Damaged, 'context' | 'identity'>,
  head: Head,
  { changes, missing, objects, tree }: Omit<FoundFiles, 'asked'>,
  { after, known }: Pick<DataOf<typeof LogRecover>, 'after' | 'known'>,
): Sealed {
  const draft = userDraft(context, LogRecover, { after, known, tree, missing: missing.length })
  const brought = [...objects].map(([hash, bytes]) => ({ hash, bytes }))
  return sealProposal({ draft, changes, objects: brought }, head, { ...context.machine, computer: identity.id })
}

/** Finds an object by its hash, wherever it is: in the log, beside it, in the leftover, or as a file on disk. */
export async function findObject(
  { log, leftover, folder }: Damaged,
  hash: Hash,
  path?: TreePath,
): Promise<Buffer | null> {
  const quietly = (bytes: Promise<Buffer | null> | undefined) => bytes?.catch(() => null)
  const known = (await quietly(log.objects.get(hash))) ?? (await quietly(leftover?.object(hash)))
  if (known !== undefined && known !== null) return known
  const bytes = path === undefined ? null : readEntry(join(folder, PLACES.tree, path))
  return bytes !== null && sha256(bytes) === hash ? bytes : null
}

function readEntry(file: string): Buffer | null {
  try {
    return lstatSync(file).isSymbolicLink() ? Buffer.from(readlinkSync(file, 'buffer')) : readFileSync(file)
  } catch {
    return null
  }
}

export async function treeOf({ context }: Damaged, log: EventLog): Promise<TreeMap> {
  const file = context.home.temporaryFile('recovery')
  const object = async (hash: Hash) => {
    const bytes = await log.objects.get(hash)
    if (bytes === null) throw new ChoirError('object.missing', `object ${hash} is not on this computer`)
    return bytes
  }
  try {
    await buildTables(file, { events: (await log.head()).seq }, (build) =>
      catchUp(build, { log, object, reached: () => {} }),
    )
    const state = openState(file)
    const tree = new Map(state.queries.allEntries())
    state.close()
    return tree
  } finally {
    removeTableFile(file)
  }
}

const ASKED_MAX = 50

/** Reads a copy: opening tables may throw them away, and nothing else knows as much. Null where they cannot be used. */
function readTables(
  { context, folder }: Damaged,
  head: number,
): { seq: number; tree: TreeMap; asked: string[] } | null {
  const copy = context.home.temporaryFile('lost-tables')
  try {
    for (const suffix of ['', '-wal']) {
      const file = join(folder, PLACES.state) + suffix
      if (existsSync(file)) copyFileSync(file, copy + suffix)
    }
    const seq = readCursor(copy)?.seq ?? 0
    const state = openState(copy, { bootId: context.machine.bootId })
    try {
      const asked = state.queries.runs(ASKED_MAX).filter((run) => run.asked > head)
      const tree = new Map(state.queries.allEntries())
      return state.cursor().seq === seq && seq > 0
        ? { seq, tree, asked: asked.map(({ text }) => text).reverse() }
        : null
    } finally {
      state.close()
    }
  } catch {
    return null
  } finally {
    removeTableFile(copy)
  }
}
