import type { Hash } from '@choiros/contract/ids.ts'

/** Bytes under their name. */
export interface ObjectBytes {
  readonly hash: Hash
  readonly bytes: Uint8Array
}

/**
 * The immutable bytes of one computer, named by their SHA-256, whatever their size and wherever they are kept. Rules:
 * SPEC.md.
 */
export interface Objects {
  /**
   * Takes bytes in pieces. Durable under the returned name when it resolves. Rejects with `file.too-large` past
   * `bytesMax`, leaving nothing.
   */
  put(source: AsyncIterable<Uint8Array> | Uint8Array, bytesMax: number): Promise<{ hash: Hash; size: number }>
  /**
   * The whole object, its hash checked, or null if there is none. Rejects with `object.corrupt` if the bytes are not
   * what the name says.
   */
  get(hash: Hash): Promise<Buffer | null>
  /**
   * The same in pieces, for objects that need not be in memory as a whole. Damage is found at the end: the last piece
   * comes only if all were right.
   */
  stream(hash: Hash): Promise<{ size: number; pieces: AsyncIterable<Buffer> } | null>
  size(hash: Hash): Promise<number | null>
  /** Removes them so that their bytes are gone from the disk. A hash that is not there is no error. */
  erase(hashes: readonly Hash[]): Promise<void>
  /**
   * Objects that came by `put`, each with the time of its last `put`: some may be needed by nobody. Where it can be
   * told, objects that came with an event are not among them.
   */
  strays(): Promise<{ hash: Hash; storedMs: number }[]>
  close(): Promise<void>
}

export type ObjectStep =
  | 'object.write.before'
  | 'object.fsync.before'
  | 'object.fsync.after'
  | 'object.rename.after'
  | 'object.folder-fsync.after'
