import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { ChoirError } from '@choiros/contract/error.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'

/**
 * The pieces of a body. Leaving the loop early does not hang up, as a stream's own loop would: the sender must still be
 * able to read why it is refused.
 */
export async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (cause) {
    throw new ChoirError('request.invalid', 'the request was broken off; nothing was done', { cause })
  }
}

export async function receiveBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of piecesOf(request)) {
    size += piece.length
    if (size > bytesMax) throw tooLarge(bytesMax)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** `checkRoom` throws if that many bytes more would not fit on the disk. */
export async function receiveToFile(
  request: IncomingMessage,
  file: string,
  bytesMax: number,
  checkRoom: (bytes: number) => void,
): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      let size = 0
      for await (const piece of piecesOf(request)) {
        size += piece.length
        if (size > bytesMax) throw tooLarge(bytesMax)
        checkRoom(piece.length)
        await handle.writeFile(piece)
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    rmSync(file, { force: true })
    throw toStorageError(error, 'receiving the file')
  }
}

function tooLarge(bytesMax: number): ChoirError {
  return new ChoirError('file.too-large', `the request is over the limit of ${bytesMax} bytes`)
}
