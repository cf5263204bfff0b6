import type { ModelAnswer, ModelProvider, ModelRequest } from '@choiros/contract/models.ts'

/** A model as it is configured, with its key: this never leaves the supervisor. */
export interface ModelAccess {
  readonly provider: ModelProvider
  readonly url: string | null
  readonly key: string | null
  /** The provider's own name of the model. */
  readonly model: string
}

export interface ModelCall {
  readonly access: ModelAccess
  readonly request: ModelRequest
  readonly outputTokensMax: number
  readonly signal: AbortSignal
  /** Called with each piece of text as it comes. */
  readonly onText: (piece: string) => void
  /** Called whenever anything comes: a call that stays silent is stuck. */
  readonly onLife: () => void
}

/** One call to a language model. Rules: SPEC.md. */
export interface Models {
  call(call: ModelCall): Promise<ModelAnswer>
}

/** Why a call failed, in a form that decides what to do next. The message is for the person and holds no key. */
export class ModelFailure extends Error {
  readonly kind: 'busy' | 'refused' | 'unreachable' | 'nonsense'
  readonly retryAfterMs: number | null

  constructor(kind: ModelFailure['kind'], message: string, options: { cause?: unknown; retryAfterMs?: number | null } = {}) {
    super(message, { cause: options.cause })
    this.name = 'ModelFailure'
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}
