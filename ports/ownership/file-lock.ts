import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Lease, Ownership } from './ownership.ts'

export interface FileOwnershipOptions {
  /** The lock. The process that holds it holds every computer beside it. */
  readonly file: string
  /** How often it has been taken. */
  readonly epochFile: string
}

/**
 * One holder for all computers of a folder. The kernel holds SQLite's file lock: it ends with the process, however that
 * ends, so a kill -9 leaves no stale lock behind. Throws `home.locked` where another process holds it, `home.unusable`
 * where it cannot be held at all.
 */
export function openFileOwnership({ file, epochFile }: FileOwnershipOptions): Ownership {
  const db = lock(file)
  const epoch = raise(epochFile)
  const held = new Set<string>()
  const never = new AbortController().signal
  return {
    async take(computer): Promise<Lease> {
      if (!db.open) throw new ChoirError('supervisor.stopping', 'ChoirOS is stopping')
      if (held.has(computer)) throw new ChoirError('computer.held', `the computer ${computer} is open already`)
      held.add(computer)
      let isReleased = false
      return {
        epoch,
        lost: never,
        async release() {
          if (!isReleased) held.delete(computer) // By now it may be somebody else's.
          isReleased = true
        },
      }
    },
    async close() {
      db.close()
    },
  }
}

function lock(file: string): Database.Database {
  let db: Database.Database | null = null
  try {
    db = new Database(file, { timeout: 0 })
    db.pragma('journal_mode = DELETE')
    db.pragma('locking_mode = EXCLUSIVE')
    // Done once: to lock a database without a page needs room on the disk, and there may be none left when it matters.
    if (statSync(file).size === 0) db.pragma('user_version = 1')
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (cause) {
    db?.close()
    const isHeld = String((cause as { code?: string }).code).startsWith('SQLITE_BUSY')
    throw new ChoirError(
      isHeld ? 'home.locked' : 'home.unusable',
      isHeld ? `${file} is held by another process` : `${file} cannot be locked`,
      {
        cause,
      },
    )
  }
}

/**
 * Never lower than the clock: a lost or damaged file must not make epochs fall, or the logs would take us for a holder
 * that has been replaced. Written in place, so that it needs no room on a full disk.
 */
function raise(file: string): number {
  const before = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0
  const now = Math.floor(Date.now() / 1000)
  const epoch = before > 0 && before < Number.MAX_SAFE_INTEGER ? Math.max(before + 1, now) : now
  try {
    closeSync(openSync(file, 'a', 0o600))
    const handle = openSync(file, 'r+')
    try {
      writeSync(handle, `${epoch}\n`.padStart(20), 0)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {
    // If the next holder starts within the same second, it may get the same epoch, which a log accepts.
  }
  return epoch
}
