import type { z } from 'zod'
import { canonicalBytes, nestsDeeperThan } from './canonical.ts'
import { carriesChanges, CATALOG, definitionOf } from './catalog.ts'
import { type EventDefinition } from './events/define.ts'
import { clip } from './clip.ts'
import { ChoirError } from './error.ts'
import { Envelope, TIME_MS_MAX, type Event, type StoredEvent } from './event.ts'
import { issueText } from './issue.ts'
import { LIMITS } from './limits.ts'
import { upcast } from './upcast.ts'

/**
 * What is wrong with the shape of an event. `isBearable`: only a bound is wrong, in a record that changes no files, or
 * only the clock was. Logs from before drafts were parsed hold such events; every reader can live with them, so a
 * computer is not lost because of one.
 */
export interface ShapeProblem {
  readonly message: string
  readonly isBearable: boolean
}

/** The last moment that JavaScript's calendar knows: a later one cannot be shown. */
const CALENDAR_MS_MAX = 8_640_000_000_000_000

export function shapeProblem(event: Event, { bytes }: StoredEvent): ShapeProblem | null {
  const fatal = (message: string) => ({ message, isBearable: false })
  if (bytes.length > LIMITS.eventBytesMax) return fatal('it is too large')
  if (nestsDeeperThan(bytes, LIMITS.jsonLevelsMax)) return fatal('it is nested too deeply')
  const { hash: _, ...envelope } = event
  if (!isCanonical(envelope, bytes)) return fatal('its bytes are not the canonical ones')
  const around = Envelope.safeParse(envelope).error?.issues ?? []
  if (around.length > 0) return { message: wordsOf(around[0]), isBearable: isBearableEnvelope(envelope, around) }
  if (event.time > CALENDAR_MS_MAX) return fatal('its time is beyond every calendar')
  const inside = definitionOf(event.type)?.data.safeParse(upcast(event).data, { reportInput: true }).error?.issues ?? []
  return inside.length === 0 ? null : { message: wordsOf(inside[0]), isBearable: isBearable(event.type, inside) }
}

type Issue = z.core.$ZodIssue

function isBearable(type: string, issues: readonly Issue[]): boolean {
  const isOnlyBounds = ({ code, input }: Issue) =>
    (code === 'too_big' || code === 'too_small') &&
    (typeof input !== 'number' || Number.isSafeInteger(input) || !Number.isInteger(input))
  return !carriesChanges(type) && issues.every(isOnlyBounds)
}

/**
 * A clock before 1970 or far in the future made impossible times and, from them, malformed ids. Where such a time has a
 * well-formed id, it did not come from a clock.
 */
function isBearableEnvelope({ time, id }: Envelope, issues: readonly Issue[]): boolean {
  const isClockWrong = Number.isSafeInteger(time) && (time < 0 || time > TIME_MS_MAX)
  const isIdWrong = typeof id === 'string' && id.length <= 64 && issues.some(({ path }) => path[0] === 'id')
  return isClockWrong && isIdWrong && issues.every(({ path }) => path[0] === 'time' || path[0] === 'id')
}

function wordsOf(issue: Issue | undefined): string {
  return issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}`
}

/**
 * Two readers must not see different things in the same bytes, such as a member that is there twice or a text that is
 * no Unicode.
 */
function isCanonical(envelope: Envelope, bytes: Buffer): boolean {
  try {
    return canonicalBytes(envelope).equals(bytes)
  } catch {
    return false
  }
}

const DEFINITIONS: ReadonlyMap<string, EventDefinition> = new Map(
  CATALOG.map((definition) => [`${definition.type}@${definition.version}`, definition]),
)

/**
 * Throws unless an event of that type may say this. Asked before it is sealed: a malformed event that is once in the
 * log would keep it from ever being imported or forked.
 */
export function checkDraft({
  type,
  version,
  data,
}: {
  type: string
  version: number
  data: Record<string, unknown>
}): void {
  const definition = DEFINITIONS.get(`${type}@${version}`)
  const parsed = definition?.data.safeParse(data, { reportInput: true })
  if (parsed?.success === true) return
  const issue = parsed?.error.issues[0]
  const why = issue === undefined ? 'there is no such event' : `${issue.path.join('.')}: ${issueText(issue)}`
  throw new ChoirError('event.malformed', `a ${type} event cannot be written: ${why}. Nothing was written.`)
}

/** Words of guests and models, cut to what an event of this type may say. */
export function clipWords(definition: EventDefinition, data: Record<string, unknown>): Record<string, unknown> {
  const shape = (definition.data as { shape?: Readonly<Record<string, { maxLength?: number | null }>> }).shape ?? {}
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' ? clip(value, shape[name]?.maxLength ?? value.length) : toUnicode(value),
    ]),
  )
}

/** The same for values further down: a lone half of a character would keep the event from being written at all. */
function toUnicode(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(toUnicode)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toUnicode(member)]))
}
