import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { numberWrites, openBuildFile, type BuildFile, type NumberedWrites } from './build-file.ts'
import { markOf } from './on-disk.ts'
import { removeTableFile, startReducers, type Cursor, type Replay } from './tables.ts'

/**
 * From so many events on, a second thread is worth its start: it writes the rows while this one reads and proves the
 * log.
 */
const THREAD_FROM_EVENTS = 50_000
/** Batches on their way to the other thread: more would only pile up. */
const UNDERWAY_MAX = 3

export interface BuildOptions {
  /** How many events are to come. */
  readonly events: number
  /** The present boot, for tables that are kept; undefined for temporary ones. */
  readonly bootId?: string
}

/** Makes tables from a log, in a file that holds none or older ones. When this is done, the file is whole or gone. */
export async function buildTables(
  file: string,
  { events, bootId }: BuildOptions,
  replayInto: (build: Replay) => Promise<unknown>,
): Promise<void> {
  const mark = bootId === undefined ? 0 : markOf(bootId)
  const target = events < THREAD_FROM_EVENTS ? openBuildFile(file, mark) : await openInThread(file, mark)
  try {
    let { cursor } = target
    const reducers = startReducers(target.writeOf)
    await replayInto({
      cursor: () => cursor,
      replay(facts) {
        for (const fact of facts) cursor = reducers.apply(fact, cursor)
        return target.flush()
      },
    })
    reducers.settle()
    await target.flush()
    await target.finish(cursor)
  } catch (error) {
    await target.abandon()
    throw error
  }
}

export type BuildRequest = { readonly writes: NumberedWrites } | { readonly finish: Cursor }
export type BuildReply =
  | { readonly cursor: Cursor }
  | { readonly failure: { readonly message: string; readonly code: string } }
  | 'done'

async function openInThread(file: string, mark: number): Promise<BuildFile> {
  const worker = new Worker(new URL('build-worker.ts', import.meta.url), { workerData: { file, mark } })
  let underway = 0
  let failure: Error | null = null
  let wake = () => {}
  const answered = () => new Promise<void>((resolve) => (wake = resolve))
  const waitUntil = async (isEnough: () => boolean) => {
    while (failure === null && !isEnough()) await answered()
    if (failure !== null) throw failure
  }
  const send = (request: BuildRequest) => {
    underway++
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
    worker.postMessage(request)
  }
  let start: Cursor | null = null
  worker.on('message', (reply: BuildReply) => {
    if (reply === 'done') underway--
    else if ('cursor' in reply) start = reply.cursor
    else failure = new Database.SqliteError(reply.failure.message, reply.failure.code)
    wake()
  })
  worker.on('error', (error: Error) => {
    failure = error
    wake()
  })
  await waitUntil(() => start !== null)
  let writes: NumberedWrites = []
  return {
    cursor: start as unknown as Cursor,
    writeOf: (reducer) =>
      numberWrites(reducer, (number, values) => {
        writes.push(number)
        for (const value of values) writes.push(value)
      }),
    async flush() {
      const gathered = writes
      writes = []
      await waitUntil(() => underway < UNDERWAY_MAX)
      send({ writes: gathered })
    },
    async finish(cursor) {
      send({ finish: cursor })
      await waitUntil(() => underway === 0)
      await worker.terminate()
    },
    async abandon() {
      await worker.terminate()
      removeTableFile(file)
    },
  }
}
