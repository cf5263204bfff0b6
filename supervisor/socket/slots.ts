import type { ServerResponse } from 'node:http'

/**
 * How many bytes of files may be on their way out together. A page that asked for thirty files and read none of them
 * held 1.8 GiB.
 */
const BYTES_MAX = 128 * 1024 * 1024
/** A reader that takes nothing for so long has gone, whatever its connection says. */
const STALL_MS = 60_000

/** Makes a large answer wait until there is room in memory for it. One is always let through, however large it is. */
export interface Slots {
  send(size: number, response: ServerResponse, load: () => Promise<Buffer>): Promise<void>
}

export function createSlots(bytesMax = BYTES_MAX, stallMs = STALL_MS): Slots {
  let held = 0
  const waiting: (() => void)[] = []
  const take = async (size: number) => {
    while (held > 0 && held + size > bytesMax) await new Promise<void>((resolve) => waiting.push(resolve))
    held += size
  }
  return {
    async send(size, response, load) {
      await take(size)
      try {
        if (response.destroyed) return
        const bytes = await load()
        response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length })
        response.end(bytes)
        await gone(response, stallMs)
      } finally {
        held -= size
        for (const next of waiting.splice(0)) next()
      }
    },
  }
}

/** Resolves when the last byte was taken, or when the reader is gone or has stalled. */
function gone(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (response.writableFinished || response.destroyed) return resolve()
    response.setTimeout(stallMs, () => response.destroy())
    response.once('finish', resolve)
    response.once('close', resolve)
  })
}
