import { workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

/**
 * Copies the tables as of one moment, in a thread of its own: the copy of a long history takes seconds, and no command
 * may wait for it.
 */
const { file, copy } = workerData as { file: string; copy: string }
const db = new Database(file, { readonly: true })
db.prepare('VACUUM INTO ?').run(copy)
db.close()
