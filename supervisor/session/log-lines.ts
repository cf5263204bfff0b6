import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent, type StoredEvent } from '@choiros/contract/event.ts'
import { upcast } from '@choiros/contract/upcast.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'

/** An event as it is sent: its JSON with its hash, and the end of the line. */
export interface Line {
  readonly seq: number
  readonly bytes: Buffer
  /** The same in the newest version of its type. */
  lifted(): Buffer
}

/**
 * A computer's log as lines, shared by all its readers: a new event is read, proved and made into a line once, however
 * many listen. When two hundred pages each did this for themselves, they kept busy the one thread that also writes.
 */
export interface LogLines {
  /** As the log's own `read`. */
  read(after: number, limit: number): Promise<Line[]>
  /**
   * New events after `after`, until `take` says no or the signal aborts. Resolves with the last event that was taken; a
   * caller that is not at the end of the log then has to read on.
   */
  listen(after: number, take: (line: Line) => boolean, gone: AbortSignal): Promise<number>
}

interface Listener {
  hear(line: Line): void
  fail(error: unknown): void
}

/** How much of the newest events is kept, for readers that come or come back just now. */
const KEPT_EVENTS_MAX = 500
const KEPT_BYTES_MAX = 512 * 1024

export function createLogLines(log: Pick<EventLog, 'read' | 'follow' | 'head'>): LogLines {
  const kept = createKept()
  const listeners = new Set<Listener>()
  let reader: { readonly stop: AbortController; position: number } | null = null

  const readOn = async (own: NonNullable<typeof reader>) => {
    try {
      for await (const stored of log.follow(own.position, own.stop.signal)) {
        const line = kept.find(stored.seq) ?? toLine(stored)
        kept.add(line)
        own.position = line.seq
        for (const listener of listeners) listener.hear(line)
      }
    } catch (error) {
      if (reader === own) reader = null
      for (const listener of listeners) listener.fail(error)
    }
  }

  /**
   * Begins where the first listener asks, but not beyond the end of the log: a listener that names a future event must
   * not make all others wait for it.
   */
  const startReader = async (after: number) => {
    const { seq } = await log.head()
    if (reader !== null) return reader
    reader = { stop: new AbortController(), position: Math.min(after, seq) }
    void readOn(reader)
    return reader
  }

  const stopReader = () => {
    reader?.stop.abort()
    reader = null
  }

  return {
    async read(after, limit) {
      const lines = kept.after(after).slice(0, limit)
      const rest = limit - lines.length
      const page = rest === 0 ? [] : await log.read({ after: lines.at(-1)?.seq ?? after, limit: rest })
      for (const stored of page) {
        try {
          const line = toLine(stored)
          kept.add(line)
          lines.push(line)
        } catch (error) {
          return [...lines, damagedLine(stored.seq, error)]
        }
      }
      return lines
    },
    async listen(after, take, gone) {
      const { position } = reader ?? (await startReader(after))
      if (gone.aborted && listeners.size === 0) stopReader()
      const missed = kept.after(after)
      if (gone.aborted || (after < position && (missed.at(-1)?.seq ?? after) < position)) return after
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      let cursor = after
      const leave = () => {
        gone.removeEventListener('abort', leave)
        listeners.delete(listener)
        if (listeners.size === 0) stopReader()
        resolve(cursor)
      }
      const listener: Listener = {
        hear(line) {
          if (line.seq <= cursor) return
          cursor = line.seq
          if (!take(line)) leave()
        },
        fail: reject,
      }
      listeners.add(listener)
      gone.addEventListener('abort', leave)
      for (const line of missed) if (listeners.has(listener)) listener.hear(line)
      return await promise.finally(() => listeners.delete(listener))
    },
  }
}

/** The stored bytes are JSON on one line, and never an empty object: the hash is added as the last member. */
function toLine(stored: StoredEvent): Line {
  const { seq, hash, bytes } = stored
  if (sha256(bytes) !== hash)
    throw new ChoirError('log.corrupt', `event ${seq} is damaged: its bytes do not match its hash`)
  const line = Buffer.concat([bytes.subarray(0, -1), Buffer.from(`,"hash":"${hash}"}\n`)])
  let lifted: Buffer | null = null
  return { seq, bytes: line, lifted: () => (lifted ??= lift(stored, line)) }
}

/** A reader that comes to the damaged event gets the error; the events before it are whole and are sent. */
function damagedLine(seq: number, error: unknown): Line {
  const tell = (): never => {
    throw error
  }
  return {
    seq,
    get bytes() {
      return tell()
    },
    lifted: tell,
  }
}

function lift(stored: StoredEvent, line: Buffer): Buffer {
  const event = readEvent(stored)
  const newest = upcast(event)
  return newest === event ? line : Buffer.from(`${JSON.stringify(newest)}\n`)
}

/** The newest lines, without a gap. */
function createKept() {
  let lines: Line[] = []
  let bytes = 0
  const after = (seq: number): Line[] => {
    const first = lines[0]?.seq ?? 0
    return seq + 1 < first ? [] : lines.slice(seq + 1 - first)
  }
  return {
    after,
    find: (seq: number): Line | undefined => after(seq - 1)[0],
    add(line: Line): void {
      const last = lines.at(-1)?.seq ?? 0
      if (line.seq <= last) return
      if (line.seq !== last + 1) {
        lines = []
        bytes = 0
      }
      lines.push(line)
      bytes += line.bytes.length
      while (lines.length > KEPT_EVENTS_MAX || (bytes > KEPT_BYTES_MAX && lines.length > 1))
        bytes -= lines.shift()?.bytes.length ?? 0
    },
  }
}
