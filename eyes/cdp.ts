import type { Readable, Writable } from 'node:stream'

/** One message of the browser that answers nothing. */
export interface CdpEvent {
  readonly method: string
  readonly params: Record<string, unknown>
  readonly session: string | null
}

/** The browser's debugging protocol over a pipe: JSON, each message ended by a zero byte. */
export interface Cdp {
  send<Result = Record<string, unknown>>(method: string, params?: object, session?: string | null): Promise<Result>
  /** Called with every event until `off` is called. */
  on(listener: (event: CdpEvent) => void): () => void
}

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

export function openCdp(toBrowser: Writable, fromBrowser: Readable): Cdp {
  const waiting = new Map<number, Waiting>()
  const listeners = new Set<(event: CdpEvent) => void>()
  let last = 0
  let pieces: Buffer[] = []

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
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      hear(Buffer.concat([...pieces, rest.subarray(0, end)]).toString('utf8'))
      pieces = []
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) pieces.push(rest)
  })
  const gone = () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser is gone'))
    waiting.clear()
  }
  fromBrowser.once('close', gone)
  toBrowser.on('error', gone)

  return {
    send: <Result>(method: string, params: object = {}, session: string | null = null) =>
      new Promise<Result>((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject })
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
