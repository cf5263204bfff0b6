import { setTimeout as delay } from 'node:timers/promises'
import type { OutputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import type { ModelAnswer, ModelEffort, ModelRequest, ModelTier, Usage } from '@choiros/contract/models.ts'
import { ModelFailure, type ModelAccess, type Models } from '@choiros/ports/models/models.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import { createBudget, type Budget } from './budget.ts'
import { guessRequestTokens, guessTokens } from './guess-tokens.ts'
import type { ModelConfig } from './config.ts'

/** The only way to a model: it reserves, calls, settles. No key ever comes out of it. */
export interface ModelGateway {
  call(
    computer: Computer,
    run: RunId,
    request: ModelRequest,
    signal: AbortSignal,
    listener?: ModelListener,
    within?: CallPolicy,
  ): Promise<ModelAnswer>
  test(tier: ModelTier): Promise<OutputOf<'model.test'>>
  readonly budget: Pick<Budget, 'view' | 'setCaps' | 'left'>
  isConfigured(): boolean
}

/** What the mood of a run says about its calls. */
export interface CallPolicy {
  /** The part of the run's cap that may be used. */
  readonly share: number
  /** How long a model that can think should; null: as the person has set it. */
  readonly effort: ModelEffort | null
}

const AS_SET: CallPolicy = { share: 1, effort: null }

/** Hears an answer while it comes. */
export interface ModelListener {
  /** Called with each piece of the answer's words as it comes. */
  text(piece: string): void
  /** Called when a busy server is to be asked again, so many milliseconds later. */
  waits(ms: number): void
  /** Called when a model that fell silent is asked once more. */
  asksAgain(): void
}

/** How much a model may cost and how long it may be silent. */
export interface ModelLimits {
  /** Tokens in all, answers included; the default until the person sets other caps. */
  readonly tokensPerRun?: number
  readonly tokensPerDay?: number
  /** A model that sends nothing for so long is stuck. */
  readonly stallMs?: number
  /** A model that goes on for so long, however slowly, is cut off. */
  readonly callMs?: number
  readonly pauseMs?: number
}

export interface ModelGatewayOptions extends ModelLimits {
  readonly models: Models
  readonly config: ModelConfig
  readonly machine: Machine
}

const TOKENS_PER_RUN = 1_500_000
const TOKENS_PER_DAY = 10_000_000
const OUTPUT_TOKENS_MAX = 32_768
/** A model may think for minutes; any byte shows that it is alive. */
const STALL_MS = 5 * 60_000
/** The whole run has no more than this either. */
const CALL_MS = 30 * 60_000
const TRIES_MAX = 4
/** How often a model that fell silent is asked again, with the whole talk so far. */
const STALLS_MAX = 1
const PAUSE_MS = 500
const PAUSE_MS_MAX = 30_000
const TEST_MS = 20_000
export function createModelGateway({
  models,
  config,
  machine,
  tokensPerRun = TOKENS_PER_RUN,
  tokensPerDay = TOKENS_PER_DAY,
  stallMs = STALL_MS,
  callMs = CALL_MS,
  pauseMs = PAUSE_MS,
}: ModelGatewayOptions): ModelGateway {
  const budget = createBudget({
    config,
    machine,
    caps: { run: tokensPerRun, day: tokensPerDay, computer: null, micros: null },
  })

  const callWithin = async (
    { access, request, outputTokensMax, effort }: Asked,
    signal: AbortSignal,
    came: Came = createCame(),
  ): Promise<ModelAnswer> => {
    const stalled = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const onLife = () => {
      clearTimeout(timer)
      timer = setTimeout(
        () => stalled.abort(new ModelFailure('stalled', `the model has sent nothing for ${stallMs / 1000} s`)),
        stallMs,
      )
    }
    onLife()
    const whole = setTimeout(
      () => stalled.abort(new ModelFailure('unreachable', `the model was not done after ${callMs / 1000} s`)),
      callMs,
    )
    Object.assign(came, { waiting: false, pieces: 0, tokens: 0 })
    const onUnseen = (piece: string) => {
      came.pieces++
      came.tokens += guessTokens(piece)
    }
    const onText = (piece: string) => {
      onUnseen(piece)
      came.listener?.text(piece)
    }
    try {
      return await models.call({
        access,
        request,
        outputTokensMax,
        effort,
        signal: AbortSignal.any([signal, stalled.signal]),
        onText,
        onUnseen,
        onLife,
      })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (stalled.signal.aborted && !signal.aborted) throw stalled.signal.reason
      throw error
    } finally {
      clearTimeout(timer)
      clearTimeout(whole)
    }
  }

  /**
   * A busy server is asked again a few times, each time later. Other failures are not repeated: they would fail again
   * and cost again.
   */
  const callPatiently = async (asked: Asked, signal: AbortSignal, came: Came): Promise<ModelAnswer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await callWithin(asked, signal, came)
      } catch (error) {
        if (!(error instanceof ModelFailure) || error.kind !== 'busy' || attempt === TRIES_MAX) throw error
        // Where the server says to come back in an hour, the caller is not kept waiting for it.
        if ((error.retryAfterMs ?? 0) > PAUSE_MS_MAX) throw error
        const waitMs = Math.min(error.retryAfterMs ?? pauseMs * 2 ** attempt, PAUSE_MS_MAX)
        came.waiting = true
        came.listener?.waits(waitMs)
        await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    }
  }

  const accessOf = (tier: ModelTier): ModelAccess => {
    const access = config.access(tier)
    if (access === null)
      throw new ChoirError(
        'model.none',
        'no language model is set up: choose one under Model in the frame, or with "choir model set"',
      )
    return access
  }

  /** Models that were found not to know what thinking is. */
  const thoughtless = new Set<string>()
  const effortOf = (tier: ModelTier, { model }: ModelAccess, wanted: ModelEffort | null) => {
    const own = thoughtless.has(model) ? null : config.effort(tier)
    return own === null ? null : (wanted ?? own) // One that cannot think is not told to.
  }

  /** Reserves, calls, settles: each try is paid for by itself. */
  const callPaid = async (
    computer: Computer,
    run: RunId,
    request: ModelRequest,
    signal: AbortSignal,
    listener: ModelListener | undefined,
    within: CallPolicy,
  ): Promise<ModelAnswer> => {
    const access = accessOf(request.tier)
    const effort = effortOf(request.tier, access, within.effort)
    const input = guessRequestTokens(request)
    const wanted = { tier: request.tier, model: access.model, input, output: OUTPUT_TOKENS_MAX, share: within.share }
    const { call, output: outputTokensMax } = await budget.reserve(computer, run, wanted)
    const most: Usage = { input, output: outputTokensMax, cached: 0, written: 0 }
    const came = createCame(listener)
    try {
      const answer = await callPatiently({ access, request, outputTokensMax, effort }, signal, came)
      const { usage } = answer
      // What the server does not count is guessed: nothing is free.
      await budget.settle(computer, run, call, {
        ...usage,
        input: usage.input || input,
        output: usage.output || Math.max(guessTokens(answer.text + JSON.stringify(answer.uses)), came.tokens),
      })
      return answer
    } catch (error) {
      await budget.settle(computer, run, call, costOf(error, came, signal, most))
      if (effort !== null && error instanceof ModelFailure && error.kind === 'refused' && aboutThinking(error)) {
        thoughtless.add(access.model)
        return callPaid(computer, run, request, signal, listener, within)
      }
      throw error
    }
  }

  return {
    budget,
    isConfigured: () => config.view() !== null,
    async call(computer, run, request, signal, listener, within = AS_SET) {
      try {
        for (let stalls = 0; ; stalls++) {
          try {
            return await callPaid(computer, run, request, signal, listener, within)
          } catch (error) {
            if (!(error instanceof ModelFailure) || error.kind !== 'stalled' || stalls === STALLS_MAX) throw error
            listener?.asksAgain()
          }
        }
      } catch (error) {
        if (error instanceof ModelFailure)
          throw new ChoirError('model.failed', error.message, { cause: error, details: { kind: error.kind } })
        throw error
      }
    },
    async test(tier) {
      const startMs = machine.now()
      const done = (ok: boolean, message: string) => ({ ok, message, tookMs: machine.now() - startMs })
      try {
        const messages: ModelRequest['messages'] = [{ role: 'user', text: 'Answer with the one word: ready' }]
        const asked = {
          access: accessOf(tier),
          request: { tier, messages, tools: [] },
          outputTokensMax: 50,
          effort: null,
        }
        const { text } = await callWithin(asked, AbortSignal.timeout(TEST_MS))
        return text.trim() === ''
          ? done(false, 'the model answered, but said nothing')
          : done(true, `the model answered: ${text.trim().slice(0, 100)}`)
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError')
          return done(false, `the model did not answer within ${TEST_MS / 1000} s`)
        return done(false, error instanceof Error ? error.message : String(error))
      }
    },
  }
}

/** One request to one model. */
interface Asked {
  readonly access: ModelAccess
  readonly request: ModelRequest
  readonly outputTokensMax: number
  readonly effort: ModelEffort | null
}

/** Whether a server refused a request because its model cannot think, or not in this way. */
function aboutThinking({ message }: ModelFailure): boolean {
  return /thinking|reasoning|effort/i.test(message)
}

/** What has come of an answer so far. */
interface Came {
  readonly listener: ModelListener | undefined
  /** Whether we wait to ask a busy server again. */
  waiting: boolean
  pieces: number
  tokens: number
}

function createCame(listener?: ModelListener): Came {
  return { listener, waiting: false, pieces: 0, tokens: 0 }
}

/**
 * A call that was refused before it began costs nothing; a call that was stopped costs what had come by then; a call
 * that broke off by itself may have cost everything.
 */
function costOf(error: unknown, { waiting, pieces, tokens }: Came, signal: AbortSignal, most: Usage): Usage {
  if (waiting || (error instanceof ModelFailure && (error.kind === 'refused' || error.kind === 'busy')))
    return { ...most, input: 0, output: 0 }
  if (!signal.aborted) return most
  return { ...most, output: Math.min(most.output, Math.max(pieces, tokens)) }
}
