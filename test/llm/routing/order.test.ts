import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { providerSorts } from '#contract/users.ts'
import { getBlendedPrice, toPrices } from '#server/llm/catalogue/prices.ts'
import { rankOffers } from '#server/llm/routing/ranking.ts'
import type { RankingInput } from '#server/llm/routing/ranking.ts'
import { DEFAULT_PREFERENCE, resolvePreference } from '#server/llm/routing/preference.ts'
import type { RoutePreference } from '#server/llm/routing/preference.ts'

const strategies = ['lowcost', 'balance', 'ha', 'none'] as const
const UNKNOWN: RankingInput = { price: 100, latency_ms: null, throughput: null, uptime: null, calls: 0 }
const createFigures = (over: Partial<RankingInput>): RankingInput => ({
  price: 100,
  latency_ms: 1000,
  throughput: 50,
  uptime: 1,
  calls: 100,
  ...over,
})
const createPreference = (over: Partial<RoutePreference>): RoutePreference => ({
  ...DEFAULT_PREFERENCE,
  ...over,
})

const anyFigures = fc.record({
  price: fc.integer({ min: 0, max: 1_000_000 }),
  latency_ms: fc.option(fc.integer({ min: 0, max: 60_000 })),
  throughput: fc.option(fc.integer({ min: 1, max: 1000 })),
  uptime: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  calls: fc.integer({ min: 0, max: 100 }),
})
const anyPreference = fc.record({
  strategy: fc.constantFrom(...strategies),
  provider_sort: fc.constantFrom(...providerSorts),
})

describe('the order of platforms', () => {
  test('names each of them once, the same way for the same figures', () => {
    fc.assert(
      fc.property(fc.array(anyFigures, { maxLength: 8 }), anyPreference, (all, preference) => {
        const order = rankOffers(all, preference)
        expect(order.toSorted((a, b) => a - b)).toEqual(all.map((_, at) => at))
        expect(rankOffers(all, preference)).toEqual(order)
      }),
    )
  })

  test('begins with the one that is best at everything, wherever it stands in the file', () => {
    const others = fc.array(anyFigures, { minLength: 1, maxLength: 7 })
    const asked = fc.record({
      strategy: fc.constantFrom('lowcost', 'balance', 'ha'),
      provider_sort: fc.constantFrom(...providerSorts),
    })
    fc.assert(
      fc.property(others, asked, fc.nat({ max: 7 }), (unclear, preference, nth) => {
        const all = unclear.map(({ price, latency_ms, throughput, uptime, calls }) =>
          createFigures({
            price: price + 1,
            latency_ms: (latency_ms ?? 0) + 1,
            throughput: throughput ?? 1,
            uptime,
            calls,
          }),
        )
        const at = Math.min(nth, all.length)
        const best = createFigures({ price: 0, latency_ms: 0, throughput: 2000, calls: 1_000_000 })
        expect(rankOffers(all.toSpliced(at, 0, best), preference)[0]).toBe(at)
      }),
    )
  })

  test('a sort puts what it names in order, whatever the strategy', () => {
    fc.assert(
      fc.property(fc.array(anyFigures, { maxLength: 8 }), fc.constantFrom(...strategies), (all, strategy) => {
        const prices = rankOffers(all, { strategy, provider_sort: 'price' }).map((at) => all[at]?.price ?? 0)
        expect(prices).toEqual(prices.toSorted((a, b) => a - b))
      }),
    )
  })

  test('nothing measured: balance goes by price, ha by the file', () => {
    const all = [200, 100, 300].map((price) => ({ ...UNKNOWN, price }))
    expect(rankOffers(all, createPreference({}))).toEqual([1, 0, 2])
    expect(rankOffers(all, createPreference({ strategy: 'lowcost' }))).toEqual([1, 0, 2])
    expect(rankOffers([UNKNOWN, UNKNOWN], createPreference({ strategy: 'ha' }))).toEqual([0, 1])
    expect(rankOffers(all, createPreference({ strategy: 'none' }))).toEqual([0, 1, 2])
  })

  test('an unmeasured platform stands between a proven one and one that fails, and in the middle of the fast and slow', () => {
    const failing = createFigures({ uptime: 0.5 })
    expect(rankOffers([failing, UNKNOWN, createFigures({})], createPreference({ strategy: 'ha' }))).toEqual([
      2, 1, 0,
    ])
    const [slow, fast] = [createFigures({ latency_ms: 9000 }), createFigures({ latency_ms: 100 })]
    const middle = createFigures({ latency_ms: 1000 })
    expect(rankOffers([slow, UNKNOWN, fast, middle], createPreference({ provider_sort: 'latency' }))).toEqual(
      [2, 1, 3, 0],
    )
  })

  test('ha prefers uptime to speed, and speed to price', () => {
    const all = [
      createFigures({ uptime: 0.9, latency_ms: 10 }),
      createFigures({ price: 900, latency_ms: 300 }),
      createFigures({ price: 1 }),
    ]
    expect(rankOffers(all, createPreference({ strategy: 'ha' }))).toEqual([1, 2, 0])
  })

  test('balance pays a little for speed, never for a platform that fails', () => {
    expect(
      rankOffers(
        [createFigures({ price: 100, latency_ms: 8000 }), createFigures({ price: 110 })],
        createPreference({}),
      ),
    ).toEqual([1, 0])
    expect(
      rankOffers(
        [createFigures({ price: 100 }), createFigures({ price: 900, latency_ms: 900 })],
        createPreference({}),
      ),
    ).toEqual([0, 1])
    expect(
      rankOffers(
        [createFigures({ price: 1, uptime: 0.6 }), createFigures({ price: 1000 })],
        createPreference({}),
      ),
    ).toEqual([1, 0])
  })
})

test('the price to compare by: three parts input to one of output, a call of 1,000 tokens, after discount', () => {
  const offer = { platform: 'a', model: 'm', input: 100, output: 500, per_call: 0 }
  expect(getBlendedPrice(toPrices(offer, 1))).toBe(200)
  expect(getBlendedPrice(toPrices({ ...offer, per_call: 0.01 }, 0.5))).toBe(105)
  expect(getBlendedPrice(toPrices(offer, 0))).toBe(0)
})

describe('whose preference counts', () => {
  test('the request before the key, the key before the user, the user before the default, field by field', () => {
    expect(resolvePreference()).toEqual(DEFAULT_PREFERENCE)
    expect(
      resolvePreference(
        { retries: 2 },
        { strategy: 'ha', auto_switch: false, retries: 1 },
        { auto_switch: true },
      ),
    ).toEqual({ strategy: 'ha', provider_sort: 'default', auto_switch: false, retries: 2 })
  })

  test('a sort of default is no choice', () => {
    const getSort = (...preferences: Parameters<typeof resolvePreference>): string =>
      resolvePreference(...preferences).provider_sort
    expect(getSort({}, { provider_sort: 'default' }, { provider_sort: 'price' })).toBe('price')
    expect(getSort({}, { provider_sort: 'latency' }, { provider_sort: 'price' })).toBe('latency')
    expect(getSort({ provider_sort: 'throughput' }, { provider_sort: 'latency' })).toBe('throughput')
  })
})
