import type { ProviderMetrics } from './metrics.ts'
import type { RoutePreference } from './preference.ts'

/** Figures that platforms are ranked by. `price`: blended, coins per million tokens. */
export type RankingInput = ProviderMetrics & { price: number }

/**
 * Prior of a platform's uptime, worth five calls: a new platform is neither preferred to a proven one nor ranked behind a
 * failing one, and a single failure decides nothing.
 */
const PRIOR = { calls: 5, uptime: 0.98 }

/** Weights of the score of `balance`. Failures weigh most: at an uptime of 75 % they outweigh any price. */
const WEIGHTS = { price: 0.5, latency: 0.25, throughput: 0.25, failures: 2 }

type RankingValues = { price: number; latency: number; throughput: number; uptime: number }

/** The median of the known values, also used for platforms without one; 0 where none was measured. */
function getLowerMedian(values: (number | null)[]): number {
  const knownValues = values.filter((value) => value !== null).sort((a, b) => a - b)
  return knownValues[Math.floor((knownValues.length - 1) / 2)] ?? 0
}

function toRankingValues(all: readonly RankingInput[]): RankingValues[] {
  const latency = getLowerMedian(all.map(({ latency_ms }) => latency_ms))
  const throughput = getLowerMedian(all.map((figures) => figures.throughput))
  return all.map((figures) => ({
    price: figures.price,
    latency: figures.latency_ms ?? latency,
    throughput: figures.throughput ?? throughput,
    uptime:
      ((figures.uptime ?? 0) * figures.calls + PRIOR.uptime * PRIOR.calls) / (figures.calls + PRIOR.calls),
  }))
}

/** Each value as a share of the largest, so that small differences stay small; the lowest score is the best. */
function createScore(all: readonly RankingValues[]): (one: RankingValues) => number {
  const largest = (read: (one: RankingValues) => number): number => Math.max(...all.map(read)) || 1
  const price = largest((one) => one.price)
  const latency = largest((one) => one.latency)
  const throughput = largest((one) => one.throughput)
  return (one) =>
    (WEIGHTS.price * one.price) / price +
    (WEIGHTS.latency * one.latency) / latency +
    WEIGHTS.throughput * (1 - one.throughput / throughput) +
    WEIGHTS.failures * (1 - one.uptime)
}

/** The values that a preference sorts by, the most important first; always ascending. */
function getCriteria(
  { strategy, provider_sort }: Pick<RoutePreference, 'strategy' | 'provider_sort'>,
  all: readonly RankingValues[],
): ((one: RankingValues) => number)[] {
  // In whole percent: a tenth of a percent more uptime is not worth a second of waiting.
  const failures = ({ uptime }: RankingValues): number => -Math.round(uptime * 100)
  const latency = (one: RankingValues): number => one.latency
  const price = (one: RankingValues): number => one.price
  if (provider_sort === 'price') return [price]
  if (provider_sort === 'latency') return [latency]
  if (provider_sort === 'throughput') return [(one) => -one.throughput]
  if (strategy === 'lowcost') return [price, failures, latency]
  if (strategy === 'ha') return [failures, latency, price]
  return strategy === 'balance' ? [createScore(all)] : []
}

/**
 * The order in which platforms are called, as positions in `all`: by the sort when it is not `default`, else by the
 * strategy. Ties keep the order of the file, so the same input always gives the same order.
 */
export function rankOffers(
  all: readonly RankingInput[],
  preference: Pick<RoutePreference, 'strategy' | 'provider_sort'>,
): number[] {
  const ones = toRankingValues(all)
  const values = getCriteria(preference, ones).map((criterion) => ones.map(criterion))
  return all
    .map((_, at) => at)
    .sort((a, b) => {
      for (const value of values) {
        const order = (value[a] ?? 0) - (value[b] ?? 0)
        if (order !== 0) return order
      }
      return a - b
    })
}
