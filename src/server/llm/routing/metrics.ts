/** One finished call: ms to the first content, output tokens a second after it; null where nothing was measured. */
export type Sample = { ok: boolean; latency_ms: number | null; throughput: number | null }

/** Rolling metrics of one platform and model; null while there are none. */
export type ProviderMetrics = {
  /** Median ms to the first content. */
  latency_ms: number | null
  /** Median output tokens a second. */
  throughput: number | null
  /** Share of calls that were answered, 0 to 1. */
  uptime: number | null
  /** Count of the calls that the metrics are computed from. */
  calls: number
}

export type MetricsTracker = ReturnType<typeof createMetricsTracker>

const WINDOW_MS = 15 * 60_000
/** Enough for a stable median; it bounds memory and the cost of each reading. */
const MAX_SAMPLES = 100
/** A full window changes little with one more call: its metrics are computed again only after this long, ms. */
const CACHE_MS = 100
/** More than any catalogue has; the key whose last call is oldest goes first. */
const MAX_KEYS = 2_000

const median = (values: number[]): number | null =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null

const dropNulls = (values: (number | null)[]): number[] => values.filter((value) => value !== null)

/** Keeps the last calls of each platform and model in this process: those of the last 15 minutes, at most 100. */
export function createMetricsTracker(now: () => number) {
  const byKey = new Map<string, (Sample & { at: number })[]>()
  const cache = new Map<string, { metrics: ProviderMetrics; at: number }>()

  const computeMetrics = (key: string): ProviderMetrics => {
    const since = now() - WINDOW_MS
    const samples = (byKey.get(key) ?? []).filter(({ at }) => at > since)
    const calls = samples.length
    return {
      latency_ms: median(dropNulls(samples.map(({ latency_ms }) => latency_ms))),
      throughput: median(dropNulls(samples.map(({ throughput }) => throughput))),
      uptime: calls ? samples.filter(({ ok }) => ok).length / calls : null,
      calls,
    }
  }

  return {
    record(key: string, sample: Sample): void {
      const samples = byKey.get(key) ?? []
      samples.push({ ...sample, at: now() })
      if (samples.length > MAX_SAMPLES) samples.shift()
      byKey.delete(key)
      byKey.set(key, samples)
      const [oldest] = byKey.keys()
      if (byKey.size <= MAX_KEYS || oldest === undefined) return
      byKey.delete(oldest)
      cache.delete(oldest)
    },

    get(key: string): ProviderMetrics {
      const cached = cache.get(key)
      if (cached && now() - cached.at < CACHE_MS) return cached.metrics
      const metrics = computeMetrics(key)
      if (metrics.calls === MAX_SAMPLES) cache.set(key, { metrics, at: now() })
      return metrics
    },
  }
}
