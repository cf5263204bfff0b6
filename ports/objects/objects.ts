import type { Hash } from '@choiros/contract/ids.ts'

/** Immutable bytes named by their SHA-256: those too large for the log's own transaction. Rules: SPEC.md. */
export interface Objects {
  /** Takes bytes in pieces. Durable under the returned name when it resolves. Rejects with `file.too-large` past `bytesMax`, leaving nothing. */
  put(source: AsyncIterable<Uint8Array> | Uint8Array, bytesMax: number): Promise<{ hash: Hash; size: number }>
  /** The whole object, its hash checked, or null if there is none. Rejects with `object.corrupt` if the bytes are not what the name says. */
  get(hash: Hash): Promise<Buffer | null>
  size(hash: Hash): Promise<number | null>
  delete(hash: Hash): Promise<void>
  /** Every object with the time it was stored, in no order. */
  list(): Promise<{ hash: Hash; storedMs: number }[]>
  close(): Promise<void>
}

export type ObjectStep = 'object.write.before' | 'object.fsync.before' | 'object.fsync.after' | 'object.rename.after' | 'object.folder-fsync.after'
