import type { ModelEntry } from '#server/llm/llm.ts'
import { dropImplied, getMapName, isObject, PriceMapError, readPrice, readTokens } from './price-map.ts'
import type { MapModel, MapPrices, PriceMap } from './price-map.ts'

// LiteLLM's model_prices_and_context_window.json is one object with a member for each model, in dollars per token. Prices of
// service levels (_batches, _flex, _priority …) are left out, since our calls do not use them.

type Entry = Record<string, unknown>

const MILLION = 1_000_000

const TYPES: Record<string, ModelEntry['type']> = {
  chat: 'chat',
  responses: 'chat',
  embedding: 'embedding',
  rerank: 'rerank',
  image_generation: 'image',
  audio_speech: 'tts',
  audio_transcription: 'asr',
}

const RATES = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cached_input: 'cache_read_input_token_cost',
  cache_write: 'cache_creation_input_token_cost',
  cache_write_1h: 'cache_creation_input_token_cost_above_1hr',
  reasoning: 'output_cost_per_reasoning_token',
  audio_input: 'input_cost_per_audio_token',
  audio_output: 'output_cost_per_audio_token',
  image_input: 'input_cost_per_image_token',
  image_output: 'output_cost_per_image_token',
} as const
type Rates = { -readonly [Name in keyof typeof RATES]?: number }

const ABILITY_KEYS = {
  tools: 'supports_function_calling',
  reasoning: 'supports_reasoning',
  vision: 'supports_vision',
  files: 'supports_pdf_input',
  audio: 'supports_audio_input',
} as const

/** Platforms whose dearer tier begins with the token that the key names, not with the next one. */
const INCLUSIVE_BORDERS = new Set(['xai'])

const isEntry = (value: unknown): value is Entry =>
  isObject(value) && typeof value['litellm_provider'] === 'string'

/** Tells whether a file has this form, judged by most of its members: a few may be broken. */
export function isLitellmMap(file: unknown): file is Record<string, Entry> {
  if (!isObject(file)) return false
  const members = Object.values(file)
  return members.length > 0 && members.filter(isEntry).length > members.length / 2
}

/** Returns the models of these platforms. Throws PriceMapError at the first invalid value. */
export function parseLitellmMap(file: Record<string, unknown>, platforms: string[]): PriceMap {
  const byProvider = new Map(
    platforms.map((name) => [getMapName(name, 'litellm'), new Map<string, MapModel>()]),
  )
  const pictures: [string, Entry][] = []
  for (const [key, entry] of Object.entries(file)) {
    // The first describes the format itself; the others are no models at all.
    if (key === 'sample_spec' || !isObject(entry) || (!isEntry(entry) && !entry['mode'])) continue
    if (!isEntry(entry)) throw new PriceMapError([key], 'no litellm_provider: whose model?')
    const provider = String(entry['litellm_provider'])
    const type = TYPES[String(entry['mode'])]
    const models = byProvider.get(provider)
    if (!models || !type) continue
    const model = key.startsWith(`${provider}/`) ? key.slice(provider.length + 1) : key
    if (PICTURE_KEY.test(model)) {
      pictures.push([key, entry])
      continue
    }
    const parsed = parseEntry(key, model, type, entry, INCLUSIVE_BORDERS.has(provider))
    // If a name occurs with and without its platform as prefix, the prefixed one is more exact.
    if (model !== key || !models.has(model)) models.set(model, parsed)
  }
  for (const [key, entry] of pictures) addPicture(key, entry, byProvider)
  return {
    platforms: new Map(platforms.map((name) => [name, byProvider.get(getMapName(name, 'litellm'))!])),
  }
}

function parseEntry(
  key: string,
  model: string,
  type: ModelEntry['type'],
  entry: Entry,
  inclusive: boolean,
): MapModel {
  const { deprecation_date, source, off_peak_pricing } = entry
  const prices = readPrices(key, type, entry, inclusive)
  const notes: string[] = []
  if (off_peak_pricing) notes.push('cheaper at off-peak hours')
  if (entry['mode'] === 'responses') notes.push('only by /responses')
  const contextWindow = readTokens(entry, 'max_input_tokens', [key])
  const maxTokens = readTokens(entry, 'max_output_tokens', [key])
  return {
    model,
    type,
    ...(contextWindow ? { context_window: contextWindow } : {}),
    ...(maxTokens ? { max_tokens: maxTokens } : {}),
    abilities: Object.fromEntries(
      Object.entries(ABILITY_KEYS).flatMap(([name, flag]) =>
        typeof entry[flag] === 'boolean' ? [[name, entry[flag]]] : [],
      ),
    ),
    ...(prices ? { prices } : {}),
    ...(typeof deprecation_date === 'string' ? { retires: deprecation_date } : {}),
    ...(typeof source === 'string' ? { source } : {}),
    notes,
  }
}

