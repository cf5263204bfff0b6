import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Computer } from '../computer/computer.ts'

/**
 * Bytes that have been sent and that no event names yet: a loop in a page filled a gigabyte with them in nine seconds.
 */
export interface Uploads {
  /** Stores bytes, as long as all bytes that no event names yet stay within bounds. */
  receive(computer: Computer, source: AsyncIterable<Uint8Array>, nowMs: number): Promise<{ hash: Hash; size: number }>
}

const UNNAMED_BYTES_MAX = 1024 * 1024 * 1024
/** An upload whose command has not come by then is given up. */
export const UNNAMED_MS_MAX = 10 * 60 * 1000

export function createUploads(bytesMax = UNNAMED_BYTES_MAX): Uploads {
  const waiting = new Map<Hash, { readonly size: number; readonly atMs: number }>()
  let onTheWay = 0

  const forgetNamed = ({ queries }: Computer): void => {
    const unnamed = new Set(waiting.size === 0 ? [] : queries.unnamed([...waiting.keys()]))
    for (const hash of waiting.keys()) if (!unnamed.has(hash)) waiting.delete(hash)
  }
  const waitingBytes = (): number => [...waiting.values()].reduce((sum, { size }) => sum + size, 0)

  return {
    async receive(computer, source, nowMs) {
      if ([...waiting.values()].some(({ atMs }) => nowMs - atMs > UNNAMED_MS_MAX)) {
        await computer.collectGarbage(nowMs, UNNAMED_MS_MAX)
        for (const [hash, { atMs }] of waiting) if (nowMs - atMs > UNNAMED_MS_MAX) waiting.delete(hash)
      }
      let size = 0
      forgetNamed(computer)
      // Asked for each piece: others may have come in while this one does.
      const left = () => bytesMax - waitingBytes()
      const counted = async function* () {
        for await (const piece of source) {
          size += piece.length
          onTheWay += piece.length
          if (onTheWay > left()) {
            // Before the others look: this one takes no room any more, and they may have enough.
            onTheWay -= size
            size = 0
            throw new ChoirError(
              'quota.exceeded',
              'too much has been uploaded without being saved as files: save it first, or wait ten minutes',
            )
          }
          yield piece
        }
      }
      try {
        const put = await computer.objects.put(counted())
        waiting.set(put.hash, { size: put.size, atMs: nowMs })
        return put
      } finally {
        onTheWay -= size
      }
    },
  }
}
