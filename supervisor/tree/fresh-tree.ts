import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Entry } from '@choiros/contract/change.ts'
import { hasCode } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { foldersAbove, type TreePath } from '@choiros/contract/path.ts'
import { writeFiles, type FreshFile, type FreshFiles, type FreshReply } from './fresh-files.ts'

/** From so many entries on a second thread is worth its start: it makes the files while this one reads and proves the objects. */
const THREAD_FROM = 2000
const BATCH_FILES = 200
const BATCH_BYTES = 4 * 1024 * 1024
/** Batches on their way to the other thread: more would only fill the memory. */
const UNDERWAY_MAX = 3

export interface Lost {
  readonly paths: ReadonlyMap<TreePath, Entry>
  /** Why the last of them could not be written. */
  readonly cause: unknown
}

/**
 * Writes a whole tree into an empty folder that nobody looks into yet, so that no file needs a temporary name. One damaged picture must not keep
 * every other file from its place: what could not be read is returned.
 */
export async function writeFreshTree(folder: string, tree: ReadonlyMap<TreePath, Entry>, object: (hash: Hash) => Promise<Buffer>): Promise<Lost> {
  const paths = new Map<TreePath, Entry>()
  let cause: unknown = null
  const target = tree.size < THREAD_FROM ? openHere(folder) : openInThread(folder)
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
  const known = new Set<string>()
  let folders: string[] = []
  let files: FreshFile[] = []
  let contents: Buffer[] = []
  let size = 0
  return {
    addFolders(above: readonly string[]) {
      for (const folder of above) {
        if (known.has(folder)) continue
        known.add(folder)
        folders.push(folder)
      }
    },
    addFile(path: TreePath, { kind, mode }: Entry, bytes: Buffer) {
      files.push([path, kind === 'symlink' ? null : mode === '755' ? 0o755 : 0o644, bytes.length])
      contents.push(bytes)
      size += bytes.length
    },
    isFull: () => files.length >= BATCH_FILES || size >= BATCH_BYTES,
    take(): FreshFiles {
      const taken = { folders, files, bytes: new Uint8Array(Buffer.concat(contents)) }
      folders = []
      files = []
      contents = []
      size = 0
      return taken
    },
  }
}

interface Target {
  write(files: FreshFiles): Promise<void>
  finish(): Promise<void>
  close(): Promise<unknown>
}

function openHere(folder: string): Target {
  return {
    async write(files) {
      writeFiles(folder, files)
      await nextTurn()
    },
    finish: async () => {},
    close: async () => {},
  }
}

function openInThread(folder: string): Target {
  const worker = new Worker(new URL('fresh-tree-worker.ts', import.meta.url), { workerData: { folder } })
  let underway = 0
  let failure: Error | null = null
  let wake = () => {}
  const fail = (error: Error) => {
    failure ??= error
    wake()
  }
  worker.on('message', (reply: FreshReply) => {
    underway--
    if (reply !== 'done') return fail(Object.assign(new Error(reply.message), { code: reply.code }))
    wake()
  })
  worker.on('error', fail)
  const waitUntil = async (isEnough: () => boolean) => {
    while (failure === null && !isEnough()) await new Promise<void>((resolve) => (wake = resolve))
    if (failure !== null) throw failure
  }
  return {
    async write(files) {
      await waitUntil(() => underway < UNDERWAY_MAX)
      underway++
      worker.postMessage(files, [files.bytes.buffer])
    },
    finish: () => waitUntil(() => underway === 0),
    close: () => worker.terminate(),
  }
}
