import type { UpstreamError } from '../chat.ts'
import type { Offer } from '../catalogue/offers.ts'
import type { RetryBudget } from './retry-budget.ts'
import { classifyFault } from './fault.ts'
import { getRouteKey } from './health.ts'
import type { HealthTracker, Permit } from './health.ts'
import type { RoutePreference } from './preference.ts'

/** A run waits no longer than this in all for platforms that it asks again, ms. */
const MAX_WAIT_MS = 10_000

/** Whom to ask now. With `wait_ms`, only after that; `enter` when the time has come. */
export type RouteStep = { offer: Offer; wait_ms: number; acquire(): Permit }

type Options = {
  offers: readonly Offer[]
  preference: RoutePreference
  health: HealthTracker
  budget: RetryBudget
}

/**
 * Where one run goes, call by call: first platforms in good health, in the plan's order; then, as the budget allows, those
 * that rest or are being probed; then, `retries` times, those that failed in this run, each after its rest and
 * its Retry-After. Without `auto_switch` the first platform is also the last.
 */
export class RouteIterator {
  readonly #preference: RoutePreference
  readonly #health: HealthTracker
  readonly #budget: RetryBudget
  #untried: Offer[]
  #failed: Offer[] = []
  #calls = 0
  #retries: number
  #waited_ms = 0

  constructor({ offers, preference, health, budget }: Options) {
    this.#untried = [...offers]
    this.#preference = preference
    this.#health = health
    this.#budget = budget
    this.#retries = preference.retries
    budget.earn()
  }

  /** Null when there is nobody left to ask. */
  next(): RouteStep | null {
    const step = this.#healthy() ?? this.#resting() ?? this.#again()
    if (step) this.#calls += 1
    return step
  }

  /** The platform just asked failed before its first content. */
  recordFailure(offer: Offer, error: UpstreamError): void {
    const fault = classifyFault(error)
    // What fails everywhere needs no second opinion.
    if (fault === 'request') [this.#untried, this.#failed, this.#retries] = [[], [], 0]
    else if (fault !== 'platform') this.#failed.push(offer)
    if (!this.#preference.auto_switch) this.#untried = []
  }

  #healthy(): RouteStep | null {
    for (const offer of this.#untried) {
      const permit = this.#health.acquire(getRouteKey(offer))
      if (!permit) continue
      this.#leave(offer)
      return { offer, wait_ms: 0, acquire: () => permit }
    }
    return null
  }

  #resting(): RouteStep | null {
    const [offer] = this.#untried
    // Each run is worth one call; more of them, to platforms that are known to be down, would make a storm.
    if (!offer || (this.#calls > 0 && !this.#budget.spend())) return null
    this.#leave(offer)
    return { offer, wait_ms: 0, acquire: this.#enterAnyway(offer) }
  }

  #again(): RouteStep | null {
    if (this.#retries <= 0) return null
    const waits = this.#failed.map((offer) => ({
      offer,
      wait_ms: this.#health.condition(getRouteKey(offer)).ready_in_ms,
    }))
    const [soonest] = waits.sort((a, b) => a.wait_ms - b.wait_ms)
    if (!soonest || this.#waited_ms + soonest.wait_ms > MAX_WAIT_MS) return null
    if (!this.#budget.spend()) return null
    this.#retries -= 1
    this.#waited_ms += soonest.wait_ms
    this.#failed = this.#failed.filter((offer) => offer !== soonest.offer)
    return { ...soonest, acquire: this.#enterAnyway(soonest.offer) }
  }

  #leave(offer: Offer): void {
    this.#untried = this.#untried.filter((other) => other !== offer)
  }

  #enterAnyway(offer: Offer): () => Permit {
    return () => this.#health.forceAcquire(getRouteKey(offer))
  }
}
