import type { UpstreamError } from '../chat.ts'
import type { Offer } from '../offers.ts'
import type { Budget } from './budget.ts'
import { faultOf } from './fault.ts'
import { routeKey } from './health.ts'
import type { Health, Permit } from './health.ts'
import type { RoutePreference } from './preference.ts'

/** A run waits no longer than this in all for platforms that it asks again, ms. */
const LONGEST_WAIT_MS = 10_000

/** Whom to ask now. With `wait_ms`, only after that; `enter` when the time has come. */
export type Stop = { offer: Offer; wait_ms: number; enter(): Permit }

type Options = {
  offers: readonly Offer[]
  preference: RoutePreference
  health: Health
  budget: Budget
}

/**
 * Where one run goes, call by call: first platforms in good health, in the plan's order; then, as the budget allows, those
 * that rest or are being probed; then, `retries` times, those that failed in this run, each after its rest and
 * its Retry-After. Without `auto_switch` the first platform is also the last.
 */
export class Itinerary {
  readonly #preference: RoutePreference
  readonly #health: Health
  readonly #budget: Budget
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
  next(): Stop | null {
    const stop = this.#healthy() ?? this.#resting() ?? this.#again()
    if (stop) this.#calls += 1
    return stop
  }

  /** The platform just asked failed before its first content. */
  failed(offer: Offer, error: UpstreamError): void {
    const fault = faultOf(error)
    // What fails everywhere needs no second opinion.
    if (fault === 'request') [this.#untried, this.#failed, this.#retries] = [[], [], 0]
    else if (fault !== 'platform') this.#failed.push(offer)
    if (!this.#preference.auto_switch) this.#untried = []
  }

  #healthy(): Stop | null {
    for (const offer of this.#untried) {
      const permit = this.#health.enter(routeKey(offer))
      if (!permit) continue
      this.#leave(offer)
      return { offer, wait_ms: 0, enter: () => permit }
    }
    return null
  }

  #resting(): Stop | null {
    const [offer] = this.#untried
    // Each run is worth one call; more of them, to platforms that are known to be down, would make a storm.
    if (!offer || (this.#calls > 0 && !this.#budget.spend())) return null
    this.#leave(offer)
    return { offer, wait_ms: 0, enter: this.#enterAnyway(offer) }
  }

  #again(): Stop | null {
    if (this.#retries <= 0) return null
    const rests = this.#failed.map((offer) => ({
      offer,
      wait_ms: this.#health.condition(routeKey(offer)).ready_in_ms,
    }))
    const [soonest] = rests.sort((a, b) => a.wait_ms - b.wait_ms)
    if (!soonest || this.#waited_ms + soonest.wait_ms > LONGEST_WAIT_MS) return null
    if (!this.#budget.spend()) return null
    this.#retries -= 1
    this.#waited_ms += soonest.wait_ms
    this.#failed = this.#failed.filter((offer) => offer !== soonest.offer)
    return { ...soonest, enter: this.#enterAnyway(soonest.offer) }
  }

  #leave(offer: Offer): void {
    this.#untried = this.#untried.filter((other) => other !== offer)
  }

  #enterAnyway(offer: Offer): () => Permit {
    return () => this.#health.enterAnyway(routeKey(offer))
  }
}
