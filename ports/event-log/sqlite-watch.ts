import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type Database from 'better-sqlite3'

/** How often to look, for where the kernel tells nothing (too many watches, a file system that cannot). */
const LOOK_EVERY_MS = 1000

/**
 * Calls back when another connection, of this process or of any other, has written to the file. Returns the way to
 * stop.
 */
export function watchOthers(file: string, db: Database.Database, written: () => void): () => void {
  const version = db.prepare('PRAGMA data_version').pluck()
  let known = version.get()
  const look = () => {
    if (!db.open) return
    try {
      const now = version.get() // What was written by this connection does not change it.
      if (now === known) return
      known = now
    } catch {
      // A disk that fails. Whoever is woken reads, and is told what is wrong (EL14); here nobody would hear it.
    }
    written()
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  const watcher = watchFolder(dirname(file), (name) => name?.startsWith(basename(file)) === true && look())
  return () => {
    clearInterval(timer)
    watcher?.close()
  }
}

function watchFolder(folder: string, changed: (name: string | null) => void) {
  try {
    return watch(folder, { persistent: false }, (_, name) => changed(name)).on('error', () => {})
  } catch {
    return null
  }
}
