import { dropImplied, getMapName, isObject, PriceMapError, readPrice, readTokens } from './price-map.ts'
import type { MapModel, MapPrices, PriceMap } from './price-map.ts'

// api.json of models.dev: platforms with their models, in dollars per million tokens.

type Entry = Record<string, unknown>

const RATES = {
  input: 'input',
  output: 'output',
  cached_input: 'cache_read',
  cache_write: 'cache_write',
  reasoning: 'reasoning',
  audio_input: 'input_audio',
  audio_output: 'output_audio',
} as const
type Rates = { -readonly [Name in keyof typeof RATES]?: number }

const hasModels = (value: unknown): value is { models: Record<string, unknown> } =>
  isObject(value) && isObject(value['models'])

/** Tells whether a file has this form, judged by most of its members: a few may be broken. */
export function isModelsDevMap(file: unknown): file is Record<string, unknown> {
  if (!isObject(file)) return false
  const members = Object.values(file)
  return members.length > 0 && members.filter(hasModels).length > members.length / 2
}

/** Returns the models of these platforms. Throws PriceMapError at the first invalid value. */
export function parseModelsDevMap(file: Record<string, unknown>, platforms: string[]): PriceMap {
  return {
    platforms: new Map(
      platforms.map((platform) => {
        const provider = getMapName(platform, 'models_dev')
        const listed = file[provider]
        if (listed !== undefined && !hasModels(listed)) throw new PriceMapError([provider], 'has no models')
        const models = Object.entries(listed?.models ?? {}).flatMap(([model, entry]) => {
          const path = [provider, 'models', model]
          if (!isObject(entry)) throw new PriceMapError(path, 'must be an object')
          const parsed = parseEntry(model, entry, path)
          return parsed ? [[model, parsed] as const] : []
        })
        return [platform, new Map(models)]
      }),
    ),
  }
}

/** Returns null for models that write no text, since the map does not name their kind of call. */
function parseEntry(model: string, entry: Entry, path: string[]): MapModel | null {
  const { name, reasoning, tool_call, modalities, limit, cost, status, last_updated } = entry
  const inputs = readList(modalities, 'input')
  if (!readList(modalities, 'output').includes('text')) return null
  const limits = isObject(limit) ? limit : {}
  const contextWindow = readTokens(limits, 'context', [...path, 'limit'])
  const maxTokens = readTokens(limits, 'output', [...path, 'limit'])
  const abilities: MapModel['abilities'] = {
    vision: inputs.includes('image'),
    files: inputs.includes('pdf'),
    audio: inputs.includes('audio'),
  }
  if (typeof reasoning === 'boolean') abilities.reasoning = reasoning
  if (typeof tool_call === 'boolean' || isObject(tool_call))
    abilities.tools = isObject(tool_call) ? tool_call['supported'] === true : tool_call
  const prices = isObject(cost) ? readPrices(cost, [...path, 'cost']) : undefined
  return {
    model,
    ...(typeof name === 'string' ? { name } : {}),
    // The map lists few models that do not chat, recognisable only by their names.
    type: /embed/i.test(model) ? 'embedding' : 'chat',
    ...(contextWindow ? { context_window: contextWindow } : {}),
    ...(maxTokens ? { max_tokens: maxTokens } : {}),
    abilities,
    ...(prices ? { prices } : {}),
    // The map says that a model retires, but not when.
    ...(status === 'deprecated' && typeof last_updated === 'string' ? { retires: last_updated } : {}),
    notes: [],
  }
}

const readList = (parent: unknown, key: string): unknown[] => {
  const list: unknown = isObject(parent) ? parent[key] : undefined
  return Array.isArray(list) ? list : []
}

function readRates(parent: Entry, path: string[]): Rates {
  const rates: Rates = {}
  for (const [name, key] of Object.entries(RATES) as [keyof Rates, string][]) {
    const price = readPrice(parent, key, path)
    if (price !== undefined) rates[name] = price
  }
  return rates
}

function readPrices(cost: Entry, path: string[]): MapPrices {
  const { input, output, ...rates } = readRates(cost, path)
  if (input === undefined || output === undefined)
    throw new PriceMapError(path, 'must have an input and an output')
  const tiers = readTiers(cost, path)
  return dropImplied({ input, output, ...rates, ...(tiers.length ? { tiers } : {}) })
}

const OVER_200K = 'context_over_200k'

/** Reads `tiers` by length of the input; older files have one member for prices above 200,000 tokens. */
function readTiers(cost: Entry, path: string[]): ({ above: number } & Rates)[] {
  const listed: unknown = cost['tiers']
  const over = cost[OVER_200K]
  if (!Array.isArray(listed))
    return isObject(over) ? [{ above: 200_000, ...readRates(over, [...path, OVER_200K]) }] : []
  const tiers = listed.map((entry: unknown, index) => {
    const place = [...path, 'tiers', String(index)]
    const tier = isObject(entry) ? entry['tier'] : undefined
    const above = isObject(tier) && tier['type'] === 'context' ? readTokens(tier, 'size', place) : undefined
    if (!above || !isObject(entry))
      throw new PriceMapError(place, 'must be a tier of type context with its size')
    return { above, ...readRates(entry, place) }
  })
  return tiers.toSorted((a, b) => a.above - b.above)
}
