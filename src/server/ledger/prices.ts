import type { PicturePrice, PriceTier, Prices, TokenRates } from '#server/core/prices.ts'

/**
 * Tokens of one run. `cached` and `cache_write` are parts of `input`, `reasoning` of `output`, `cache_write_1h` (written for an
 * hour) of `cache_write`; tokens of sound and pictures are parts of `input` and `output`.
 */
export type Tokens = {
  input: number
  output: number
  cached: number
  cache_write: number
  cache_write_1h?: number
  reasoning: number
  audio_input?: number
  audio_output?: number
  image_input?: number
  image_output?: number
}

/**
 * Quantities of a run besides tokens. `units` are characters or milliseconds, priced as input; `per_call` (for pictures, the
 * price of a `picture`) is paid `times`, once for a chat; `searches` are those by the platform itself.
 */
export type Units = { units?: number; times?: number; searches?: number; picture?: Picture }

/** Size and quality of a call's pictures, in the platform's words; absent where unknown. */
export type Picture = Pick<PicturePrice, 'size' | 'quality'>

/** Returns the tokens of a run that writes no text, only pictures at most. */
export const toOperationTokens = (input: number, pictureTokens = 0): Tokens => ({
  input,
  output: pictureTokens,
  cached: 0,
  cache_write: 0,
  reasoning: 0,
  ...(pictureTokens ? { image_output: pictureTokens } : {}),
})

export const FREE_PRICES: Prices = {
  input: 0n,
  output: 0n,
  cached_input: 0n,
  cache_write: 0n,
  reasoning: 0n,
  per_call: 0n,
  discount: 10_000n,
}

const MILLION = 1_000_000n
const FULL_DISCOUNT = 10_000n

/** A cache write for an hour costs 2 times the input, one for five minutes 1.25 times: 8 to 5. */
const getHourRate = ({ cache_write, cache_write_1h }: TokenRates): bigint =>
  cache_write_1h ?? cache_write + (cache_write * 3n) / 5n

/** Converts a sum of micro-coins × tokens / million to micro-coins, rounded up once, so that no priced call is free. */
function roundUpCharge(sum: bigint, prices: Prices, calls: bigint): bigint {
  const scaled = (sum + calls * MILLION) * prices.discount
  return (scaled + MILLION * FULL_DISCOUNT - 1n) / (MILLION * FULL_DISCOUNT)
}

/** Returns the micro-coins that a call's usage costs. */
export function calculateCost(tokens: Tokens, prices: Prices, usedUnits: Units = {}): bigint {
  const { units = 0, times = 1, searches = 0, picture = {} } = usedUnits
  const sum =
    priceInput(tokens, prices) +
    BigInt(units) * prices.input +
    priceOutput(tokens, findTier(prices, tokens.input) ?? prices)
  const each = getPicturePrice(prices, picture)
  return roundUpCharge(sum, prices, each * BigInt(times) + (prices.search ?? 0n) * BigInt(searches))
}

/** Returns the tier that an input reaches; undefined for the prices below all tiers. */
export const findTier = ({ tiers }: Prices, input: number): PriceTier | undefined =>
  tiers?.findLast(({ above }) => input > above)

/**
 * Lists the kinds of input tokens in their order in the prompt: the cache holds its beginning. Tokens reported under two kinds,
 * cached sound for example, count as the first of them.
 */
function listInputKinds(tokens: Tokens): [count: number, rate: (rates: TokenRates) => bigint][] {
  const { cached, cache_write, cache_write_1h = 0, audio_input = 0, image_input = 0 } = tokens
  return [
    [cached, (rates) => rates.cached_input],
    [cache_write_1h, getHourRate],
    [cache_write - cache_write_1h, (rates) => rates.cache_write],
    [audio_input, (rates) => rates.audio_input ?? rates.input],
    [image_input, (rates) => rates.image_input ?? rates.input],
    [tokens.input, (rates) => rates.input],
  ]
}

function priceInput(tokens: Tokens, prices: Prices): bigint {
  const bands = listBands(prices, tokens.input)
  let sum = 0n
  let from = 0
  for (const [count, getRate] of listInputKinds(tokens)) {
    const to = Math.min(from + count, tokens.input)
    for (const band of bands) {
      const overlap = Math.min(to, band.to) - Math.max(from, band.from)
      if (overlap > 0) sum += BigInt(overlap) * getRate(band.rates)
    }
    from = to
  }
  return sum
}

