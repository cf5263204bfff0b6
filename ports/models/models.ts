import { LIMITS } from '@choiros/contract/limits.ts'
import type { ModelAnswer, ModelEffort, ModelProvider, ModelRequest } from '@choiros/contract/models.ts'

/** A model as it is configured, with its key: this never leaves the supervisor. */
export interface ModelAccess {
  readonly provider: ModelProvider
  readonly url: string | null
  readonly key: string | null
  /** The provider's own name of the model. */
  readonly model: string
  /** Whether it can see pictures; one that cannot is told that there was one. */
  readonly sees: boolean
}

export interface ModelCall {
  readonly access: ModelAccess
  readonly request: ModelRequest
  readonly outputTokensMax: number
  /** How long a model that can think before it answers should; null: as it does by itself. */
  readonly effort: ModelEffort | null
  readonly signal: AbortSignal
  /** Called with each piece of text as it comes. */
  readonly onText: (piece: string) => void
  /** Called with what comes besides text and is paid for too: thoughts, and the input of tools. */
  readonly onUnseen: (piece: string) => void
  /** Called whenever anything comes, be it one byte: a call that stays silent is stuck. */
  readonly onLife: () => void
}

/** One call to a language model. Rules: SPEC.md. */
export interface Models {
  call(call: ModelCall): Promise<ModelAnswer>
}

/** Why a call failed, in a form that decides what to do next. The message is for the person and holds no key. */
export class ModelFailure extends Error {
  readonly kind: 'busy' | 'refused' | 'unreachable' | 'stalled' | 'nonsense'
  readonly retryAfterMs: number | null

  constructor(
    kind: ModelFailure['kind'],
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | null } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ModelFailure'
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

/**
 * What a token may take on the wire, with everything that some servers send around it, and what an answer may hold
 * besides its tokens.
 */
const BYTES_PER_TOKEN_MAX = 1024
const BYTES_BESIDE_MAX = 512 * 1024

/** [MO8] */
export function bytesMaxOf(outputTokensMax: number): number {
  return BYTES_BESIDE_MAX + outputTokensMax * BYTES_PER_TOKEN_MAX
}

export function tooLong(bytesMax: number): ModelFailure {
  return new ModelFailure('nonsense', `the answer is longer than any answer may be (${bytesMax} bytes)`)
}

/**
 * [MO9] A server may report anything. What is no count becomes 0; where both counts are 0, the caller takes its own
 * guess.
 */
export function countOf(reported: number | undefined): number {
  return Number.isSafeInteger(reported) ? Math.min(Math.max(0, reported ?? 0), LIMITS.capMax) : 0
}
