import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { Objects } from '@choiros/ports/objects/objects.ts'
import { checkRoom, DISK_RESERVE_BYTES } from './room.ts'

/**
 * The objects of an open computer: those of its log, and a record of bytes that were erased while a command may have
 * been about to name them.
 */
export interface ObjectStore extends Pick<Objects, 'size' | 'stream' | 'strays'> {
  /** Rejects with `object.missing` if it is nowhere, `object.corrupt` if its bytes are not what its name says. */
  get(hash: Hash): Promise<Buffer>
  find(hash: Hash): Promise<Buffer | null>
  /** Stores bytes that no event names yet. */
  put(source: AsyncIterable<Uint8Array> | Uint8Array): Promise<{ hash: Hash; size: number }>
  has(hash: Hash): Promise<boolean>
  /** Takes bytes away for good. Only where no event can name them meanwhile: at a start, or in `LogWriter.alone`. */
  erase(hashes: readonly Hash[]): Promise<void>
  /** Whether bytes were erased and did not come back: a command that found them here before must bring them again. */
  isGone(hash: Hash): boolean
  /** Called when an event has brought them again. */
  cameBack(hashes: Iterable<Hash>): void
}

/**
 * `freeBytes`: what the disk has left. Bytes that no event names yet must leave the reserve free: they are not worth a
 * computer that cannot write any more.
 */
export function createObjectStore(objects: Objects, freeBytes: () => number): ObjectStore {
  const gone = new Set<Hash>()
  let erasing: Promise<void> = Promise.resolve()
  let erasures = 0

  /** Whether the bytes are there after all erasures: one may have removed them while they came in. */
  const isStillThere = async (hash: Hash): Promise<boolean> => {
    for (;;) {
      await erasing
      const before = erasures
      const size = await objects.size(hash)
      if (before === erasures) return size !== null
    }
  }

  return {
    find: objects.get,
    size: objects.size,
    stream: objects.stream,
    strays: objects.strays,
    async get(hash) {
      const bytes = await objects.get(hash)
      if (bytes === null) throw new ChoirError('object.missing', `object ${hash} is not on this computer`)
      return bytes
    },
    async put(source) {
      const put = await objects.put(whileThereIsRoom(source, freeBytes), LIMITS.objectBytesMax)
      if (!(await isStillThere(put.hash)))
        throw new ChoirError(
          'object.missing',
          'the same bytes were just being removed for good; nothing was written. Send them again.',
        )
      gone.delete(put.hash)
      return put
    },
    has: async (hash) => (await objects.size(hash)) !== null,
    erase(hashes) {
      erasures++
      for (const hash of hashes) gone.add(hash)
      const erased = objects.erase(hashes)
      erasing = erased.catch(() => {})
      return erased
    },
    isGone: (hash) => gone.has(hash),
    cameBack(hashes) {
      for (const hash of hashes) gone.delete(hash)
    },
  }
}

async function* whileThereIsRoom(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  freeBytes: () => number,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of source instanceof Uint8Array ? [source] : source) {
    size += piece.length
    // And room for the file that they are meant for: bytes that no command can use would only fill the disk.
    checkRoom(freeBytes(), piece.length + size, DISK_RESERVE_BYTES)
    yield piece
  }
}
