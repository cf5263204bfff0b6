import type { ServerResponse } from 'node:http'

/** Files on their way out, all together. A page that asks for thirty and reads none of them held 1.8 GiB. */
const BYTES_MAX = 128 * 1024 * 1024
/** Who reads nothing for so long has gone, whatever their connection says. */
const STALL_MS = 60_000

/**
 * Whoever wants to send something large waits until there is room in memory for it. One is always let through, however
 * large.
 */
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

/** Until the last byte was taken, or the reader is gone or asleep. */
function gone(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (response.writableFinished || response.destroyed) return resolve()
    response.setTimeout(stallMs, () => response.destroy())
    response.once('finish', resolve)
    response.once('close', resolve)
  })
}
