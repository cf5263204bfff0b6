import type { ModelAnswer, ModelMessage, ModelRequest } from '@choiros/contract/models.ts'
import { bytesMaxOf, countOf, ModelFailure, tooLong, type Models } from './models.ts'

/** What a model in memory says. `raw`: a tool's input as unparsed text. */
export interface Saying {
  readonly text?: string
  readonly uses?: readonly { readonly name: string; readonly input?: unknown; readonly raw?: string }[]
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number }
  readonly thoughts?: string
  readonly fails?: ModelFailure['kind']
  readonly hangs?: true
  /** Says the text again and again. */
  readonly isEndless?: true
}

const PIECE_CHARS = 7

/** A model that says what it is told to, for tests: no network, no key, the same rules. */
export function openMemoryModels(say: (request: ModelRequest) => Saying): Models {
  return {
    async call({ access, request, outputTokensMax, signal, onText, onUnseen, onLife }) {
      const saying = say(access.sees ? request : withoutPictures(request))
      const {
        text = '',
        uses = [],
        usage = { input: 100, output: 20 },
        fails,
        hangs,
        isEndless,
        thoughts = '',
      } = saying
      signal.throwIfAborted()
      if (fails !== undefined) throw new ModelFailure(fails, `the model is ${fails}`)
      if (hangs === true)
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        )
      const bytesMax = bytesMaxOf(outputTokensMax)
      if (thoughts !== '') onUnseen(thoughts)
      let said = ''
      do {
        for (const piece of text.match(new RegExp(`[^]{1,${PIECE_CHARS}}`, 'g')) ?? []) {
          await Promise.resolve()
          signal.throwIfAborted()
          said += piece
          if (said.length > bytesMax) throw tooLong(bytesMax)
          onLife()
          onText(piece)
        }
      } while (isEndless === true)
      return {
        text: said,
        uses: uses.map(({ name, input, raw }, index) => ({ id: `call-${index}`, name, input: raw ?? input })),
        finish: uses.length > 0 ? 'tools' : 'stop',
        reasoning: thoughts === '' ? [] : [{ text: thoughts, kept: null }],
        usage: {
          input: countOf(usage.input),
          output: countOf(usage.output),
          cached: Math.min(countOf(usage.input), countOf(usage.cached)),
          written: 0,
        },
      } satisfies ModelAnswer
    },
  }
}

/** [MO11] */
function withoutPictures(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message): ModelMessage => {
    if (!('pictures' in message)) return message
    const { pictures: _, ...rest } = message
    return { ...rest, text: `${rest.text}\n(a picture, which this model cannot see)` }
  })
  return { ...request, messages }
}
