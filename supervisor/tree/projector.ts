import { randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Entry } from '@choiros/contract/change.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import { foldersAbove, type TreePath } from '@choiros/contract/path.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'
import type { Reached } from '../crash-points.ts'
import { writeFreshTree } from './fresh-tree.ts'
import { surveyTree } from './survey.ts'

/** Writes the computer's files to a folder that everyone else may only read. Nothing else writes there (L1). */
export interface Projector {
  /** Makes the given paths be as given; null means gone. Calls queue and run in order. */
  project(seq: number, wanted: ReadonlyMap<TreePath, Entry | null>): Promise<void>
  /** The last event whose files are all in place, or null if that is not known. */
  reachedSeq(): number | null
  /**
   * Compares the folder with the tree of that moment, byte for byte, and mends what differs. Returns what was wrong.
   */
  repair(current: () => { seq: number; tree: ReadonlyMap<TreePath, Entry> }): Promise<string[]>
  /**
   * Why some files are not in place although the log has them, in a sentence; null: all are in place. Writing them is
   * tried again until it succeeds.
   */
  problem(): string | null
  /** Waits until everything queued is written. */
  idle(): Promise<void>
  close(): Promise<void>
}

export interface ProjectorOptions {
  readonly folder: string
  /** On the same disk as the folder, so that a rename is atomic, but not in it, so that no watcher sees half a file. */
  readonly staging: string
  readonly cursorFile: string
  /** Changes when the machine restarts: what was written before that may never have reached the disk. */
  readonly bootId: string
  readonly object: (hash: Hash) => Promise<Buffer>
  /** Whether the tree has this folder for its own sake, and not only because of what is in it. */
  readonly isFolder: (path: TreePath) => boolean
  readonly reached: Reached
}

/** A watcher that misses the second of two quick writes sees this touch. 80 ms is the shortest that never failed. */
const TOUCH_AFTER_MS = 100
const YIELD_EVERY = 100
const RETRY_AFTER_MS = 5000

