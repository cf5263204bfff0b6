import { z } from 'zod'
import { ERROR_CODES } from './error.ts'
import { RunId, Seq, UserId } from './ids.ts'

/**
 * What crosses the supervisor's socket around a command. Not in routes.ts, so that a program which only asks for the
 * status need not load a schema.
 */
export const CommandRequest = z.strictObject({
  /** Null: the owner of the home. */
  user: UserId.nullable(),
  /** A computer's name or id. Null: the user's first computer. */
  computer: z.string().max(100).nullable(),
  command: z.string().max(100),
  input: z.unknown(),
})
export type CommandRequest = z.infer<typeof CommandRequest>

export const WireError = z.strictObject({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type WireError = z.infer<typeof WireError>

/** A command's answer is lines of JSON: any number of progress lines, then one result or one error. */
export const AnswerLine = z.union([
  z.strictObject({ progress: z.strictObject({ what: z.string(), done: z.number(), total: z.number().nullable() }) }),
  z.strictObject({ result: z.unknown() }),
  z.strictObject({ error: WireError }),
])
export type AnswerLine = z.infer<typeof AnswerLine>

/** What a model has said so far, while it says it. */
export const Said = z.strictObject({ run: RunId, text: z.string() })
export type Said = z.infer<typeof Said>

/**
 * The log is lines of JSON, an event each. Between them stand what is no event yet, and, for pages, the number of an
 * event that is damaged: they go on behind it.
 */
export const EventAside = z.union([z.strictObject({ live: Said }), z.strictObject({ damaged: Seq })])
export type EventAside = z.infer<typeof EventAside>
/** The last line of a log that cannot be read on. No page is sent it: the gateway hangs up instead. */
export const EventsEnd = z.strictObject({ error: WireError })
export type EventsEnd = z.infer<typeof EventsEnd>

/** How much an export of a damaged computer holds. */
export const Rescued = z.strictObject({
  events: z.number().int(),
  lost: z.number().int(),
  problem: z.string().nullable(),
})
