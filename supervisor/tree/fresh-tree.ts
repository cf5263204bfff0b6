import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Entry } from '@choiros/contract/change.ts'
import { hasCode } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { foldersAbove, type TreePath } from '@choiros/contract/path.ts'
import { writeFiles, type FreshFile, type FreshFiles, type FreshReply } from './fresh-files.ts'

/**
 * From so many entries on, other threads are worth their start: they make the files while this one reads and proves the
 * objects.
 */
const THREADS_FROM = 2000
/** A file system makes files in different folders at the same time, but not many. */
const THREADS = Math.min(2, availableParallelism())
const BATCH_FILES = 200
const BATCH_BYTES = 4 * 1024 * 1024
/** Batches on their way to one thread: more would only fill the memory. */
const UNDERWAY_MAX = 2

export interface Lost {
  readonly paths: ReadonlyMap<TreePath, Entry>
  /** Why the last of them could not be written. */
  readonly cause: unknown
}

/**
 * Writes a whole tree into an empty folder that nobody looks into yet, so that no file needs a temporary name. One
 * damaged object must not keep all other files from being written: those that could not be read are returned.
 */
export async function writeFreshTree(
  folder: string,
  tree: ReadonlyMap<TreePath, Entry>,
  object: (hash: Hash) => Promise<Buffer>,
): Promise<Lost> {
  const paths = new Map<TreePath, Entry>()
  let cause: unknown = null
  const target = tree.size < THREADS_FROM ? openHere(folder) : openThreads(folder)
  try {
    const batch = createBatch()
    for (const [path, entry] of tree) {
      batch.addFolders(entry.kind === 'folder' ? [...foldersAbove(path), path] : foldersAbove(path))
      if (entry.kind === 'folder') continue
      try {
        batch.addFile(path, entry, await object(entry.object))
      } catch (error) {
        if (!hasCode(error, 'object.missing') && !hasCode(error, 'object.corrupt')) throw error
        paths.set(path, entry)
        cause = error
      }
      if (batch.isFull()) await target.write(batch.take())
    }
    await target.write(batch.take())
    await target.finish()
  } finally {
    await target.close()
  }
  return { paths, cause }
}

function createBatch() {
  let folders = new Set<string>()
  let files: FreshFile[] = []
  let contents: Buffer[] = []
  let size = 0
  return {
    addFolders(above: readonly string[]) {
      for (const folder of above) folders.add(folder)
    },
    addFile(path: TreePath, { kind, mode }: Entry, bytes: Buffer) {
      files.push([path, kind === 'symlink' ? null : mode === '755' ? 0o755 : 0o644, bytes.length])
      contents.push(bytes)
      size += bytes.length
    },
    isFull: () => files.length >= BATCH_FILES || size >= BATCH_BYTES,
    take(): FreshFiles {
      const taken = { folders: [...folders], files, bytes: joined(contents, size) }
      folders = new Set()
      files = []
      contents = []
      size = 0
      return taken
    },
  }
}

/** A buffer with memory of its own, which can be given to another thread: a small Buffer is part of a shared one. */
function joined(contents: readonly Buffer[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const content of contents) {
    bytes.set(content, at)
    at += content.length
  }
  return bytes
}

interface Target {
  write(files: FreshFiles): Promise<void>
  finish(): Promise<void>
  close(): Promise<unknown>
}

function openHere(folder: string): Target {
  const made = new Set<string>()
  return {
    async write(files) {
      writeFiles(folder, files, made)
      await nextTurn()
    },
    finish: async () => {},
    close: async () => {},
  }
}

function openThreads(folder: string): Target {
  let failure: Error | null = null
  let wake = () => {}
  const answered = (error?: Error) => {
    failure ??= error ?? null
    wake()
  }
  const threads = Array.from({ length: THREADS }, () => startThread(folder, answered))
  const waitUntil = async (isEnough: () => boolean) => {
    while (failure === null && !isEnough()) await new Promise<void>((resolve) => (wake = resolve))
    if (failure !== null) throw failure
  }
  const freest = () => threads.reduce((best, thread) => (thread.underway() < best.underway() ? thread : best))
  return {
    async write(files) {
      await waitUntil(() => freest().underway() < UNDERWAY_MAX)
      freest().send(files)
    },
    finish: () => waitUntil(() => threads.every((thread) => thread.underway() === 0)),
    close: () => Promise.all(threads.map((thread) => thread.stop())),
  }
}

function startThread(folder: string, answered: (error?: Error) => void) {
  const worker = new Worker(new URL('fresh-tree-worker.ts', import.meta.url), { workerData: { folder } })
  let underway = 0
  worker.on('message', (reply: FreshReply) => {
    underway--
    answered(reply === 'done' ? undefined : Object.assign(new Error(reply.message), { code: reply.code }))
  })
  worker.on('error', answered)
  return {
    underway: () => underway,
    send(files: FreshFiles) {
      underway++
      worker.postMessage(files, [files.bytes.buffer])
    },
    stop: () => worker.terminate(),
  }
}