export function createProjector(options: ProjectorOptions): Projector {
  const { folder, staging, reached } = options
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { recursive: true })
  // A folder that did not exist is neither open nor mounted anywhere: only then may the whole folder be put in place at
  // once.
  let isNew = !existsSync(folder)
  mkdirSync(folder, { recursive: true })
  let cursor = readCursor(options)
  let queue: Promise<void> = Promise.resolve()
  const touches = new Map<TreePath, NodeJS.Timeout>()

  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    // Waits a turn first: the log writer's callers are answered in this turn, and a burst of files would delay them.
    const done = queue.then(() => nextTurn()).then(work)
    queue = done.then(
      () => {},
      () => {},
    )
    return done
  }

  // Files that could not be written (a full disk, a damaged object) are tried again with the next ones, and by
  // themselves after a while.
  let owed = new Map<TreePath, Entry | null>()
  let retry: NodeJS.Timeout | null = null
  const retryLater = (seq: number) => {
    if (retry !== null) clearTimeout(retry)
    retry = setTimeout(
      () => void enqueue(() => write(Math.max(seq, cursor ?? 0), new Map())).catch(() => {}),
      RETRY_AFTER_MS,
    ).unref()
  }

  let failure: unknown = null
  const failed = (error: unknown): unknown => {
    failure = toStorageError(error, 'writing files')
    return failure
  }

  const write = async (seq: number, paths: ReadonlyMap<TreePath, Entry | null>) => {
    owed = new Map([...owed, ...paths])
    isNew = false
    try {
      await writeAll(seq, owed)
      failure = null
    } catch (error) {
      retryLater(seq)
      throw failed(error)
    }
  }

  const writeAll = async (seq: number, wanted: ReadonlyMap<TreePath, Entry | null>) => {
    reached('tree.project.before')
    const { blocking, created, changed, deleted } = inOrder(folder, wanted)
    const stays = (path: TreePath) => (wanted.has(path) ? wanted.get(path)?.kind === 'folder' : options.isFolder(path))
    for (const path of blocking) removePath(folder, path)
    removeEmptyFolders(folder, blocking, stays)
    // A watcher that has just seen the folder may have read it before the file was in it, and watch it only after that.
    const inNewFolders = created.filter(([path]) => lookAt(dirname(join(folder, path))) === undefined)
    const known = new Set<string>()
    let count = 0
    const lost = new Map<TreePath, Entry>()
    let loss: unknown = null
    for (const [path, entry] of [...created, ...changed]) {
      await putEntry(path, entry, known).catch((error: unknown) => {
        // One damaged object must not keep all other files from being written.
        if (!hasCode(error, 'object.missing') && !hasCode(error, 'object.corrupt')) throw error
        lost.set(path, entry)
        loss = error
      })
      if (++count % YIELD_EVERY === 0) await nextTurn()
    }
    if (deleted.length > 0) reached('tree.delete.before')
    const real = new Set<string>()
    for (const path of deleted) removePath(folder, path, real)
    removeEmptyFolders(folder, deleted, stays)
    for (const [path, entry] of [...changed, ...inNewFolders]) if (entry.kind === 'file') touchLater(path)
    finish(seq, lost, loss)
  }

  const finish = (seq: number, lost: ReadonlyMap<TreePath, Entry>, cause: unknown) => {
    owed = new Map(lost)
    if (lost.size > 0) throw cause
    reached('tree.cursor.before')
    writeCursor(options, seq)
    cursor = seq
    reached('tree.project.after')
  }

  const writeWhole = async (seq: number, tree: ReadonlyMap<TreePath, Entry>) => {
    reached('tree.project.before')
    const whole = join(staging, 'tree')
    try {
      mkdirSync(whole)
      const lost = await writeFreshTree(whole, tree, options.object)
      reached('tree.write.after')
      renameSync(whole, folder)
      reached('tree.rename.after')
      finish(seq, lost.paths, lost.cause)
    } catch (error) {
      rmSync(whole, { recursive: true, force: true })
      if (owed.size === 0) owed = new Map(tree)
      retryLater(seq)
      throw failed(error)
    }
  }

  const putEntry = async (path: TreePath, entry: Entry, known: Set<string>) => {
    ensureFolders(folder, entry.kind === 'folder' ? [...foldersAbove(path), path] : foldersAbove(path), known)
    if (entry.kind === 'folder') return
    const bytes = await options.object(entry.object)
    const temporary = join(staging, randomBytes(8).toString('hex'))
    try {
      if (entry.kind === 'symlink') symlinkSync(bytes.toString('utf8'), temporary)
      else writeFileSync(temporary, bytes, { mode: entry.mode === '755' ? 0o755 : 0o644, flag: 'wx' })
      reached('tree.write.after')
      replace(temporary, join(folder, path))
    } catch (error) {
      rmSync(temporary, { force: true }) // On a full disk, a half-written file takes room that others need.
      throw error
    }
    reached('tree.rename.after')
  }

  const touchLater = (path: TreePath) => {
    clearTimeout(touches.get(path))
    const timer = setTimeout(() => {
      touches.delete(path)
      const now = new Date()
      try {
        lutimesSync(join(folder, path), now, now)
      } catch {
        // Deleted meanwhile: its watcher hears of that instead.
      }
    }, TOUCH_AFTER_MS)
    timer.unref()
    touches.set(path, timer)
  }

  return {
    project: (seq, wanted) => enqueue(() => write(seq, wanted)),
    reachedSeq: () => cursor,
    repair: (current) =>
      enqueue(async () => {
        const { seq, tree } = current()
        owed = new Map() // The survey below finds what was owed, too.
        if (isNew) {
          isNew = false
          await writeWhole(seq, tree)
          return [...tree.keys()].map((path) => `${path}: missing`)
        }
        const found = await surveyTree(folder, tree)
        await write(seq, new Map(found.map(({ path }) => [path, tree.get(path) ?? null])))
        return found.map(({ path, problem }) => `${path}: ${problem}`)
      }),
    problem() {
      if (failure === null) return null
      const why = failure instanceof ChoirError ? failure.message : 'they could not be written'
      return `${owed.size} ${owed.size === 1 ? 'file is' : 'files are'} saved but not in place on disk: ${why} They are put in place as soon as that is possible.`
    },
    idle: () => queue,
    async close() {
      await queue
      if (retry !== null) clearTimeout(retry)
      for (const timer of touches.values()) clearTimeout(timer)
      touches.clear()
    },
  }
}

/**
 * New files, then changed ones, then deletions, so that nothing disappears before its replacement is there; only what
 * stands in the way goes first.
 */
