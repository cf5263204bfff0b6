import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Seq } from '@choiros/contract/ids.ts'
import { readEvent, type StoredEvent } from '@choiros/contract/event.ts'
import { upcast } from '@choiros/contract/upcast.ts'
import type { EventAside } from '@choiros/contract/wire.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'

/** An event as it is sent: its JSON with its hash, and the end of the line. */
export interface Line {
  readonly seq: number
  readonly bytes: Buffer
  /** The same in the newest version of its type; for pages, which go on behind an event that is damaged. */
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
  /** Ends all listening with an error. Closing the log itself does not do that. */
  close(): void
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
  let isClosed = false

  const readOn = async (own: NonNullable<typeof reader>) => {
    try {
      for await (const stored of log.follow(own.position, own.stop.signal)) {
        const line = kept.find(stored.seq) ?? lineOf(stored)
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
  const startReader = async (after: number): Promise<void> => {
    const { seq } = await log.head()
    if (reader !== null || isClosed) return
    reader = { stop: new AbortController(), position: Math.min(after, seq) }
    void readOn(reader)
  }

  /** A damaged one is not kept: it is read again, and told again, for each who comes to it. */
  const lineOf = (stored: StoredEvent): Line => {
    try {
      const line = toLine(stored)
      kept.add(line)
      return line
    } catch (error) {
      return damagedLine(stored.seq, error)
    }
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
      for (const stored of page) lines.push(lineOf(stored))
      return lines
    },
    async listen(after, take, gone) {
      // Once more where it was stopped meanwhile: nobody who had come to it was registered yet.
      while (reader === null && !isClosed && !gone.aborted) await startReader(after)
      if (isClosed) throw closed()
      if (gone.aborted && listeners.size === 0) stopReader()
      const position = reader?.position ?? after
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
          try {
            if (!take(line)) leave()
          } catch (error) {
            listener.fail(error)
          }
        },
        fail(error) {
          reject(error)
          leave()
        },
      }
      listeners.add(listener)
      gone.addEventListener('abort', leave)
      for (const line of missed) if (listeners.has(listener)) listener.hear(line)
      return await promise
    },
    close() {
      isClosed = true
      for (const listener of listeners) listener.fail(closed())
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

/**
 * A reader of the log as it was written gets the error; a page gets the number alone, and goes on. The events before it
 * are whole and are sent.
 */
function damagedLine(seq: number, error: unknown): Line {
  return {
    seq,
    get bytes(): Buffer {
      throw error
    },
    lifted: () => Buffer.from(`${JSON.stringify({ damaged: seq as Seq } satisfies EventAside)}\n`),
  }
}

function closed(): ChoirError {
  return new ChoirError('supervisor.stopping', 'the computer is closing; try again when it is back')
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
