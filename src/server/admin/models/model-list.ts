import { isObject, PriceMapError, readTokens, roundPrice } from './price-map.ts'
import type { MapModel, PriceMap } from './price-map.ts'

// A platform's own answer to GET /models: {"data": [{"id": …}]}. Few contain more than names.

/** Tells whether a file has this form. */
export const isModelList = (file: unknown): file is { data: unknown[]; has_more?: unknown } =>
  isObject(file) && Array.isArray(file['data'])

/** Returns the models of one platform. Throws PriceMapError at the first invalid value. */
export function parseModelList(file: { data: unknown[]; has_more?: unknown }, platform: string): PriceMap {
  if (file.has_more === true) throw new PriceMapError(['has_more'], 'only the first page of a longer list')
  const models = file.data.map((entry, index): [string, MapModel] => {
    const path = ['data', String(index)]
    const id = isObject(entry) ? entry['id'] : undefined
    if (!isObject(entry) || typeof id !== 'string' || !id)
      throw new PriceMapError(path, 'must be an object with an id')
    // Gemini prefixes its names so.
    const model = id.replace(/^models\//, '')
    const contextWindow = readTokens(entry, 'context_length', path)
    const prices = readPricing(entry['pricing'], [...path, 'pricing'])
    return [
      model,
      {
        model,
        type: 'chat',
        ...(typeof entry['name'] === 'string' ? { name: entry['name'] } : {}),
        ...(contextWindow ? { context_window: contextWindow } : {}),
        abilities: {},
        ...(prices ? { prices } : {}),
        notes: [],
      },
    ]
  })
  return { platforms: new Map([[platform, new Map(models)]]) }
}

/** Reads prices in dollars per token, as text: the form of OpenRouter and its followers. Other forms are ignored. */
function readPricing(pricing: unknown, path: string[]): MapModel['prices'] {
  if (!isObject(pricing) || typeof pricing['prompt'] !== 'string') return undefined
  const read = (key: string): number | undefined => {
    const text = pricing[key]
    if (text === undefined) return undefined
    const price = typeof text === 'string' && text ? Number(text) : Number.NaN
    if (!(price >= 0 && price <= 1))
      throw new PriceMapError([...path, key], `must be dollars of a token, not ${JSON.stringify(text)}`)
    return roundPrice(price * 1_000_000)
  }
  const [input, output] = [read('prompt'), read('completion')]
  if (input === undefined || output === undefined) return undefined
  const [cachedInput, cacheWrite] = [read('input_cache_read'), read('input_cache_write')]
  return {
    input,
    output,
    ...(cachedInput === undefined ? {} : { cached_input: cachedInput }),
    ...(cacheWrite === undefined ? {} : { cache_write: cacheWrite }),
  }
}
