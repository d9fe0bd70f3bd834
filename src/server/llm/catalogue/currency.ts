import { rateNames } from '#contract/price-units.ts'
import type { CatalogueFile, OfferEntry } from './schema.ts'

/** The fields of an offer, a tier or a picture that are amounts of its currency. */
const AMOUNTS = [...rateNames, 'search', 'per_call', 'price'] as const

type Priced = { [Name in (typeof AMOUNTS)[number]]?: number }

const COINS_PER_YUAN = 100

/** Coins of one unit of a currency. */
export const getCoinRate = (currency: OfferEntry['currency'] = 'coins', usdRate: number): number =>
  currency === 'coins' ? 1 : COINS_PER_YUAN * (currency === 'USD' ? usdRate : 1)

/** The file with every price in coins, to the nearest micro-coin. */
export const convertToCoins = (file: CatalogueFile): CatalogueFile => ({
  ...file,
  models: file.models.map((model) => ({
    ...model,
    offers: model.offers.map((offer) => convertOffer(offer, file.usd_rate)),
  })),
})

function convertOffer(offer: OfferEntry, usdRate: number): OfferEntry {
  const { currency, ...prices } = offer
  const rate = getCoinRate(currency, usdRate)
  if (rate === 1) return prices
  const convert = <T extends Priced>(priced: T): T => {
    const converted = { ...priced }
    for (const name of AMOUNTS) {
      const amount = converted[name]
      if (amount !== undefined) converted[name] = Number((amount * rate).toFixed(6))
    }
    return converted
  }
  return {
    ...convert<Priced & typeof prices>(prices),
    ...(offer.tiers ? { tiers: offer.tiers.map(convert) } : {}),
    ...(offer.pictures ? { pictures: offer.pictures.map(convert) } : {}),
  }
}
