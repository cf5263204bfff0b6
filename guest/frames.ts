/** One letter, four bytes of length, the bytes: how the agent answers in pieces. */
export function frame(kind: string, bytes: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.write(kind, 0, 'latin1')
  header.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([header, bytes])
}

export async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
