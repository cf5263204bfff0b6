import Database from 'better-sqlite3'
import { ChoirError } from '@choiros/contract/error.ts'

export interface HomeLock {
  release(): void
}

/**
 * One supervisor per home. SQLite's file lock is the kernel's: it ends with the process however that ends, so a kill -9 leaves no stale lock behind.
 */
export function lockHome(file: string, home: string): HomeLock {
  const db = new Database(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = DELETE')
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    if (!String((cause as { code?: string }).code).startsWith('SQLITE_BUSY')) throw cause
    throw new ChoirError('home.locked', `ChoirOS is already running on ${home}. Use that one, or stop it first.`, { cause })
  }
  return { release: () => void db.close() }
}
