import { setImmediate as nextTurn } from 'node:timers/promises'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'
import type { Objects } from '@choiros/ports/objects/objects.ts'
import { checkRoom, DISK_RESERVE_BYTES } from './room.ts'

/** Each is overwritten in the log before it is gone: a hundred thousand at once would keep everyone waiting. */
const ERASED_AT_ONCE = 200

/** All objects of a computer, wherever they are kept: small ones in the log's own file, large ones beside it. */
export interface ObjectStore {
  /** Rejects with `object.missing` if it is nowhere, `object.corrupt` if its bytes are not what its name says. */
  get(hash: Hash): Promise<Buffer>
  find(hash: Hash): Promise<Buffer | null>
  putLarge(source: AsyncIterable<Uint8Array> | Uint8Array): Promise<{ hash: Hash; size: number }>
  has(hash: Hash): Promise<boolean>
  erase(hashes: readonly Hash[]): Promise<void>
}

/** `freeBytes`: what the disk has left; large objects stop before its reserve, for an upload is not yet worth a computer that cannot write. */
export function createObjectStore(log: EventLog, large: Objects, freeBytes: () => number): ObjectStore {
  const find = async (hash: Hash): Promise<Buffer | null> => {
    return (await log.object(hash)) ?? (await large.get(hash))
  }
  return {
    find,
    async get(hash) {
      const bytes = await find(hash)
      if (bytes === null) throw new ChoirError('object.missing', `object ${hash} is not on this computer`)
      return bytes
    },
    putLarge: (source) => large.put(whileThereIsRoom(source, freeBytes), LIMITS.objectBytesMax),
    has: async (hash) => (await log.object(hash)) !== null || (await large.size(hash)) !== null,
    async erase(hashes) {
      for (let start = 0; start < hashes.length; start += ERASED_AT_ONCE) {
        const some = hashes.slice(start, start + ERASED_AT_ONCE)
        await log.eraseObjects(some)
        for (const hash of some) if ((await large.size(hash)) !== null) await large.delete(hash)
        await nextTurn()
      }
    },
  }
}

async function* whileThereIsRoom(source: AsyncIterable<Uint8Array> | Uint8Array, freeBytes: () => number): AsyncGenerator<Uint8Array> {
  for await (const piece of source instanceof Uint8Array ? [source] : source) {
    checkRoom(freeBytes(), piece.length, DISK_RESERVE_BYTES)
    yield piece
  }
}
