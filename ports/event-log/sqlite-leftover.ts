import {
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import Database from 'better-sqlite3'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Leftover } from './event-log.ts'

const keptOf = (file: string) => `${file}.kept`

/**
 * SQLite silently drops everything after the first damaged frame of its write-ahead file, and deletes the file when it
 * closes. So a copy of the file is kept until the log is known to be whole.
 */
export function keepWriteAhead(file: string): void {
  const wal = `${file}-wal`
  if ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) > 0) copyFileSync(wal, keptOf(file))
}

export function forgetWriteAhead(file: string): void {
  rmSync(keptOf(file), { force: true })
}

/**
 * The log as it would be if only the damaged frames were missing. The reader must prove every event and object by its
 * hash.
 */
export function openLeftover(file: string): Leftover | null {
  const kept = keptOf(file)
  if (!existsSync(kept) || !existsSync(file)) return null
  const copy = `${file}.leftover`
  removeCopy(copy)
  copyFileSync(file, copy)
  applyFrames(copy, readFileSync(kept))
  let db: Database.Database
  try {
    db = new Database(copy, { readonly: true })
  } catch {
    removeCopy(copy)
    return null
  }
  const ask = <Row>(sql: string, ...values: unknown[]): Row[] => {
    try {
      return db.prepare(sql).all(...values) as Row[]
    } catch {
      return [] // Damaged here, too: what cannot be read counts as not there.
    }
  }
  return {
    async read({ after, limit }) {
      return ask<StoredEvent>(
        'SELECT seq, lower(hex(hash)) AS hash, bytes FROM event WHERE seq > ? ORDER BY seq LIMIT ?',
        after,
        limit,
      )
    },
    async object(hash: Hash) {
      const [row] = ask<{ bytes: Buffer }>('SELECT bytes FROM object WHERE hash = ?', Buffer.from(hash, 'hex'))
      return row !== undefined && Buffer.isBuffer(row.bytes) && sha256(row.bytes) === hash ? row.bytes : null
    },
    close() {
      db.close()
      removeCopy(copy)
    },
  }
}

function removeCopy(copy: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
}

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

interface Frame {
  readonly page: number
  /** The size of the file in pages after this frame's transaction; 0 if the transaction goes on after it. */
  readonly pagesAfter: number
  readonly bytes: Buffer
}

/**
 * Puts into the copy every whole frame since the write-ahead file was last restarted, up to the last end of a
 * transaction.
 */
function applyFrames(copy: string, wal: Buffer): void {
  const frames = wholeFrames(wal)
  const ending = frames.findLastIndex(({ pagesAfter }) => pagesAfter > 0)
  const size = frames[ending]?.pagesAfter ?? 0
  const handle = openSync(copy, 'r+')
  try {
    for (const { page, bytes } of frames.slice(0, ending + 1))
      if (page <= size) writeSync(handle, bytes, 0, bytes.length, (page - 1) * bytes.length)
    const pageBytes = frames[0]?.bytes.length ?? 0
    if (size > 0) ftruncateSync(handle, size * pageBytes)
  } finally {
    closeSync(handle)
  }
}

/**
 * A frame's checksum continues the one before it, which is stored as well: so each frame can be proven by itself, and
 * one damaged frame costs one or two.
 */
function wholeFrames(wal: Buffer): Frame[] {
  if (wal.length < HEADER_BYTES) return []
  const isBigEndian = (wal.readUInt32BE(0) & 1) === 1
  const pageBytes = wal.readUInt32BE(8)
  if (pageBytes < 512 || pageBytes > 65_536 || (pageBytes & (pageBytes - 1)) !== 0) return []
  const salt = wal.subarray(16, 24)
  const frames: Frame[] = []
  let before = wal.subarray(24, 32)
  for (let at = HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= wal.length; at += FRAME_HEADER_BYTES + pageBytes) {
    const header = wal.subarray(at, at + FRAME_HEADER_BYTES)
    const bytes = wal.subarray(at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + pageBytes)
    const sum = header.subarray(16, 24)
    const isOwnLife = header.subarray(8, 16).equals(salt)
    if (isOwnLife && checksum(before, [header.subarray(0, 8), bytes], isBigEndian).equals(sum)) {
      frames.push({ page: header.readUInt32BE(0), pagesAfter: header.readUInt32BE(4), bytes })
    }
    before = sum
  }
  return frames
}

/** As SQLite's file format says. */
function checksum(before: Buffer, parts: readonly Buffer[], isBigEndian: boolean): Buffer {
  let first = before.readUInt32BE(0)
  let second = before.readUInt32BE(4)
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 8) {
      first = (first + (isBigEndian ? part.readUInt32BE(at) : part.readUInt32LE(at)) + second) >>> 0
      second = (second + (isBigEndian ? part.readUInt32BE(at + 4) : part.readUInt32LE(at + 4)) + first) >>> 0
    }
  }
  const sum = Buffer.alloc(8)
  sum.writeUInt32BE(first, 0)
  sum.writeUInt32BE(second, 4)
  return sum
}
