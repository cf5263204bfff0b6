import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename } from 'node:path'
import Database from 'better-sqlite3'
import { ChoirError } from '@choiros/contract/error.ts'
import { homeOption } from '@choiros/contract/home-folder.ts'
import { runningText } from './running.ts'

export interface HomeLock {
  release(): void
}

/**
 * One supervisor per home. SQLite's file lock is the kernel's: it ends with the process however that ends, so a kill -9 leaves no stale lock behind.
 */
export function lockHome(file: string, home: string): HomeLock {
  let db: Database.Database | null = null
  try {
    db = new Database(file, { timeout: 0 })
    db.pragma('journal_mode = DELETE')
    db.pragma('locking_mode = EXCLUSIVE')
    // Once and for all: a database without a page needs room on the disk to be locked, and there may be none left when it matters.
    if (statSync(file).size === 0) db.pragma('user_version = 1')
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db?.close()
    if (String((cause as { code?: string }).code).startsWith('SQLITE_BUSY'))
      throw new ChoirError(
        'home.locked',
        `ChoirOS is already running on ${home}${runningText(home)}. Use that one, or stop it with "npm run -s choir -- stop --all${homeOption(home, homedir())}".`,
        {
          cause,
        },
      )
    throw new ChoirError('home.unusable', `the home ${home} cannot be locked: if its ${basename(file)} is damaged, delete it and try again`, {
      cause,
    })
  }
  const lock = db
  return { release: () => void lock.close() }
}
