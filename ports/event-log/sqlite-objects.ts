import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Objects } from '../objects/objects.ts'
import { guard, type LogStatements } from './sqlite-file.ts'

/** Small objects are in the log's own file, all others in the folder beside it; callers see no difference. */
export function createObjects(
  statements: LogStatements,
  large: Objects,
  eraseSmall: (hashes: readonly Hash[]) => void,
): Objects {
  const small = (hash: Hash): Buffer | null => {
    const row = guard(
      'reading an object',
      () => statements.object.get(Buffer.from(hash, 'hex')) as { bytes: Buffer } | undefined,
    )
    if (row === undefined) return null
    if (!Buffer.isBuffer(row.bytes) || sha256(row.bytes) !== hash)
      throw new ChoirError(
        'object.corrupt',
        `object ${hash} is damaged in the log: its bytes are not what its name says`,
      )
    return row.bytes
  }
  return {
    put: large.put,
    get: async (hash) => small(hash) ?? large.get(hash),
    async stream(hash) {
      const bytes = small(hash)
      return bytes === null ? large.stream(hash) : { size: bytes.length, pieces: onePiece(bytes) }
    },
    async size(hash) {
      const bytes = guard(
        'reading an object',
        () => statements.objectSize.get(Buffer.from(hash, 'hex')) as number | undefined,
      )
      return bytes ?? large.size(hash)
    },
    async erase(hashes) {
      eraseSmall(hashes)
      const there: Hash[] = []
      for (const hash of hashes) if ((await large.size(hash)) !== null) there.push(hash)
      if (there.length > 0) await large.erase(there)
    },
    strays: large.strays, // Objects in the log's file came with an event, so they are never strays.
    close: large.close,
  }
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