function inOrder(folder: string, wanted: ReadonlyMap<TreePath, Entry | null>) {
  const created: [TreePath, Entry][] = []
  const changed: [TreePath, Entry][] = []
  const deleted: TreePath[] = []
  const parents = new Set<string>()
  for (const [path, entry] of wanted) {
    if (entry === null) continue
    const there = lookAt(join(folder, path))
    ;(there === undefined ? created : changed).push([path, entry])
    for (const parent of foldersAbove(path)) parents.add(parent)
  }
  const blocking: TreePath[] = []
  for (const [path, entry] of wanted) {
    if (entry !== null) continue
    const underFile = foldersAbove(path).some(
      (above) => wanted.get(above as TreePath)?.kind === 'file' || wanted.get(above as TreePath)?.kind === 'symlink',
    )
    ;(parents.has(path) || underFile ? blocking : deleted).push(path)
  }
  return { blocking: blocking.reverse(), created, changed, deleted: deleted.reverse() }
}

/** Below a path that is now a file there is nothing; the kernel reports that by another error than a missing name. */
function lookAt(full: string): Stats | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Makes folders. A file or symlink in the place of one is left over from an earlier state of the tree. */
function ensureFolders(folder: string, folders: readonly string[], known: Set<string>): void {
  for (const path of folders) {
    if (known.has(path)) continue
    const full = join(folder, path)
    const there = lookAt(full)
    if (there !== undefined && !there.isDirectory()) rmSync(full)
    if (there === undefined || !there.isDirectory()) mkdirSync(full)
    known.add(path)
  }
}

/**
 * Puts a file in place of whatever stands there, even a folder with all its content: the log knows nothing below a
 * file.
 */
function replace(temporary: string, place: string): void {
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(place, { recursive: true })
  renameSync(temporary, place)
}

/**
 * `real`: folders above the path that were already found to be no symlinks. Only things below them are deleted
 * meanwhile, so this stays true.
 */
function removePath(folder: string, path: TreePath, real: Set<string> = new Set()): void {
  const full = join(folder, path)
  // If a symlink has taken the place of a parent, the path leads elsewhere: what is there is not ours to delete.
  for (const above of foldersAbove(path)) {
    if (real.has(above)) continue
    if (lookAt(join(folder, above))?.isDirectory() !== true) return
    real.add(above)
  }
  const there = lookAt(full)
  if (there === undefined) return
  if (!there.isDirectory()) return rmSync(full)
  try {
    rmdirSync(full)
  } catch {
    // It is not empty: it holds other files of the tree, or ignored ones, which are never touched.
  }
}

/** Removes folders that were only there because of what is gone now. */
function removeEmptyFolders(folder: string, deleted: readonly TreePath[], stays: (path: TreePath) => boolean): void {
  const candidates = new Set<string>()
  const real = new Set<string>()
  for (const path of deleted) for (const above of foldersAbove(path)) candidates.add(above)
  for (const path of [...candidates].sort((a, b) => b.length - a.length)) {
    if (!stays(path as TreePath)) removePath(folder, path as TreePath, real)
  }
}

/** Inode numbers are reused; together with the time of birth they identify one folder. */
function nameOf(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder)
  return `${ino} ${birthtimeMs}`
}

interface TreeCursor {
  readonly seq: number
  readonly bootId: string
  readonly folder: string
  readonly sum: number
}

/** One flipped digit must not pass for a witness of events that never were. */
function sumOf({ seq, bootId, folder }: Omit<TreeCursor, 'sum'>): number {
  return crc32(`${seq} ${bootId} ${folder}`)
}

function parseCursor(cursorFile: string): TreeCursor | null {
  try {
    const cursor = JSON.parse(readFileSync(cursorFile, 'utf8')) as TreeCursor
    return Number.isSafeInteger(cursor.seq) && cursor.sum === sumOf(cursor) ? cursor : null
  } catch {
    return null
  }
}

/** How far the log had got when the files were last written, in whichever boot. */
export function witnessedSeq(cursorFile: string): number | null {
  return parseCursor(cursorFile)?.seq ?? null
}

/** Null where the cursor is from another boot, or about a folder that someone has replaced. */
function readCursor({ cursorFile, bootId, folder }: ProjectorOptions): number | null {
  const cursor = parseCursor(cursorFile)
  return cursor !== null && cursor.bootId === bootId && cursor.folder === nameOf(folder) ? cursor.seq : null
}

function writeCursor({ cursorFile, bootId, staging, folder }: ProjectorOptions, seq: number): void {
  const temporary = join(staging, 'cursor')
  const cursor = { seq, bootId, folder: nameOf(folder) }
  writeFileSync(temporary, JSON.stringify({ ...cursor, sum: sumOf(cursor) } satisfies TreeCursor))
  renameSync(temporary, cursorFile)
}
