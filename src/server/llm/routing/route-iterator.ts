import type { UpstreamError } from '../upstream-error.ts'
import type { Offer } from '../catalogue/offers.ts'
import type { RetryBudget } from './retry-budget.ts'
import { classifyFault } from './fault.ts'
import { getRouteKey } from './health.ts'
import type { HealthTracker, Permit } from './health.ts'
import type { RoutePreference } from './preference.ts'

/** A run waits no longer than this in all before retries, ms. */
const MAX_WAIT_MS = 10_000

/** The next platform to call, after `wait_ms`; call `acquire` right before it. */
export type RouteStep = { offer: Offer; wait_ms: number; acquire(): Permit }

type Options = {
  offers: readonly Offer[]
  preference: RoutePreference
  health: HealthTracker
  retry_budget: RetryBudget
}

/**
 * The platforms that one run calls: first healthy ones, in the plan's order; then, as the budget allows, those that cool
 * down or are probed; then, `retries` times, those that failed in this run, each after its cooldown and its Retry-After.
 * Without `auto_switch` the first platform is also the last.
 */
export class RouteIterator {
  readonly #preference: RoutePreference
  readonly #health: HealthTracker
  readonly #retry_budget: RetryBudget
  #untried: Offer[]
  #failed: Offer[] = []
  #calls = 0
  #retries: number
  #waited_ms = 0

  constructor({ offers, preference, health, retry_budget }: Options) {
    this.#untried = [...offers]
    this.#preference = preference
    this.#health = health
    this.#retry_budget = retry_budget
    this.#retries = preference.retries
    retry_budget.earn()
  }

  /** Null when no platform is left. */
  next(): RouteStep | null {
    const step = this.#nextHealthy() ?? this.#nextUnhealthy() ?? this.#nextRetry()
    if (step) this.#calls += 1
    return step
  }

  /** Notes that the platform of the last step failed before its first content. */
  recordFailure(offer: Offer, error: UpstreamError): void {
    const fault = classifyFault(error)
    // It would fail everywhere.
    if (fault === 'request') [this.#untried, this.#failed, this.#retries] = [[], [], 0]
    else if (fault !== 'platform') this.#failed.push(offer)
    if (!this.#preference.auto_switch) this.#untried = []
  }

  #nextHealthy(): RouteStep | null {
    for (const offer of this.#untried) {
      const permit = this.#health.acquire(getRouteKey(offer))
      if (!permit) continue
      this.#removeUntried(offer)
      return { offer, wait_ms: 0, acquire: () => permit }
    }
    return null
  }

  #nextUnhealthy(): RouteStep | null {
    const [offer] = this.#untried
    // Every run gets one call; more of them, to platforms that are known to be down, would make a retry storm.
    if (!offer || (this.#calls > 0 && !this.#retry_budget.spend())) return null
    this.#removeUntried(offer)
    return { offer, wait_ms: 0, acquire: this.#createForcedAcquire(offer) }
  }

  #nextRetry(): RouteStep | null {
    if (this.#retries <= 0) return null
    const waits = this.#failed.map((offer) => ({
      offer,
      wait_ms: this.#health.getStatus(getRouteKey(offer)).ready_in_ms,
    }))
    const [soonest] = waits.sort((a, b) => a.wait_ms - b.wait_ms)
    if (!soonest || this.#waited_ms + soonest.wait_ms > MAX_WAIT_MS) return null
    if (!this.#retry_budget.spend()) return null
    this.#retries -= 1
    this.#waited_ms += soonest.wait_ms
    this.#failed = this.#failed.filter((offer) => offer !== soonest.offer)
    return { ...soonest, acquire: this.#createForcedAcquire(soonest.offer) }
  }

  #removeUntried(offer: Offer): void {
    this.#untried = this.#untried.filter((other) => other !== offer)
  }

  #createForcedAcquire(offer: Offer): () => Permit {
    return () => this.#health.forceAcquire(getRouteKey(offer))
  }
}
