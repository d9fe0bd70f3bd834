import { rateNames } from '#contract/price-units.ts'
import { fillTier, findFamily, getCoinRate, isRetired } from '#server/llm/llm.ts'
import type { CatalogueFile, ModelEntry, OfferEntry } from '#server/llm/llm.ts'
import { ABILITIES } from './price-map.ts'
import type { MapModel, MapPrices, PriceMap } from './price-map.ts'

type Tier = NonNullable<OfferEntry['tiers']>[number]
type RateName = (typeof rateNames)[number]

/** A price of an offer and the map's price, in the offer's currency. `change` is relative to ours: 0.2 means 20 % dearer. */
type PriceChange = {
  field: string
  ours: number
  theirs: number
  change: number
  /** Location of the price within the offer. */
  path: (string | number)[]
}

export type OfferCheck = {
  /** Positions in the file. */
  model_index: number
  offer_index: number
  model: ModelEntry
  offer: OfferEntry
  map_model: MapModel | undefined
  /** Abilities that this platform's offer lacks, though the model has them elsewhere. */
  lacks: readonly string[]
  prices: PriceChange[]
  /** Differences that no change of a single price expresses, such as other borders of tiers. */
  remarks: string[]
  /** Undefined if the borders of the tiers are ours. */
  tiers: Tier[] | undefined
}

/** Compares each offer with the map. Offers on platforms that the map does not know are left out. */
export function compareOffers(file: CatalogueFile, map: PriceMap): OfferCheck[] {
  return file.models.flatMap((model, modelIndex) =>
    model.offers.flatMap((offer, offerIndex) => {
      const models = map.platforms.get(offer.platform)
      if (!models?.size) return []
      const mapModel = models.get(offer.model)
      const platform = file.platforms.find(({ name }) => name === offer.platform)
      const lacks = platform ? findFamily(platform, offer.model).lacks : []
      const rate = getCoinRate('USD', file.usd_rate) / getCoinRate(offer.currency, file.usd_rate)
      const theirs = mapModel?.type === model.type ? mapModel.prices : undefined
      return [
        {
          model_index: modelIndex,
          offer_index: offerIndex,
          model,
          offer,
          map_model: mapModel,
          lacks,
          ...comparePrices(offer, theirs, rate),
        },
      ]
    }),
  )
}

/** Compares the map's prices with ours at the same length of input. Prices that the map does not name stay as they are. */
function comparePrices(
  offer: OfferEntry,
  theirs: MapPrices | undefined,
  rate: number,
): Pick<OfferCheck, 'prices' | 'remarks' | 'tiers'> {
  const prices: PriceChange[] = []
  const remarks: string[] = []
  if (!theirs) return { prices, remarks, tiers: undefined }
  const convert = (price: number): number => Number((price * rate).toFixed(6))
  const add: AddPrice = (field, ours, price, path) => {
    const converted = convert(price)
    if (ours === converted) return
    const change = ours === 0 ? Infinity : converted / ours - 1
    prices.push({ field, ours, theirs: converted, change, path })
  }
  if (offer.pictures && theirs.pictures) {
    comparePictures(offer.pictures, theirs.pictures, add, remarks)
    return { prices, remarks, tiers: undefined }
  }
  const units = [getUnit(theirs), getUnit(offer)]
  // A price of 0 may mean that the map does not know it.
  if (units[0] !== units[1]) remarks.push(`paid by ${units[0]} in the map, by ${units[1]} in the file`)
  if (units[0] !== units[1] || units[0] === 'picture') return { prices, remarks, tiers: undefined }
  for (const name of rateNames) {
    const price = theirs[name]
    if (price !== undefined) add(name, getRate(offer, name), price, [name])
  }
  if (theirs.search !== undefined) add('search', offer.search ?? 0, theirs.search, ['search'])
  if (theirs.per_call !== undefined) add('per_call', offer.per_call, theirs.per_call, ['per_call'])
  const ourTiers = offer.tiers ?? []
  const theirTiers = theirs.tiers ?? []
  const hasOtherBorders =
    theirTiers.map(({ above }) => above).join() !== ourTiers.map(({ above }) => above).join()
  const base = Object.fromEntries(
    rateNames.flatMap((name) => (theirs[name] === undefined ? [] : [[name, convert(theirs[name])]])),
  )
  if (ourTiers.length && !theirTiers.length) remarks.push('the map has no tiers')
  for (const [index, tier] of theirTiers.entries()) {
    const at = ourTiers.findLast(({ above }) => above <= tier.above)
    const ours = at ? fillTier(offer, at) : offer
    // A price that our tier leaves out changes with the prices below it.
    const changed = at ? fillTier({ ...offer, ...base }, at) : offer
    for (const name of rateNames) {
      const price = tier[name]
      if (price === undefined) continue
      const before = getRate(ours, name)
      const currentRate = before === convert(price) ? getRate(changed, name) : before
      add(`${name} >${tier.above}`, currentRate, price, ['tiers', index, name])
    }
  }
  if (!theirTiers.length || !hasOtherBorders) return { prices, remarks, tiers: undefined }
  const borders = theirTiers.map(({ above }) => above).join(', ')
  remarks.push(`tiers above ${borders}; ours: ${ourTiers.map(({ above }) => above).join(', ') || 'none'}`)
  return { prices, remarks, tiers: theirTiers }
}

