import type { Readable, Writable } from 'node:stream'

/** One message of the browser that answers nothing. */
export interface CdpEvent {
  readonly method: string
  readonly params: Record<string, unknown>
  readonly session: string | null
}

/** The browser's debugging protocol over a pipe: JSON, each message ended by a zero byte. */
export interface Cdp {
  /** Rejects when the browser is gone, and when it does not answer in time: a page may be in an endless loop. */
  send<Result = Record<string, unknown>>(method: string, params?: object, session?: string | null): Promise<Result>
  /** Called with every event until `off` is called. */
  on(listener: (event: CdpEvent) => void): () => void
}

/** The page keeps its thread to itself. */
export class NoAnswer extends Error {}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly sessionId?: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface Waiting {
  resolve(result: never): void
  reject(error: Error): void
}

/** A page that is only busy answers before that, also on a machine that is. */
const ANSWER_MS = 8000
/** A page may write a text of any length to its console, and it arrives here as one message. */
const MESSAGE_BYTES_MAX = 32 * 1024 * 1024
const GONE = 'the browser is gone'

/** `end`: called where the browser sends more than anyone could want to read. */
export function openCdp(toBrowser: Writable, fromBrowser: Readable, end: () => void): Cdp {
  const waiting = new Map<number, Waiting>()
  const listeners = new Set<(event: CdpEvent) => void>()
  let last = 0
  let pieces: Buffer[] = []
  let bytes = 0
  let isGone = false

  const hear = (text: string) => {
    const { id, method, params = {}, sessionId, result, error } = JSON.parse(text) as Message
    if (id === undefined) {
      if (method !== undefined)
        for (const listener of listeners) listener({ method, params, session: sessionId ?? null })
      return
    }
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(result as never)
    else asked?.reject(new Error(error.message))
  }
  fromBrowser.on('data', (data: Buffer) => {
    let rest = data
    for (let at = rest.indexOf(0); at !== -1; at = rest.indexOf(0)) {
      hear(Buffer.concat([...pieces, rest.subarray(0, at)]).toString('utf8'))
      pieces = []
      bytes = 0
      rest = rest.subarray(at + 1)
    }
    if (rest.length === 0) return
    pieces.push(rest)
    bytes += rest.length
    if (bytes > MESSAGE_BYTES_MAX) end()
  })
  const gone = () => {
    isGone = true
    for (const { reject } of waiting.values()) reject(new Error(GONE))
    waiting.clear()
  }
  fromBrowser.once('close', gone)
  toBrowser.on('error', gone)

  return {
    send: <Result>(method: string, params: object = {}, session: string | null = null) =>
      new Promise<Result>((resolve, reject) => {
        // Without this a browser that did not even start would be waited for until the clock ends.
        if (isGone) return reject(new Error(GONE))
        const id = ++last
        const late = setTimeout(() => {
          waiting.delete(id)
          reject(new NoAnswer('the page does not answer'))
        }, ANSWER_MS)
        const settle =
          <Value>(done: (value: Value) => void) =>
          (value: Value) => {
            clearTimeout(late)
            done(value)
          }
        waiting.set(id, { resolve: settle(resolve), reject: settle(reject) })
        toBrowser.write(
          `${JSON.stringify({ id, method, params, ...(session === null ? {} : { sessionId: session }) })}\0`,
        )
      }),
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
