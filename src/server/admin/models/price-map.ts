import type { ModelEntry, OfferEntry } from '#server/llm/llm.ts'

/** Prices in a map: dollars per million, in the form of an offer of MODELS_FILE. Prices that the map does not name are absent. */
export type MapPrices = Omit<
  OfferEntry,
  'platform' | 'model' | 'currency' | 'thinking' | 'tiering' | 'defaults' | 'per_call'
> & { per_call?: number }

/** Abilities of a model that people want to know, under the names of MODELS_FILE. */
export const ABILITIES = ['tools', 'reasoning', 'vision', 'files', 'audio'] as const
type Ability = (typeof ABILITIES)[number]

/** One model on one platform in a map. Facts that the map does not name are absent. */
export type MapModel = {
  /** The model's name on the platform. */
  model: string
  name?: string
  type: ModelEntry['type']
  context_window?: number
  max_tokens?: number
  abilities: { [Name in Ability]?: boolean }
  prices?: MapPrices
  /** The day from which the platform no longer serves the model. */
  retires?: string
  source?: string
  /** Facts that a price of MODELS_FILE cannot express, for the operator. */
  notes: string[]
}

/** Models by their names on a platform, by the platform's name in MODELS_FILE. */
export type PriceMap = { platforms: Map<string, Map<string, MapModel>> }

/** A refused map, with place and reason. */
export class PriceMapError extends Error {
  readonly path: string[]

  constructor(path: string[], reason: string) {
    super(reason)
    this.name = 'PriceMapError'
    this.path = path
  }
}

/** Names of platforms of MODELS_FILE in maps, where they differ. */
const NAMES: Record<string, { litellm?: string; models_dev?: string }> = {
  dashscope: { models_dev: 'alibaba-cn' },
  zhipu: { litellm: 'zai', models_dev: 'zhipuai' },
  moonshot: { models_dev: 'moonshotai-cn' },
  minimax: { models_dev: 'minimax-cn' },
  siliconflow: { models_dev: 'siliconflow-cn' },
  tokenhub: { litellm: 'tencent', models_dev: 'tencent-tokenhub' },
  gemini: { models_dev: 'google' },
  jina: { litellm: 'jina_ai' },
}

/** Returns the name of a platform of MODELS_FILE in a map of this form. */
export const getMapName = (platform: string, form: 'litellm' | 'models_dev'): string =>
  NAMES[platform]?.[form] ?? platform

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Dollars for a million tokens (or one picture) beyond which a price is unrealistic: a sign of another unit. */
const MAX_DOLLARS = 10_000

/** Reads a price in dollars for `units`; undefined if the map has none. Throws PriceMapError. */
export function readPrice(
  parent: Record<string, unknown>,
  key: string,
  path: string[],
  units = 1,
): number | undefined {
  const value = parent[key] ?? undefined
  if (value === undefined) return undefined
  const refuse = (reason: string) => new PriceMapError([...path, key], reason)
  if (typeof value !== 'number' || value < 0)
    throw refuse(`a price must be a number from 0, not ${JSON.stringify(value)}`)
  if (value * units > MAX_DOLLARS) throw refuse(`${value} dollars cannot be true: another unit?`)
  return roundPrice(value * units)
}

/** Rounds up to the six decimals of MODELS_FILE, so that the operator loses nothing, but ignores floating-point noise. */
export const roundPrice = (price: number): number =>
  Math.ceil(Number((price * 1_000_000).toFixed(3))) / 1_000_000

/** Reads a number of tokens; undefined if it is missing or 0. Throws PriceMapError. */
export function readTokens(parent: Record<string, unknown>, key: string, path: string[]): number | undefined {
  const value = parent[key] ?? undefined
  if (value === undefined || value === 0) return undefined
  const tokens = typeof value === 'string' ? Number(value) : value
  if (typeof tokens !== 'number' || !Number.isInteger(tokens) || tokens < 0)
    throw new PriceMapError([...path, key], `must be a whole number of tokens, not ${JSON.stringify(value)}`)
  return tokens
}

/** Kinds of tokens, each with the text rate that applies if it is not named. */
const TEXT_OF = {
  reasoning: 'output',
  audio_output: 'output',
  image_output: 'output',
  audio_input: 'input',
  image_input: 'input',
} as const

/** Removes prices that equal their default, so that they follow the text's price in every tier. */
export function dropImplied(prices: MapPrices): MapPrices {
  const levels = [prices, ...(prices.tiers ?? [])].map((level) => ({ ...level }))
  for (const [name, text] of Object.entries(TEXT_OF) as [keyof typeof TEXT_OF, 'input' | 'output'][]) {
    const isImplied = levels.every((level) => (level[name] ?? level[text]) === level[text])
    if (isImplied) for (const level of levels) delete level[name]
  }
  // Free means without a surcharge: written tokens still are input.
  for (const level of levels) if (level.cache_write === 0) delete level.cache_write
  const [base, ...tiers] = levels as [MapPrices, ...NonNullable<MapPrices['tiers']>]
  return tiers.length ? { ...base, tiers } : base
}
