import { ChoirError } from '@choiros/contract/error.ts'

const FRAME_BYTES_MAX = 16 * 1024 * 1024

/** What a guest agent answers in pieces: one letter, four bytes of length, the bytes. */
export async function* frames(stream: AsyncIterable<unknown>): AsyncGenerator<{ kind: string; bytes: Buffer }> {
  let pending: Buffer = Buffer.alloc(0)
  for await (const piece of stream) {
    pending = pending.length === 0 ? (piece as Buffer) : Buffer.concat([pending, piece as Buffer])
    while (pending.length >= 5) {
      const length = pending.readUInt32BE(1)
      if (length > FRAME_BYTES_MAX) throw new ChoirError('sandbox.unavailable', 'the sandbox sent nonsense')
      if (pending.length < 5 + length) break
      yield { kind: pending.toString('latin1', 0, 1), bytes: pending.subarray(5, 5 + length) }
      pending = pending.subarray(5 + length)
    }
  }
}
