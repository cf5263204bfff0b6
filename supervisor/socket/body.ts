import { createWriteStream, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ChoirError } from '@choiros/contract/error.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'

export async function receiveBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    size += (piece as Buffer).length
    if (size > bytesMax) throw tooLarge(bytesMax)
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces)
}

export async function receiveToFile(request: IncomingMessage, file: string, bytesMax: number): Promise<void> {
  let size = 0
  const counter = new Transform({
    transform(piece: Buffer, _, done) {
      size += piece.length
      if (size > bytesMax) done(tooLarge(bytesMax))
      else done(null, piece)
    },
  })
  try {
    await pipeline(request, counter, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  } catch (error) {
    rmSync(file, { force: true })
    throw toStorageError(error, 'receiving the file')
  }
}

function tooLarge(bytesMax: number): ChoirError {
  return new ChoirError('file.too-large', `the request is over the limit of ${bytesMax} bytes`)
}
