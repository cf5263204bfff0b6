import { existsSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import type { InputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import {
  ModelEffort,
  ModelProvider,
  Prices,
  type ModelTier,
  type ModelView,
  type Usage,
} from '@choiros/contract/models.ts'
import type { ModelAccess } from '@choiros/ports/models/models.ts'
import { writeDurably } from '../signing/durable-file.ts'

const Stored = z.strictObject({
  provider: ModelProvider,
  url: z.string().nullable(),
  key: z.string().nullable(),
  fast: z.string(),
  strong: z.string(),
  prices: Prices.nullable(),
  effort: ModelEffort.nullable().default(null),
  sees: z.boolean().nullable().default(null),
})
type Stored = z.infer<typeof Stored>

/**
 * The person's choice of a model. The file is readable by the supervisor's user alone and is the only place where a key
 * is kept.
 */
export interface ModelConfig {
  view(): ModelView | null
  set(input: InputOf<'model.set'>): ModelView
  remove(): void
  access(tier: ModelTier): ModelAccess | null
  /** How long the model of a tier should think before it answers; null: as it does by itself. */
  effort(tier: ModelTier): ModelEffort | null
  /**
   * What a call counts for. Tokens that were read from what the provider had kept count as much less as they cost less.
   * `micros` are millionths, null where no price is known.
   */
  cost(usage: Usage): { readonly tokens: number; readonly micros: number | null }
  /** The most that so many tokens can count for. */
  mostCost(usage: Pick<Usage, 'input' | 'output'>): { readonly tokens: number; readonly micros: number | null }
}

/** What a token costs beside one that is read in full, where the person has not said it: the providers' own lists. */
const CACHED_PART: Readonly<Record<ModelProvider, number>> = {
  'anthropic': 0.1,
  'bedrock': 0.1,
  'openai-compatible': 1,
}
const WRITTEN_PART: Readonly<Record<ModelProvider, number>> = {
  'anthropic': 1.25,
  'bedrock': 1.25,
  'openai-compatible': 1,
}
/** Providers whose models can see and think before they answer, unless the person says otherwise. */
const CAPABLE: ReadonlySet<ModelProvider> = new Set(['anthropic', 'bedrock'])

export function openModelConfig(file: string, environment: Readonly<Record<string, string | undefined>>): ModelConfig {
  let stored = fromEnvironment(environment) ?? read(file)
  const view = (): ModelView | null =>
    stored === null
      ? null
      : {
          provider: stored.provider,
          url: stored.url,
          tiers: { fast: stored.fast, strong: stored.strong },
          hasKey: stored.key !== null,
          prices: stored.prices,
          effort: stored.effort,
          sees: stored.sees ?? CAPABLE.has(stored.provider),
        }
  const weigh = ({ input, output, cached, written }: Usage) => {
    if (stored === null) return { tokens: input + output, micros: null }
    const { provider, prices } = stored
    const cachedPart =
      prices?.cached === undefined || prices.input === 0 ? CACHED_PART[provider] : prices.cached / prices.input
    const counted = input - cached - written + cached * cachedPart + written * WRITTEN_PART[provider]
    return {
      tokens: Math.ceil(counted + output),
      micros: prices === null ? null : Math.ceil(counted * prices.input + output * prices.output),
    }
  }
  return {
    view,
    set({ provider, url, key, fast, strong, prices, effort = null, sees = null }) {
      const isSamePlace = stored?.provider === provider && stored.url === url
      // A key belongs to its address: if only the address were changed, the key would be sent to a stranger.
      if (key === null && stored?.provider === provider && stored.key !== null && !isSamePlace)
        throw new ChoirError(
          'request.invalid',
          'the key belongs to the address it was given for: type it again for this one, or remove the model first',
        )
      const kept = isSamePlace ? (stored?.key ?? null) : null
      stored = { provider, url, key: key === null ? kept : key === '' ? null : key, fast, strong, prices, effort, sees }
      writeDurably(file, `${JSON.stringify(stored, null, 2)}\n`, 0o600)
      return view() as ModelView
    },
    remove() {
      stored = null
      rmSync(file, { force: true })
    },
    access: (tier) =>
      stored === null
        ? null
        : {
            provider: stored.provider,
            url: stored.url,
            key: stored.key,
            model: stored[tier],
            sees: stored.sees ?? CAPABLE.has(stored.provider),
          },
    effort: (tier) =>
      stored === null || tier === 'fast' ? null : (stored.effort ?? (CAPABLE.has(stored.provider) ? 'medium' : null)),
    cost: weigh,
    // All of it may be kept for the next call, which is the dearest way to read it.
    mostCost: ({ input, output }) => weigh({ input, output, cached: 0, written: input }),
  }
}

function read(file: string): Stored | null {
  if (!existsSync(file)) return null
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new ChoirError(
      'home.unusable',
      `the file ${file} is damaged: remove it, and set the model again with "choir model set"`,
      { cause },
    )
  }
}

/** For a start by a script: these settings are not written to the file. */
function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): Stored | null {
  const {
    CHOIR_MODEL_PROVIDER: provider,
    CHOIR_MODEL_URL: url,
    CHOIR_MODEL_NAME: name,
    CHOIR_MODEL_KEY: key,
    CHOIR_MODEL_SEES: sees,
  } = environment
  if (provider === undefined || provider === '') return null
  const known = ModelProvider.safeParse(provider)
  if (!known.success)
    throw new ChoirError(
      'request.invalid',
      `CHOIR_MODEL_PROVIDER must be ${ModelProvider.options.join(', ')}, not ${JSON.stringify(provider.slice(0, 40))}`,
    )
  if (name === undefined || name === '')
    throw new ChoirError('request.invalid', 'CHOIR_MODEL_NAME is missing: which model should be used?')
  const orNull = (text: string | undefined) => (text === undefined || text === '' ? null : text)
  return {
    provider: known.data,
    url: orNull(url),
    key: orNull(key),
    fast: name,
    strong: name,
    prices: null,
    effort: null,
    sees: sees === undefined || sees === '' ? null : sees === 'yes',
  }
}