/** Splits an input into bands of equal rates: one band, or one for each tier if each part has its own price. */
function listBands(prices: Prices, input: number): { from: number; to: number; rates: TokenRates }[] {
  if (prices.tiering !== 'parts') return [{ from: 0, to: input, rates: findTier(prices, input) ?? prices }]
  const tiers = [{ above: 0, rates: prices as TokenRates }]
  for (const tier of prices.tiers ?? []) tiers.push({ above: tier.above, rates: tier })
  return tiers.map(({ above, rates }, at) => ({
    from: above,
    to: Math.min(tiers[at + 1]?.above ?? input, input),
    rates,
  }))
}

function priceOutput(tokens: Tokens, rates: TokenRates): bigint {
  const { reasoning, audio_output = 0, image_output = 0, output } = tokens
  const audio = Math.min(audio_output, output - reasoning)
  const image = Math.min(image_output, output - reasoning - audio)
  return (
    BigInt(reasoning) * rates.reasoning +
    BigInt(audio) * (rates.audio_output ?? rates.output) +
    BigInt(image) * (rates.image_output ?? rates.output) +
    BigInt(output - reasoning - audio - image) * rates.output
  )
}

/** Returns the highest price that a picture can have: unknown details match every price. Without any, the price of a call. */
function getPicturePrice({ pictures = [], per_call }: Prices, picture: Picture): bigint {
  const fits = (detail: string | undefined, priced: string | undefined): boolean =>
    detail === undefined || priced === undefined || detail === priced
  const matching = pictures.filter(
    ({ size, quality }) => fits(picture.size, size) && fits(picture.quality, quality),
  )
  return pictures.length
    ? (matching.length ? matching : pictures).reduce((max, { price }) => maxPrice(max, price), 0n)
    : per_call
}

/** Returns the higher price; an absent one counts as 0. */
const maxPrice = (price: bigint, other: bigint = 0n): bigint => (price > other ? price : other)

/** The most that a call may use. Prices of sound, pictures and an hour's cache count only where the prompt has them. */
export type MaxUsage = {
  input: number
  output: number
  has_audio?: boolean
  has_images?: boolean
  has_hour_cache?: boolean
}

/** Returns the highest rates that an input can meet, in whichever tier it ends. */
function getMaxRates(prices: Prices, usage: MaxUsage): { input: bigint; output: bigint } {
  const max = getDearest(prices, usage)
  for (const tier of prices.tiers ?? []) {
    if (usage.input <= tier.above) continue
    const { input, output } = getDearest(tier, usage)
    max.input = maxPrice(max.input, input)
    max.output = maxPrice(max.output, output)
  }
  return max
}

/** Returns the highest of the rates for the kinds of tokens that a call may have. */
function getDearest(rates: TokenRates, usage: MaxUsage): { input: bigint; output: bigint } {
  let input = maxPrice(maxPrice(rates.input, rates.cached_input), rates.cache_write)
  if (usage.has_audio) input = maxPrice(input, rates.audio_input)
  if (usage.has_images) input = maxPrice(input, rates.image_input)
  if (usage.has_hour_cache) input = maxPrice(input, getHourRate(rates))
  const text = maxPrice(rates.output, rates.reasoning)
  return { input, output: maxPrice(maxPrice(text, rates.audio_output), rates.image_output) }
}

/** Returns the most that one call can cost: every token at the highest price that could apply to it. */
export function calculateMaxCost(usage: MaxUsage, prices: Prices): bigint {
  const rates = getMaxRates(prices, usage)
  const sum = BigInt(usage.input) * rates.input + BigInt(usage.output) * rates.output
  return roundUpCharge(sum, prices, prices.per_call + (prices.search ?? 0n))
}

/** Returns how many output tokens a budget (micro-coins) pays for after the input: at most those of `usage`, perhaps 0. */
export function calculateAffordableOutput(budget: bigint, usage: MaxUsage, prices: Prices): number {
  if (calculateMaxCost(usage, prices) <= budget) return usage.output
  const price = getMaxRates(prices, usage).output * prices.discount
  const remaining = budget - calculateMaxCost({ ...usage, output: 0 }, prices)
  if (remaining <= 0n || price === 0n) return 0
  return Number((remaining * MILLION * FULL_DISCOUNT) / price)
}