/** Returns undefined if the map has no price, or one by another unit than MODELS_FILE uses for this type. */
function readPrices(
  key: string,
  type: ModelEntry['type'],
  entry: Entry,
  inclusive: boolean,
): MapPrices | undefined {
  const read = (name: string, units = MILLION) => readPrice(entry, name, [key], units)
  if (type === 'tts') return toInput(read('input_cost_per_character'))
  // A million milliseconds are 1,000 seconds.
  if (type === 'asr') return toInput(read('input_cost_per_second', 1_000))
  if (type === 'rerank') {
    const perCall = read('input_cost_per_query', 1)
    return perCall ? { input: 0, output: 0, per_call: perCall } : toInput(read(RATES.input))
  }
  if (type === 'embedding') return toInput(read(RATES.input))
  if (type === 'image') {
    const rates = readRates(entry, [key], '')
    const output = rates.output ?? rates.image_output ?? 0
    if (rates.input) return dropImplied({ ...rates, input: rates.input, output })
    const perCall = read('output_cost_per_image', 1) ?? read('input_cost_per_image', 1)
    return perCall === undefined ? undefined : { input: 0, output: 0, per_call: perCall }
  }
  const [base, ...tiers] = Array.isArray(entry['tiered_pricing'])
    ? readTierTable(entry['tiered_pricing'], [key, 'tiered_pricing'])
    : [{ above: 0, ...readRates(entry, [key], '') }, ...readTierKeys(entry, key, inclusive)]
  const { above: _, ...rates } = base ?? { above: 0 }
  if (rates.input === undefined) return undefined
  const search = readSearch(entry, key)
  return dropImplied({
    ...rates,
    input: rates.input,
    output: rates.output ?? read(RATES.output) ?? 0,
    ...(tiers.length ? { tiers } : {}),
    ...(search ? { search } : {}),
  })
}

const toInput = (input: number | undefined): MapPrices | undefined =>
  input === undefined ? undefined : { input, output: 0 }

function readRates(parent: Entry, path: string[], suffix: string): Rates {
  const rates: Rates = {}
  for (const [name, key] of Object.entries(RATES) as [keyof Rates, string][]) {
    const price = readPrice(parent, key + suffix, path, MILLION)
    if (price !== undefined) rates[name] = price
  }
  return rates
}

const TIER_KEY = /_above_(\d+)(k?)_tokens$/

/** Reads input_cost_per_token_above_200k_tokens and similar keys as one tier for each border. */
function readTierKeys(entry: Entry, key: string, inclusive: boolean): ({ above: number } & Rates)[] {
  const borders = new Map<number, string>()
  for (const name of Object.keys(entry)) {
    const [suffix, count, thousands] = TIER_KEY.exec(name) ?? []
    if (suffix) borders.set(Number(count) * (thousands ? 1_000 : 1), suffix)
  }
  return [...borders]
    .toSorted(([a], [b]) => a - b)
    .map(([border, suffix]) => ({
      above: inclusive ? border - 1 : border,
      ...readRates(entry, [key], suffix),
    }))
    .filter((tier) => Object.keys(tier).length > 1)
}

/** Reads tiered_pricing, a list of ranges (from, to], each with all of its prices. */
function readTierTable(table: unknown[], path: string[]): ({ above: number } & Rates)[] {
  const tiers = table.map((tier, index) => {
    const place = [...path, String(index)]
    if (!isObject(tier)) throw new PriceMapError(place, 'must be an object')
    const range: unknown = tier['range']
    const above: unknown = Array.isArray(range) ? range[0] : undefined
    if (typeof above !== 'number' || !Number.isInteger(above) || above < 0)
      throw new PriceMapError([...place, 'range'], 'must be two numbers of tokens')
    const { input, ...rates } = readRates(tier, place, '')
    if (input === undefined) throw new PriceMapError(place, `has no ${RATES.input}`)
    return { above, input, ...rates }
  })
  const [base, ...higher] = tiers.toSorted((a, b) => a.above - b.above)
  if (!base) return []
  // A tier has all of its prices, so a price that only the first tier names equals the input's in the later ones.
  const rateNames = ['cached_input', 'cache_write'] as const
  return [
    base,
    ...higher.map((tier) => ({
      ...tier,
      ...Object.fromEntries(
        rateNames.filter((name) => base[name]).map((name) => [name, tier[name] ?? tier.input]),
      ),
    })),
  ]
}

/** Returns the highest price of a search, because a bill does not know the search's size. */
function readSearch(entry: Entry, key: string): number | undefined {
  const costs = entry['search_context_cost_per_query']
  if (!isObject(costs)) return undefined
  const path = [key, 'search_context_cost_per_query']
  return Math.max(0, ...Object.keys(costs).map((size) => readPrice(costs, size, path) ?? 0))
}

/** `low/1024-x-1024/gpt-image-1`: a separate entry for one price of a picture. */
const PICTURE_KEY = /^(?:([a-z]+)\/)?(\d+)-x-(\d+)\/(.+)$/

function addPicture(key: string, entry: Entry, byProvider: Map<string, Map<string, MapModel>>): void {
  const provider = String(entry['litellm_provider'])
  const [, quality, width, height, model = ''] = PICTURE_KEY.exec(key.replace(`${provider}/`, ''))!
  const perPicture = readPrice(entry, 'input_cost_per_image', [key])
  const perPixel = readPrice(entry, 'input_cost_per_pixel', [key], Number(width) * Number(height))
  const price = perPicture ?? perPixel
  const models = byProvider.get(provider)!
  if (price === undefined) return
  const mapModel = models.get(model) ?? { model, type: 'image', abilities: {}, notes: [] }
  const { input = 0, output = 0, pictures = [], ...rates }: Partial<MapPrices> = mapModel.prices ?? {}
  // If there already is one price for all pictures, the highest price covers them all.
  if (rates.per_call !== undefined) {
    const perCall = Math.max(rates.per_call, price)
    models.set(model, { ...mapModel, prices: { input, output, ...rates, per_call: perCall } })
    return
  }
  const picture = { ...(quality ? { quality } : {}), size: `${width}x${height}`, price }
  models.set(model, { ...mapModel, prices: { input, output, ...rates, pictures: [...pictures, picture] } })
}
