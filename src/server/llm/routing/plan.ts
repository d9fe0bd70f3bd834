import type { ErrorCode } from '#contract/errors.ts'
import type { OfferEntry } from '../catalogue/schema.ts'
import type { Offer } from '../catalogue/offers.ts'
import { getBlendedPrice, toPrices } from '../catalogue/prices.ts'
import { getRouteKey } from './health.ts'
import type { HealthStatus } from './health.ts'
import { isStrict } from '../needs.ts'
import type { Need } from '../needs.ts'
import type { ProviderMetrics } from './metrics.ts'
import { rankOffers } from './ranking.ts'
import type { RoutePreference } from './preference.ts'

/** A platform that was considered for a run, and the reason for its place. */
type Candidate = {
  platform: string
  /** The model's name on the platform. */
  model: string
  /** Null when the platform cannot be called. */
  offer: Offer | null
  state: HealthStatus['state'] | 'not_configured' | 'other_vendor' | 'unable'
  /** Short English; may be empty. */
  reason: string
  /** Blended, coins per million tokens after discount. */
  price: number
  latency_ms: number | null
  throughput: number | null
  uptime: number | null
}

export type RoutePlan = {
  preference: RoutePreference
  /** All platforms that were considered: those to call in their order, then the others in the file's. */
  candidates: Candidate[]
  /** The offers to call, in this order; any of them may come to respond. Empty when none can. */
  offers: Offer[]
}

/** One call of a platform, as it is recorded. */
export type Attempt = {
  platform: string
  /** The model's name on the platform. */
  model: string
  /** `failed`: before the first content; `cut`: after it; `aborted`: by the caller. */
  state: 'answered' | 'failed' | 'cut' | 'aborted'
  /** Null unless it failed or was cut. */
  code: ErrorCode | null
  /** Short English; never the upstream's own text. */
  reason: string
  started_at: Date
  /** Whole ms from the start to the first content; null when there was none. */
  first_content_ms: number | null
  ms: number
  /** As reported, else estimated; absent where no content came. */
  output_tokens?: number
}

type Options = {
  /** All offers of the model, as the file has them. The first is the model's own vendor. */
  entries: readonly OfferEntry[]
  /** Factor on every price. */
  discount: number
  /** Its offers that can be called now. */
  offers: readonly Offer[]
  preference: RoutePreference
  /** Needs of the request that a platform must meet. */
  needs: readonly Need[]
  getStatus: (key: string) => HealthStatus
  getMetrics: (key: string) => ProviderMetrics
}

/**
 * Plans the platforms to call for a model, their order, and the reasons. Platforms that cool down or are probed come after all
 * others, the one that is ready soonest first: last rather than never. Has no effects.
 */
export function planRoute({
  entries,
  discount,
  offers,
  preference,
  needs,
  getStatus,
  getMetrics,
}: Options): RoutePlan {
  const all = entries.map((entry, at) => {
    const key = getRouteKey(entry)
    const { state, reason, ready_in_ms } = getStatus(key)
    const offer = offers.find(({ platform, model }) => platform === entry.platform && model === entry.model)
    const price = getBlendedPrice(offer?.prices ?? toPrices(entry, discount))
    const ranking = { ...getMetrics(key), price }
    const allowed = preference.strategy !== 'none' || at === 0
    const unmet = offer ? needs.filter((need) => offer.family.lacks.includes(need)) : []
    const lacking = unmet.filter(isStrict)
    const { latency_ms, throughput, uptime } = ranking
    const candidate: Candidate = {
      platform: entry.platform,
      model: entry.model,
      offer: offer ?? null,
      ...(lacking.length
        ? { state: 'unable', reason: `cannot: ${lacking.join(', ')}` }
        : getCandidateState(allowed, offer, { state, reason })),
      price,
      latency_ms,
      throughput,
      uptime,
    }
    const callable = allowed && offer !== undefined && !lacking.length
    return { candidate, ranking, ready_in_ms, callable, unmet: unmet.length }
  })
  const callable = all.filter((one) => one.callable)
  const ordered = rankOffers(
    callable.map(({ ranking }) => ranking),
    preference,
  )
    .flatMap((at) => callable[at] ?? [])
    // Platforms that can promise a need come before those whose models must be asked for it in words.
    .toSorted((a, b) => Math.sign(a.unmet) - Math.sign(b.unmet))
  const ready = ordered.filter(({ candidate }) => candidate.state === 'ready')
  const notReady = ordered
    .filter(({ candidate }) => candidate.state !== 'ready')
    .sort((a, b) => a.ready_in_ms - b.ready_in_ms)
  const route = [...ready, ...notReady].map(({ candidate }) => candidate)
  return {
    preference,
    candidates: [...route, ...all.filter((one) => !one.callable).map(({ candidate }) => candidate)],
    offers: route.flatMap(({ offer }) => offer ?? []),
  }
}

function getCandidateState(
  allowed: boolean,
  offer: Offer | undefined,
  { state, reason }: Pick<HealthStatus, 'state' | 'reason'>,
): Pick<Candidate, 'state' | 'reason'> {
  if (!allowed) return { state: 'other_vendor', reason: "strategy none: the model's own vendor only" }
  // The local model is one too, where a real platform is configured.
  if (!offer) return { state: 'not_configured', reason: 'no key, or gives way to a real platform' }
  return { state, reason }
}
