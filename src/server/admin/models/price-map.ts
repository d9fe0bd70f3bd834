import type { ModelEntry, OfferEntry } from '#server/llm/llm.ts'

/** What a map says of a price: dollars per million, in the form of an offer of MODELS_FILE. What it does not name is absent. */
export type MapPrices = Omit<
  OfferEntry,
  'platform' | 'model' | 'currency' | 'thinking' | 'tiering' | 'defaults' | 'per_call'
> & { per_call?: number }

/** What people want to know of a model beside its price, under the names of MODELS_FILE. */
export const ABILITIES = ['tools', 'reasoning', 'vision', 'files', 'audio'] as const
type Ability = (typeof ABILITIES)[number]

/** What a map says of one model on one platform. What it does not say is absent. */
export type MapModel = {
  /** The model's name on the platform. */
  model: string
  name?: string
  type: ModelEntry['type']
  context_window?: number
  max_tokens?: number
  abilities: { [Name in Ability]?: boolean }
  prices?: MapPrices
  /** The day from which the platform no longer serves it. */
  retires?: string
  source?: string
  /** What the form of a price of MODELS_FILE cannot say, for the operator. */
  notes: string[]
}

/** Models by their names on a platform, by the platform's name in MODELS_FILE. */
export type PriceMap = { platforms: Map<string, Map<string, MapModel>> }

/** A map that is refused: where and why. */
export class PriceMapError extends Error {
  readonly path: string[]

  constructor(path: string[], reason: string) {
    super(reason)
    this.name = 'PriceMapError'
    this.path = path
  }
}

/** How maps name a platform of MODELS_FILE, where they do not use its own name. */
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

/** The name of a platform of MODELS_FILE in a map of this form. */
export const getMapName = (platform: string, form: 'litellm' | 'models_dev'): string =>
  NAMES[platform]?.[form] ?? platform

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Dollars of a million tokens (or of one picture) that nobody asks: a sign that the unit is another. */
const MAX_DOLLARS = 10_000

/** Dollars of `units`; undefined where the map has none. Throws PriceMapError. */
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

/** To the six decimals that MODELS_FILE has, up, so that the house does not pay the rest; without the noise of the product. */
export const roundPrice = (price: number): number =>
  Math.ceil(Number((price * 1_000_000).toFixed(3))) / 1_000_000

/** A count of tokens of the map; undefined where it has none or says 0. Throws PriceMapError. */
export function readTokens(parent: Record<string, unknown>, key: string, path: string[]): number | undefined {
  const value = parent[key] ?? undefined
  if (value === undefined || value === 0) return undefined
  const tokens = typeof value === 'string' ? Number(value) : value
  if (typeof tokens !== 'number' || !Number.isInteger(tokens) || tokens < 0)
    throw new PriceMapError([...path, key], `must be a whole number of tokens, not ${JSON.stringify(value)}`)
  return tokens
}

/** Kinds of tokens, and the text that they cost as much as where they are not named. */
const TEXT_OF = {
  reasoning: 'output',
  audio_output: 'output',
  image_output: 'output',
  audio_input: 'input',
  image_input: 'input',
} as const

/** Prices without those that say no more than their absence does, so that they follow the text's in every tier. */
export function dropImplied(prices: MapPrices): MapPrices {
  const levels = [prices, ...(prices.tiers ?? [])].map((level) => ({ ...level }))
  for (const [name, text] of Object.entries(TEXT_OF) as [keyof typeof TEXT_OF, 'input' | 'output'][]) {
    const isImplied = levels.every((level) => (level[name] ?? level[text]) === level[text])
    if (isImplied) for (const level of levels) delete level[name]
  }
  // Free means without a surcharge: what is written is input all the same.
  for (const level of levels) if (level.cache_write === 0) delete level.cache_write
  const [base, ...tiers] = levels as [MapPrices, ...NonNullable<MapPrices['tiers']>]
  return tiers.length ? { ...base, tiers } : base
}
