import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Objects } from './objects.ts'

/** For tests. */
export function openMemoryObjects(now: () => number = Date.now): Objects {
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
    async get(hash) {
      return objects.get(hash)?.bytes ?? null
    },
    async size(hash) {
      return objects.get(hash)?.bytes.length ?? null
    },
    async delete(hash) {
      objects.delete(hash)
    },
    async list() {
      return [...objects].map(([hash, { storedMs }]) => ({ hash, storedMs }))
    },
    async close() {},
  }
}
