import { existsSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import type { InputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { ModelProvider, Prices, type ModelTier, type ModelView } from '@choiros/contract/models.ts'
import type { ModelAccess } from '@choiros/ports/models/models.ts'
import { writeDurably } from '../signing/durable-file.ts'

const Stored = z.strictObject({
  provider: ModelProvider,
  url: z.string().nullable(),
  key: z.string().nullable(),
  fast: z.string(),
  strong: z.string(),
  prices: Prices.nullable(),
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
  /** The cost of so many tokens in millionths, or null where no price is known. */
  micros(usage: { input: number; output: number }): number | null
}

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
        }
  return {
    view,
    set({ provider, url, key, fast, strong, prices }) {
      const isSamePlace = stored?.provider === provider && stored.url === url
      // A key belongs to its address: if only the address were changed, the key would be sent to a stranger.
      if (key === null && stored?.provider === provider && stored.key !== null && !isSamePlace)
        throw new ChoirError(
          'request.invalid',
          'the key belongs to the address it was given for: type it again for this one, or remove the model first',
        )
      const kept = isSamePlace ? (stored?.key ?? null) : null
      stored = { provider, url, key: key === null ? kept : key === '' ? null : key, fast, strong, prices }
      writeDurably(file, `${JSON.stringify(stored, null, 2)}\n`, 0o600)
      return view() as ModelView
    },
    remove() {
      stored = null
      rmSync(file, { force: true })
    },
    access: (tier) =>
      stored === null ? null : { provider: stored.provider, url: stored.url, key: stored.key, model: stored[tier] },
    micros: ({ input, output }) =>
      stored?.prices == null ? null : Math.ceil(input * stored.prices.input + output * stored.prices.output),
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
  return { provider: known.data, url: orNull(url), key: orNull(key), fast: name, strong: name, prices: null }
}