type Rates = Pick<OfferEntry, RateName>

/** Returns the rate for a kind of tokens, derived from others if the offer does not name it. */
function getRate(rates: Rates, name: RateName): number {
  const rate = rates[name]
  if (rate !== undefined) return rate
  if (name === 'cache_write_1h') return Number((1.6 * getRate(rates, 'cache_write')).toFixed(6))
  return name === 'reasoning' || name.endsWith('_output') ? rates.output : rates.input
}

type AddPrice = (field: string, ours: number, theirs: number, path: (string | number)[]) => void

type Pictures = NonNullable<OfferEntry['pictures']>

/** Returns the unit that an offer charges by. */
function getUnit({
  input,
  pictures,
  per_call = 0,
}: Pick<MapPrices, 'input' | 'pictures' | 'per_call'>): string {
  if (input > 0) return 'token'
  if (pictures) return 'picture'
  return per_call > 0 ? 'call' : 'nothing'
}

function comparePictures(ours: Pictures, theirs: Pictures, add: AddPrice, remarks: string[]): void {
  for (const { size, quality, price } of theirs) {
    const label = [quality, size].filter(Boolean).join(' ')
    const index = ours.findIndex((one) => (one.size ?? size) === size && (one.quality ?? quality) === quality)
    const match = ours[index]
    if (match) add(`picture ${label}`, match.price, price, ['pictures', index, 'price'])
    else remarks.push(`picture ${label} is ${price}; ours has no such price`)
  }
}

/** Windows of 1,000,000 and 1,048,576 tokens are the same one, spelt in two ways. */
const SAME_TOKENS = 0.05

const isSame = (ours: number, theirs: number): boolean => Math.abs(theirs / ours - 1) <= SAME_TOKENS

/** Lists differences of context window, longest answer and abilities from the map. */
export function compareFacts({ model, map_model, lacks }: OfferCheck): string[] {
  if (!map_model || model.type !== 'chat') return []
  const differences: string[] = []
  const { context_window, max_tokens, abilities } = map_model
  // Some maps count the longest answer as part of the window, some do not.
  const windows = [model.context_window, model.context_window - model.max_tokens]
  if (context_window && !windows.some((ours) => isSame(ours, context_window)))
    differences.push(`context_window ${model.context_window} → ${context_window}`)
  // A limit as long as the window means no limit of its own; ours then is the amount that a hold reserves.
  if (max_tokens && max_tokens < (context_window ?? Infinity) && !isSame(model.max_tokens, max_tokens))
    differences.push(`max_tokens ${model.max_tokens} → ${max_tokens}`)
  for (const ability of ABILITIES) {
    const ours = model.capabilities.includes(ability) && !lacks.includes(ability)
    const theirs = abilities[ability]
    if (theirs !== undefined && theirs !== ours) differences.push(`${theirs ? '+' : '−'}${ability}`)
  }
  return differences
}

/** Days before its retirement from which a model is reported. */
const SOON_DAYS = 90
const DAY_MS = 86_400_000

/** Describes a retirement that has happened or comes soon; null if there is none. `today` as 2026-11-22. */
export function describeRetirement(retires: string | undefined, today: string): string | null {
  if (!retires) return null
  if (isRetired(retires, today)) return `retired ${retires}`
  const soon = new Date(Date.parse(today) + SOON_DAYS * DAY_MS).toISOString().slice(0, 10)
  return retires <= soon ? `retires ${retires}` : null
}

/** A dated snapshot of a model: its name with a date behind it. */
const SNAPSHOT = /^(.+?)-(?:20\d\d-?\d\d-?\d\d|\d{4}|\d{6})$/

/** OpenAI's prices for models trained by a customer. */
const FINE_TUNED = 'ft:'

/** Returns a platform's models that the file lacks, without retired ones, and without snapshots of models listed there too. */
export function listNew(file: CatalogueFile, map: PriceMap, platform: string, today: string): MapModel[] {
  const models = map.platforms.get(platform) ?? new Map<string, MapModel>()
  const ours = new Set(
    file.models.flatMap(({ offers }) =>
      offers.filter((offer) => offer.platform === platform).map(({ model }) => model),
    ),
  )
  return [...models.values()].filter(({ model, retires }) => {
    const base = SNAPSHOT.exec(model)?.[1]
    const isSnapshot = base !== undefined && models.has(base)
    return !ours.has(model) && !model.startsWith(FINE_TUNED) && !isSnapshot && !isRetired(retires, today)
  })
}
