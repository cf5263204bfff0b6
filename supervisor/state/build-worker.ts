import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { assert } from '@choiros/contract/error.ts'
import { openBuildFile } from './build-file.ts'
import type { BuildReply, BuildRequest } from './build.ts'

/** Writes the rows of a rebuild in a thread of its own. */
const port = parentPort
assert(port !== null, 'this is the program of a thread')

/** An error of SQLite keeps its code on the way: the caller must tell a full disk from damaged tables. */
function answer(work: () => BuildReply): void {
  let reply: BuildReply
  try {
    reply = work()
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error
    reply = { failure: { message: error.message, code: error.code } }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  port?.postMessage(reply)
}

answer(() => {
  const { file, mark } = workerData as { file: string; mark: number }
  const target = openBuildFile(file, mark)
  port.on('message', (request: BuildRequest) =>
    answer(() => {
      if ('writes' in request) target.writeNumbered(request.writes)
      else target.finish(request.finish)
      return 'done'
    }),
  )
  return { cursor: target.cursor }
})
