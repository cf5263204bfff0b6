/**
 * Every failure a person or program can meet, with the one sentence that says what to do about it.
 * Branch on the code; show the message.
 */
export const ERROR_CODES = [
  'request.invalid',
  'request.refused',
  'token.invalid',
  'link.invalid',
  'computer.unknown',
  'computer.exists',
  'computer.held',
  'home.locked',
  'home.unusable',
  'supervisor.stopping',
  'supervisor.unreachable',
  'log.conflict',
  'log.fenced',
  'log.corrupt',
  'log.truncated',
  'log.io',
  'event.too-large',
  'event.newer',
  'event.malformed',
  'path.invalid',
  'path.ignored',
  'path.unknown',
  'path.conflict',
  'link.outside',
  'file.conflict',
  'file.too-large',
  'quota.exceeded',
  'rate.limited',
  'disk.full',
  'object.missing',
  'object.corrupt',
  'object.erased',
  'undo.nothing',
  'undo.conflict',
  'undo.mismatch',
  'point.unknown',
  'run.unknown',
  'run.unverified',
  'run.refused',
  'syscall.refused',
  'memory.unknown',
  'policy.refused',
  'lease.unknown',
  'approval.unknown',
  'model.none',
  'model.failed',
  'budget.spent',
  'import.foreign',
  'import.corrupt',
  'sandbox.unavailable',
  'git.failed',
  'bug',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** What keeps a computer from opening because something of it is lost, and not because of a full disk, say. */
export const DAMAGE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'log.corrupt',
  'log.truncated',
  'log.io',
  'object.corrupt',
  'object.missing',
  'event.newer',
])

/** An expected failure. `details` is plain JSON for machines; the message alone must be enough for a person. */
export class ChoirError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown>

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ChoirError'
    this.code = code
    this.details = options.details ?? {}
  }
}

/** For what cannot happen. A failed assertion is a bug: crash and be restarted rather than write on. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${why}`)
}

export function hasCode(error: unknown, code: ErrorCode): error is ChoirError {
  return error instanceof ChoirError && error.code === code
}
