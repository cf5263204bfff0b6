import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import { ChoirError } from '@choiros/contract/error.ts'

const sumOf = (epoch: number) => crc32(`epoch ${epoch}`)

/**
 * Called inside of every append. The first append of a writer leaves its epoch in the file; from then on a writer with
 * an older epoch is refused, even where it still believes that the computer is its own. This is not done at open,
 * because a full disk must not keep anyone from reading.
 */
export function createFence(db: Database.Database, epoch: number | null): () => void {
  let statement: Database.Statement | null = null
  const read = () =>
    (statement ??= db.prepare('SELECT epoch, sum FROM writer')).get() as { epoch: number; sum: number } | undefined
  const stored = () => {
    try {
      return read()
    } catch {
      // Logs of older releases have no such table, and a table that was made in a failed transaction is gone again.
      statement = null
      db.exec('CREATE TABLE IF NOT EXISTS writer (epoch INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT')
      return read()
    }
  }
  return () => {
    if (epoch === null) throw new ChoirError('log.fenced', 'this log was opened to be read; nothing was written')
    const newest = stored()
    if (newest?.epoch === epoch) return
    // A flipped bit must not lock the person out: an epoch whose checksum does not match does not count.
    if (newest !== undefined && newest.epoch > epoch && sumOf(newest.epoch) === newest.sum)
      throw new ChoirError('log.fenced', 'another ChoirOS has taken this computer over; nothing was written here')
    db.exec('DELETE FROM writer')
    db.prepare('INSERT INTO writer VALUES (?, ?)').run(epoch, sumOf(epoch))
  }
}
