import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const PIECE_BYTES = 1024 * 1024
const sealOf = (file: string) => `${file}.seal`

/**
 * Writes down the checksum of a log that was closed properly. Chain and hashes prove what is in the log, and SQLite
 * proves its structure; bytes that hold nothing yet are covered by neither, although the next write may use them.
 */
export function sealFile(file: string): void {
  if (existsSync(`${file}-wal`)) return // Somebody else has it open: it is not closed yet.
  try {
    writeFileSync(sealOf(file), checksum(file), { mode: 0o600 })
  } catch {
    rmSync(sealOf(file), { force: true }) // A full disk: the log then has no seal, as after a crash.
  }
}

/**
 * Asks whether the file is as it was closed. Null where that is not known: after a crash, or once something was written
 * into it.
 */
export type SealCheck = () => boolean | null

/** Read and removed before the file is opened: after a crash the file rightly differs from its last seal. */
export function takeSeal(file: string): SealCheck {
  let sealed: string | null = null
  let closedAt: string | null = null
  try {
    sealed = readFileSync(sealOf(file), 'utf8')
    closedAt = stampOf(file)
    // What is still in a write-ahead file was written after the seal.
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) sealed = null
  } catch {
    sealed = null
  }
  rmSync(sealOf(file), { force: true })
  return () => (sealed === null || stampOf(file) !== closedAt ? null : checksum(file) === sealed)
}

function stampOf(file: string): string {
  const { mtimeNs, size } = statSync(file, { bigint: true })
  return `${mtimeNs} ${size}`
}

function checksum(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    let sum = 0
    let size = 0
    for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece)) {
      sum = crc32(piece.subarray(0, read), sum)
      size += read
    }
    return `${sum} ${size}`
  } finally {
    closeSync(handle)
  }
}

/**
 * The header of every log of ours from byte 16 on; null: any byte. SQLite reads some of these bytes only when it
 * writes.
 */
const HEADER: readonly (number | null)[] = [
  [0x10, 0, 2, 2, 0, 64, 32, 32], // Page size, journal, no reserved bytes, fixed fractions.
  Array.from({ length: 20 }, () => null), // Counters and the free list, which SQLite checks itself.
  [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], // Schema format, cache, vacuum, UTF-8.
  Array.from({ length: 32 }, () => 0), // Versions and ids that are not used, and what is reserved.
].flat()
const HEADER_START = 16

export function headerProblem(file: string): string | null {
  const header = Buffer.alloc(100)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, header, 0, 100, 0)
  } finally {
    closeSync(handle)
  }
  const wrong = HEADER.findIndex((expected, index) => expected !== null && header[HEADER_START + index] !== expected)
  if (wrong !== -1) return `byte ${HEADER_START + wrong} of the header is not what it is in every log`
  return header.readUInt32BE(24) === header.readUInt32BE(92) ? null : 'the counters in the header differ'
}
