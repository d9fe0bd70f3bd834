import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isLitellmMap, parseLitellmMap } from '#server/admin/models/litellm.ts'
import { getMapName } from '#server/admin/models/price-map.ts'
import type { MapModel } from '#server/admin/models/price-map.ts'
import type { Prices, TokenRates } from '#server/core/prices.ts'
import { calculateCost } from '#server/ledger/prices.ts'
import type { Picture, Tokens, Units } from '#server/ledger/prices.ts'
import { getCoinRate, readModelsFile, toPrices } from '#server/llm/llm.ts'
import type { ModelEntry, OfferEntry } from '#server/llm/llm.ts'
import { convertToCoins } from '#server/llm/catalogue/currency.ts'

// Compares the cost of calls by our arithmetic with LiteLLM's (PyPI), to the micro-coin. `node bench/prices.ts [usages a model]`.
//   file: our offers in dollars, at the prices of config/models.json
//   map:  every model that LiteLLM prices on a platform of ours, at its prices as `models add` reads them
// Needs LiteLLM: python3 -m venv litellm && litellm/bin/pip install litellm==1.106.2, and then
// LITELLM_PYTHON=litellm/bin/python node bench/prices.ts

type Usage = Partial<Tokens> & Pick<Tokens, 'input' | 'output'> & Units
type Case = {
  /** Source of the prices: our file or LiteLLM's map. */
  side: 'file' | 'map'
  key: string
  provider: string
  platform: string
  type: ModelEntry['type']
  prices: Prices
  found: MapModel
  usages: Usage[]
}

const count = Number(process.argv[2] ?? 200)
const python = process.env['LITELLM_PYTHON'] ?? 'python3'
const MAX_OUTPUT_BYTES = 512_000_000

function runPeer(command: string, input: string): unknown {
  const options = { input, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' } as const
  const stdout = execFileSync(python, ['bench/peers/prices/costs.py', command], options)
  return JSON.parse(stdout)
}

/** Random numbers that are the same in every run (mulberry32). */
function createRandom(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * (max + 1))
  }
}
const random = createRandom(20_261_122)
const isChosen = (): boolean => random(1) === 1

/** Returns a short input, a long one, or the tokens around a border of either side's tiers. */
function createInput(borders: number[], context: number, index: number): number {
  if (borders.length && index % 2) return Math.max(1, borders[random(borders.length - 1)]! - 1 + random(3))
  return 1 + random([1_000, 20_000, context][random(2)]!)
}

/** Splits a total into parts, so that no token belongs to two of them. */
function splitTokens(total: number, names: (keyof Tokens)[]): Partial<Tokens> {
  const parts: Partial<Tokens> = {}
  let left = total
  for (const name of names) {
    if (!isChosen()) continue
    parts[name] = random(left)
    left -= parts[name] ?? 0
  }
  return parts
}

function createUsage(found: MapModel, prices: Prices, borders: number[], index: number): Usage {
  const { type } = found
  const input = createInput(borders, found.context_window ?? 200_000, index)
  const nothing = { input: 0, output: 0 }
  if (type === 'tts') return { ...nothing, units: input }
  if (type === 'asr') return { ...nothing, units: input * 10 }
  if (type === 'embedding' || type === 'rerank') return { ...nothing, input }
  if (type === 'image' && !prices.input)
    return { ...nothing, times: 1 + random(9), picture: choosePicture(prices) }
  const output = random(20_000)
  if (type === 'image')
    return { input, output, image_output: output, ...splitTokens(input, ['cached', 'image_input']) }
  const parts = splitTokens(input, ['cached', 'cache_write', 'audio_input', 'image_input'])
  const { cache_write = 0 } = parts
  const hasHour = found.prices?.cache_write_1h !== undefined || prices.cache_write_1h !== undefined
  return {
    input,
    output,
    ...parts,
    ...(hasHour && isChosen() ? { cache_write_1h: random(cache_write) } : {}),
    ...splitTokens(output, ['reasoning', 'audio_output', 'image_output']),
    ...(prices.search && isChosen() ? { searches: random(5) } : {}),
  }
}

function choosePicture({ pictures }: Prices): Picture {
  const { size, quality } = pictures?.[random(pictures.length - 1)] ?? {}
  return { ...(size ? { size } : {}), ...(quality ? { quality } : {}) }
}

