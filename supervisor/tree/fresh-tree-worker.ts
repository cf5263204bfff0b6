import { parentPort, workerData } from 'node:worker_threads'
import { writeFiles, type FreshFiles, type FreshReply } from './fresh-files.ts'

/** Makes the files of a whole tree in a thread of its own. */
const { folder } = workerData as { folder: string }
const made = new Set<string>()
parentPort?.on('message', (files: FreshFiles) => {
  let reply: FreshReply = 'done'
  try {
    writeFiles(folder, files, made)
  } catch (error) {
    // The code is passed on: the caller must tell a full disk from a bug.
    reply = { message: (error as Error).message, code: (error as NodeJS.ErrnoException).code }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  parentPort?.postMessage(reply)
})
