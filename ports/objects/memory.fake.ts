import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Objects } from './objects.ts'

export type MemoryObjects = Objects & {
  /** Keeps bytes at once, as an append does. */
  keep(hash: Hash, bytes: Uint8Array): void
}

/** For tests. */
export function openMemoryObjects(now: () => number = Date.now): MemoryObjects {
  const objects = new Map<Hash, { bytes: Buffer; storedMs: number }>()
  return {
    async put(source, bytesMax) {
      const pieces: Uint8Array[] = []
      let size = 0
      for await (const piece of source instanceof Uint8Array ? [source] : source) {
        pieces.push(piece)
        size += piece.length
        if (size > bytesMax) throw new ChoirError('file.too-large', `the file is over the limit of ${bytesMax} bytes`)
      }
      const bytes = Buffer.concat(pieces)
      const hash = sha256(bytes)
      objects.set(hash, { bytes, storedMs: now() })
      return { hash, size }
    },
    keep(hash, bytes) {
      if (!objects.has(hash)) objects.set(hash, { bytes: Buffer.from(bytes), storedMs: now() })
    },
    async get(hash) {
      return objects.get(hash)?.bytes ?? null
    },
    async stream(hash) {
      const bytes = objects.get(hash)?.bytes
      return bytes === undefined ? null : { size: bytes.length, pieces: inPieces(bytes) }
    },
    async size(hash) {
      return objects.get(hash)?.bytes.length ?? null
    },
    async erase(hashes) {
      for (const hash of hashes) objects.delete(hash)
    },
    async strays() {
      return [...objects].map(([hash, { storedMs }]) => ({ hash, storedMs }))
    },
    async close() {},
  }
}

const PIECE = 64 * 1024

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE)
}