const text = readFileSync('config/models.json', 'utf8')
const file = readModelsFile(text)
const raw: unknown = runPeer('map', '')
if (!isLitellmMap(raw)) throw new Error("not LiteLLM's map")
const { platforms } = parseLitellmMap(
  raw,
  file.platforms.map(({ name }) => name),
)

/** An offer's prices in micro-coins, without the discount of its model. */
function toCoinPrices(offer: OfferEntry, type: ModelEntry['type']): Prices {
  const model = { ...file.models[0]!, type, offers: [offer] }
  return toPrices(convertToCoins({ ...file, models: [model] }).models[0]!.offers[0]!, 1)
}

function createCase(side: Case['side'], platform: string, found: MapModel, offer: OfferEntry): Case {
  const provider = getMapName(platform, 'litellm')
  const prefixed = `${provider}/${found.model}`
  const prices = toCoinPrices(offer, found.type)
  const borders = [...(prices.tiers ?? []), ...(found.prices?.tiers ?? [])].map(({ above }) => above)
  return {
    side,
    key: Object.hasOwn(raw as object, prefixed) ? prefixed : found.model,
    provider,
    platform,
    type: found.type,
    prices,
    found,
    usages: Array.from({ length: count }, (_, index) => createUsage(found, prices, borders, index)),
  }
}

const ours = file.models.flatMap(({ type, offers }) =>
  offers.flatMap((offer) => {
    const found = platforms.get(offer.platform)?.get(offer.model)
    return offer.currency === 'USD' && found?.type === type
      ? [createCase('file', offer.platform, found, offer)]
      : []
  }),
)
const theirs = [...platforms].flatMap(([platform, models]) =>
  [...models.values()].flatMap((found) => {
    if (!found.prices) return []
    const { pictures, ...rates } = found.prices
    const rest = pictures && !rates.input ? { ...rates, pictures } : rates
    const offer = { platform, model: found.model, currency: 'USD' as const, per_call: 0, ...rest }
    return [createCase('map', platform, found, offer)]
  }),
)
const cases = [...ours, ...theirs]
const costs = runPeer(
  'costs',
  JSON.stringify(cases.map(({ key, provider, type, usages }) => ({ key, provider, type, usages }))),
) as (number[] | { error: string })[]

const MICRO_COINS_PER_DOLLAR = getCoinRate('USD', file.usd_rate) * 1_000_000

/** Ours is rounded up to whole micro-coins, once; LiteLLM adds floating point numbers. */
function isSame(microCoins: bigint, dollars: number): boolean {
  const exact = dollars * MICRO_COINS_PER_DOLLAR
  const noise = 1e-3 + exact * 1e-10
  return Number(microCoins) - exact > -noise && Number(microCoins) - exact < 1 + noise
}

type Priced = { prices: Prices; usage: Usage }

/** Intended differences of LiteLLM: the reason, and the change that makes our sum the same. */
const DIFFERENCES: [reason: string, change: (priced: Priced, one: Case) => Priced][] = [
  [
    'a write of the cache that is free: to LiteLLM its tokens cost nothing, to us they are input',
    ({ prices, usage }, { key }) =>
      usage.cache_write && getEntry(key)['cache_creation_input_token_cost'] === 0
        ? { usage, prices: { ...prices, cache_write: 0n, ...setTiers(prices, { cache_write: 0n }) } }
        : { prices, usage },
  ],
  [
    'a price that is the same for text: above a border LiteLLM leaves sound, pictures and reasoning below it, we do not',
    ({ prices, usage }, { key }) => ({
      usage,
      prices: { ...prices, ...setTiers(prices, getNamedRates(key, prices)) },
    }),
  ],
  [
    'Gemini 2 asks for a prompt that was searched for, however many searches it took; we for each of them',
    ({ prices, usage }, { key, provider }) =>
      provider === 'gemini' && usage.searches && getEntry(key)['web_search_billing_unit'] !== 'per_query'
        ? { prices, usage: { ...usage, searches: 1 } }
        : { prices, usage },
  ],
]

const getEntry = (key: string): Record<string, unknown> =>
  (raw as Record<string, Record<string, unknown>>)[key]!

const setTiers = ({ tiers }: Prices, rates: Partial<TokenRates>): Pick<Prices, 'tiers'> =>
  tiers ? { tiers: tiers.map((tier) => ({ ...tier, ...rates })) } : {}

