import { getCooldownMs } from './cooldown.ts'
import type { Fault } from './fault.ts'
import type { Clock } from './clock.ts'

/** Leave to ask a platform for a model. Every permit is given back once, by `alive` … `left`; `alive` may come before. */
export type Permit = { readonly key: string; readonly sequence: number }

export type HealthStatus = {
  state: 'ready' | 'cooling' | 'probing'
  /** Short English. */
  reason: string
  /** Until the rest is over, ms. */
  ready_in_ms: number
}

/** What is known of a platform and model that failed lately; without an entry there is nothing against it. */
type Circuit = {
  /** Failures in a row. */
  streak: number
  fault: Fault
  until: number
  /** The newest permit when it opened: what began earlier says nothing about the time since. */
  opened_at: number
  probe: Permit | null
}

export type HealthTracker = ReturnType<typeof createHealthTracker>

/** Names one platform's way to serve a model. */
export const getRouteKey = ({ platform, model }: { platform: string; model: string }): string =>
  `${platform}\n${model}`

/**
 * A circuit for each platform and model: it opens at a failure and rests; after the rest exactly one call is let through
 * as a probe; what the probe meets closes it or opens it again, for longer. Kept in this process: every process finds
 * out for itself, and nothing is lost with it.
 */
export function createHealthTracker({ now, random }: Pick<Clock, 'now' | 'random'>) {
  const circuits = new Map<string, Circuit>()
  let last_sequence = 0

  const endProbe = (permit: Permit): void => {
    const circuit = circuits.get(permit.key)
    if (circuit?.probe === permit) circuit.probe = null
  }
  const isConclusive = (circuit: Circuit, permit: Permit): boolean =>
    circuit.probe === permit || permit.sequence > circuit.opened_at

  const condition = (key: string): HealthStatus => {
    const circuit = circuits.get(key)
    if (!circuit || circuit.until === 0) return { state: 'ready', reason: '', ready_in_ms: 0 }
    const ready_in_ms = Math.max(0, circuit.until - now())
    if (ready_in_ms > 0) return { state: 'cooling', reason: `rests after: ${circuit.fault}`, ready_in_ms }
    if (circuit.probe) return { state: 'probing', reason: 'another call tries it now', ready_in_ms }
    return { state: 'ready', reason: 'tried again after a rest', ready_in_ms }
  }

  const createPermit = (key: string): Permit => {
    const permit = { key, sequence: ++last_sequence }
    const circuit = circuits.get(key)
    if (circuit && circuit.until > 0 && condition(key).state === 'ready') circuit.probe = permit
    return permit
  }

  return {
    condition,

    /** Null while the platform rests or is probed. */
    acquire: (key: string): Permit | null => (condition(key).state === 'ready' ? createPermit(key) : null),

    /** Nothing else is left, so the platform is asked all the same. */
    forceAcquire: createPermit,

    /** It answers: calls may come again. The failures are not forgotten before an answer has come whole. */
    alive(permit: Permit): void {
      const circuit = circuits.get(permit.key)
      if (circuit && isConclusive(circuit, permit)) circuit.until = 0
      endProbe(permit)
    },

    succeeded(permit: Permit): void {
      const circuit = circuits.get(permit.key)
      if (circuit && isConclusive(circuit, permit)) circuits.delete(permit.key)
    },

    /** Failures of calls that had begun before the circuit opened are one and the same event: they make no streak. */
    failed(permit: Permit, fault: Fault, retry_after: number | null): void {
      const circuit = circuits.get(permit.key)
      const isNewEvent = !circuit || isConclusive(circuit, permit)
      const streak = (circuit?.streak ?? 0) + (isNewEvent ? 1 : 0)
      const until = now() + getCooldownMs(fault, streak, retry_after, random())
      if (!circuit || isNewEvent) {
        circuits.set(permit.key, { streak, fault, until, opened_at: last_sequence, probe: null })
      } else if (retry_after !== null) circuit.until = Math.max(circuit.until, until)
    },

    /** The caller has gone before anything could be learnt: the next one may probe. */
    left: endProbe,
  }
}
