import type { Caller } from './commands/command.ts'
import { ChoirError, type ErrorCode } from './error.ts'
import type { WireError } from './wire.ts'

/**
 * Both sides of the supervisor's socket send this number; a different one is refused. Raise it when an old client would
 * misread an answer.
 */
export const CONTRACT_VERSION = 1

export const CONTRACT_HEADER = 'choir-contract'

/** The gateway says for which user and for which caller it speaks. Only requests with its own token may carry these. */
export const USER_HEADER = 'choir-user'
export const CALLER_HEADER = 'choir-caller'

/** What the desk route upgrades to. */
export const TUNNEL = 'choir-tunnel'

/** With an export of what is left of a damaged computer: how much that is, as JSON, percent-encoded. */
export const RESCUE_HEADER = 'choir-rescue'

/**
 * Sent with events: the number of the event that they follow. A caller that asked for what comes after the head learns
 * here which event the head was.
 */
export const AFTER_HEADER = 'choir-after'

/** The socket's routes. Everything but the byte streams is a command. */
export const ROUTES = {
  /** Asked first: an answer means that the supervisor will finish the next request on the same connection. */
  hello: '/hello',
  command: '/command',
  events: '/events',
  file: '/file',
  object: '/object',
  export: '/export',
  import: '/import',
  /** Upgrades to a raw connection to the desk's Vite. */
  desk: '/desk',
} as const

/**
 * Who may use which route. A command has its own list as well. The desktop may neither take nor bring the whole
 * computer in one file.
 */
export const ROUTES_FROM: Readonly<Record<string, readonly Caller[]>> = {
  [ROUTES.hello]: ['frame', 'desktop', 'cli', 'gateway'],
  [ROUTES.command]: ['frame', 'desktop', 'cli', 'gateway'],
  [ROUTES.events]: ['frame', 'desktop', 'cli'],
  [ROUTES.file]: ['frame', 'desktop', 'cli'],
  [ROUTES.object]: ['frame', 'desktop', 'cli'],
  [ROUTES.export]: ['frame', 'cli'],
  [ROUTES.import]: ['frame', 'cli'],
  [ROUTES.desk]: ['frame', 'desktop', 'cli'],
}

export type Progress = (what: string, done: number, total: number | null) => void

export function toWireError(error: unknown): WireError {
  if (error instanceof ChoirError) return { code: error.code, message: error.message, details: error.details }
  return {
    code: 'bug',
    message: 'something went wrong inside ChoirOS; nothing was written. The details are in the supervisor’s output.',
    details: {},
  }
}

export function fromWireError(error: WireError): ChoirError {
  return new ChoirError(error.code, error.message, { details: error.details })
}

/** The one place that decides whose fault a failure is; the compiler insists that no code is forgotten. */
export const HTTP_STATUS = {
  'request.invalid': 400,
  'request.refused': 403,
  'token.invalid': 401,
  'link.invalid': 401,
  'computer.unknown': 404,
  'computer.exists': 409,
  'computer.held': 409,
  'home.locked': 409,
  'home.unusable': 500,
  'supervisor.stopping': 503,
  'supervisor.unreachable': 503,
  'log.conflict': 409,
  'log.fenced': 409,
  'log.corrupt': 500,
  'log.truncated': 500,
  'log.io': 500,
  'event.too-large': 413,
  'event.newer': 400,
  'event.malformed': 500,
  'path.invalid': 400,
  'path.ignored': 400,
  'path.unknown': 404,
  'path.conflict': 409,
  'link.outside': 400,
  'file.conflict': 409,
  'file.too-large': 413,
  'quota.exceeded': 413,
  'rate.limited': 429,
  'disk.full': 507,
  'object.missing': 404,
  'object.corrupt': 500,
  'object.erased': 410,
  'undo.nothing': 200, // To have nothing to undo is a plain answer, no failure: browsers would log one.
  'undo.conflict': 409,
  'undo.mismatch': 409,
  'point.unknown': 404,
  'run.unknown': 404,
  'run.unverified': 409,
  'run.refused': 409,
  'syscall.refused': 403,
  'memory.unknown': 404,
  'policy.refused': 403,
  'lease.unknown': 404,
  'approval.unknown': 404,
  'model.none': 409,
  'model.failed': 502,
  'budget.spent': 402,
  'import.foreign': 400,
  'import.corrupt': 400,
  'sandbox.unavailable': 503,
  'git.failed': 500,
  'bug': 500,
} as const satisfies Record<ErrorCode, number>