/** Returns our rates below all tiers for the units that LiteLLM prices. */
function getNamedRates(key: string, prices: Prices): Partial<TokenRates> {
  const entry = getEntry(key)
  return {
    ...(entry['input_cost_per_audio_token'] === undefined
      ? {}
      : { audio_input: prices.audio_input ?? prices.input }),
    ...(entry['input_cost_per_image_token'] === undefined
      ? {}
      : { image_input: prices.image_input ?? prices.input }),
    ...(entry['output_cost_per_audio_token'] === undefined
      ? {}
      : { audio_output: prices.audio_output ?? prices.output }),
    ...(entry['output_cost_per_image_token'] === undefined
      ? {}
      : { image_output: prices.image_output ?? prices.output }),
    ...(entry['output_cost_per_reasoning_token'] === undefined ? {} : { reasoning: prices.reasoning }),
  }
}

function price({ prices, usage }: Priced): bigint {
  const { units, times, searches, picture, ...tokens } = usage
  const used = Object.entries({ units, times, searches, picture }).filter(([, value]) => value !== undefined)
  return calculateCost(
    { cached: 0, cache_write: 0, reasoning: 0, ...tokens },
    prices,
    Object.fromEntries(used),
  )
}

/** Returns the reasons that together turn our sum into LiteLLM's; undefined where they do not. */
function explain(one: Case, usage: Usage, dollars: number): string | undefined {
  let priced: Priced = { prices: one.prices, usage }
  const reasons: string[] = []
  for (const [reason, change] of DIFFERENCES) {
    const changed = change(priced, one)
    if (price(changed) !== price(priced)) reasons.push(reason)
    priced = changed
  }
  if (isSame(price(priced), dollars)) return reasons.join('; and ')
  const hasDecimals = Object.values(getEntry(one.key)).some(
    (value) =>
      typeof value === 'number' &&
      value > 0 &&
      value < 1 &&
      !Number.isInteger(Number((value * 1e12).toFixed(3))),
  )
  const exact = dollars * MICRO_COINS_PER_DOLLAR
  const isNear = Number(price(priced)) >= exact && Number(price(priced)) < exact * 1.00001 + 1
  return hasDecimals && isNear ? 'a price of more than six decimals a million, which we round up' : undefined
}

type Row = { models: Set<string>; usages: number; example: string }
const explained = new Map<string, Row>()
const unexplained = new Map<string, Row>()
let [same, compared] = [0, 0]
const models = { file: new Map<string, number>(), map: new Map<string, number>() }
for (const [index, one] of cases.entries()) {
  const cost = costs[index]!
  const perType = models[one.side]
  perType.set(one.type, (perType.get(one.type) ?? 0) + 1)
  for (const [at, usage] of one.usages.entries()) {
    compared += 1
    const microCoins = price({ prices: one.prices, usage })
    const dollars = 'error' in cost ? Number.NaN : cost[at]!
    if (isSame(microCoins, dollars)) {
      same += 1
      continue
    }
    const reason = explain(one, usage, dollars)
    const rows = reason ? explained : unexplained
    const label = reason ?? ('error' in cost ? cost.error : 'no reason')
    const row = rows.get(`${one.side}: ${label}`) ?? { models: new Set(), usages: 0, example: '' }
    row.models.add(one.key)
    row.usages += 1
    row.example ||= `${JSON.stringify(usage)}: ${microCoins} and ${dollars * MICRO_COINS_PER_DOLLAR}`
    rows.set(`${one.side}: ${label}`, row)
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)
for (const side of ['file', 'map'] as const)
  print(`${side}: ${[...models[side]].map(([type, number]) => `${number} ${type}`).join(', ')}`)
const offered = new Set(
  file.models.flatMap(({ offers }) => offers.map((offer) => `${offer.platform}/${offer.model}`)),
)
const both = theirs.filter(({ platform, found }) => offered.has(`${platform}/${found.model}`)).length
print(`of the map's models ${both} are offered in the file, in dollars or in yuan`)
print(`${compared} usages, ${same} the same to the micro-coin`)
for (const [label, row] of explained) print(`| ${label} | ${row.models.size} models | ${row.usages} usages |`)
for (const [label, row] of unexplained) {
  print(`UNEXPLAINED ${label}: ${row.usages} usages of ${[...row.models].slice(0, 12).join(', ')}`)
  print(`  e.g. ${row.example}`)
}
process.exitCode = unexplained.size ? 1 : 0
