import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'

/**
 * Tables that were just made are used before all of them are on disk, because an fsync of a long history takes longer
 * than everything else. Until it is done, they carry a mark of the boot they were made in. After a power cut the boot
 * is another: then they may have holes and are made again.
 */
export function markOf(bootId: string): number {
  return crc32(bootId) & 0x7fffffff || 1
}

/** Zero: the tables are on disk as a whole. */
export function readMark(db: Database.Database): number {
  return db.pragma('user_version', { simple: true }) as number
}

export function writeMark(db: Database.Database, mark: number): void {
  db.pragma(`user_version = ${mark}`)
}

/**
 * Brings the file to disk; false where that fails. Nothing is lost then: the mark stays, and the next boot makes the
 * tables again.
 */
export async function bringToDisk(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    return true
  } catch {
    return false
  }
}
