import { ChoirError } from '@choiros/contract/error.ts'

const FRAME_BYTES_MAX = 16 * 1024 * 1024
const HEAD_BYTES = 5

/**
 * The frames of a guest agent's answer: one letter, four bytes of length, the bytes. Pieces are joined only when a
 * whole frame is there, so that tiny pieces cost no more.
 */
export async function* frames(stream: AsyncIterable<unknown>): AsyncGenerator<{ kind: string; bytes: Buffer }> {
  let pieces: Buffer[] = []
  let size = 0
  let needed = HEAD_BYTES
  for await (const piece of stream) {
    pieces.push(piece as Buffer)
    size += (piece as Buffer).length
    while (size >= needed) {
      const [only] = pieces
      const all = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
      const end = HEAD_BYTES + all.readUInt32BE(1)
      if (end > FRAME_BYTES_MAX) throw new ChoirError('sandbox.unavailable', 'the sandbox sent nonsense')
      const isWhole = size >= end
      if (isWhole) yield { kind: all.toString('latin1', 0, 1), bytes: all.subarray(HEAD_BYTES, end) }
      pieces = [isWhole ? all.subarray(end) : all]
      size = isWhole ? size - end : size
      needed = isWhole ? HEAD_BYTES : end
    }
  }
}
