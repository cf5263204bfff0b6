import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

export const SEAL_SUFFIX = '.seal'
const PIECE_BYTES = 1024 * 1024

/**
 * Writes the checksum of tables that were closed properly. SQLite notices a damaged page only where its structure
 * breaks; a flipped bit in a row would be taken for the truth. This is no protection against malice: who can write the
 * tables can write the seal.
 */
export async function sealTables(file: string): Promise<void> {
  await writeFile(sealOf(file), await checksum(file))
}

/**
 * Whether the tables are as they were closed. True also where that is not known: after a crash there is no seal. The
 * seal is removed.
 */
export async function breakSeal(file: string): Promise<boolean> {
  const sealed = await readFile(sealOf(file), 'utf8').catch(() => null)
  if (sealed === null) return true
  const holds = sealed === (await checksum(file).catch(() => ''))
  await rm(sealOf(file), { force: true })
  return holds
}

function sealOf(file: string): string {
  return file + SEAL_SUFFIX
}

/** Finds damage by the disk in files that may be large: a cryptographic hash would take several times as long. */
export async function checksum(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    let sum = 0
    let size = 0
    let [piece, next] = [Buffer.allocUnsafe(PIECE_BYTES), Buffer.allocUnsafe(PIECE_BYTES)]
    let reading = handle.read(piece, 0, PIECE_BYTES)
    for (;;) {
      const { bytesRead } = await reading
      if (bytesRead === 0) return `${sum} ${size}`
      reading = handle.read(next, 0, PIECE_BYTES) // Another thread reads while this one sums.
      sum = crc32(piece.subarray(0, bytesRead), sum)
      size += bytesRead
      ;[piece, next] = [next, piece]
    }
  } finally {
    await handle.close()
  }
}
