import { z } from 'zod'
import { canonicalForm, sha256 } from './canonical.ts'
import { ChoirError } from './error.ts'
import { ComputerId, EventId, Hash, RunId, Seq, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'

export const Source = z.enum(['user', 'agent', 'system'])
export type Source = z.infer<typeof Source>

export const Via = z.enum(['frame', 'desktop', 'terminal', 'cli', 'agent', 'system'])
export type Via = z.infer<typeof Via>

/** One fact. `hash` is not in here: it is the SHA-256 of exactly these canonical bytes. */
export const Envelope = z.strictObject({
  id: EventId,
  computer: ComputerId,
  seq: Seq,
  time: z.number().int().min(0),
  user: UserId,
  source: Source,
  via: Via,
  type: z.string().regex(/^[a-z]+(\.[a-z]+)*$/, 'must be lower-case and dotted'),
  version: z.number().int().positive(),
  data: z.record(z.string(), z.unknown()),
  run: RunId.nullable(),
  /**
   * The event that this one answers: for a result its call, for a task's outcome the task, for an answer the question.
   */
  cause: EventId.nullable(),
  prev: Hash,
})
export type Envelope = z.infer<typeof Envelope>

/** An event as the log keeps it: the bytes are the truth, everything else is read from them. */
export interface StoredEvent {
  readonly seq: Seq
  readonly hash: Hash
  readonly bytes: Buffer
}

/** An event as reducers and people see it. */
export interface Event extends Envelope {
  readonly hash: Hash
}

/** What a command decides; the log writer adds id, seq, time, prev and hash. */
export interface Draft {
  readonly type: string
  readonly version: number
  readonly data: Record<string, unknown>
  readonly user: UserId
  readonly source: Source
  readonly via: Via
  readonly run: RunId | null
  readonly cause: EventId | null
}

/** The last moment that fits into an event's id: in the year 10889. */
export const TIME_MS_MAX = 2 ** 48 - 1

/** A clock may be wrong, but an event's time must be one that every reader can show. */
export function eventTime(clockMs: number): number {
  return Number.isFinite(clockMs) ? Math.min(Math.max(0, Math.floor(clockMs)), TIME_MS_MAX) : 0
}

export function sealEvent(
  draft: Draft,
  position: { id: EventId; computer: ComputerId; seq: Seq; time: number; prev: Hash },
): { event: Event; stored: StoredEvent } {
  const { cause, data, run, source, type, user, version, via } = draft
  const { computer, id, prev, seq, time } = position
  // The members are in the order in which they are stored: sorting them for every event would take as long as writing
  // them.
  const { text, value } = canonicalForm({
    cause,
    computer,
    data,
    id,
    prev,
    run,
    seq,
    source,
    time,
    type,
    user,
    version,
    via,
  } satisfies Envelope)
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > LIMITS.eventBytesMax) {
    throw new ChoirError(
      'event.too-large',
      `a ${draft.type} event of ${bytes.length} bytes is over the limit of ${LIMITS.eventBytesMax}`,
    )
  }
  const stored: StoredEvent = { seq: position.seq, hash: sha256(bytes), bytes }
  // The value that a reader gets from the bytes: reducers must see now exactly what a replay will show them, down to
  // the order of keys.
  const event = value as Envelope & { hash: Hash }
  event.hash = stored.hash
  return { event, stored }
}

/** Reads an event of our own log without checking it again: hash and shape were checked when it was written. */
export function readEvent(stored: StoredEvent): Event {
  const event = JSON.parse(stored.bytes.toString('utf8')) as Envelope & { hash: Hash }
  event.hash = stored.hash
  return event
}

/** Throws unless the stored bytes match their hash and follow on from `before`. */
export function checkChain(stored: StoredEvent, event: Envelope, before: { seq: number; hash: Hash }): void {
  const problem =
    sha256(stored.bytes) !== stored.hash
      ? 'its bytes do not match its hash'
      : event.seq !== stored.seq || stored.seq !== before.seq + 1
        ? `it follows event ${before.seq}`
        : event.prev !== before.hash
          ? 'it names another predecessor'
          : null
  if (problem !== null) {
    throw new ChoirError('log.corrupt', `event ${stored.seq} is damaged: ${problem}`, { details: { seq: stored.seq } })
  }
}
