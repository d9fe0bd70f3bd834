import { getCooldownMs } from './cooldown.ts'
import type { Fault } from './fault.ts'
import type { Clock } from './clock.ts'

/**
 * Permission to call a platform for a model. Every permit ends once, by `recordSuccess`, `recordFailure`, `release` or
 * `markAlive`; `markAlive` may also come before the others.
 */
export type Permit = { readonly key: string; readonly sequence: number }

export type HealthStatus = {
  state: 'ready' | 'cooling' | 'probing'
  /** Short English. */
  reason: string
  /** Time until the cooldown is over, ms. */
  ready_in_ms: number
}

/** State of a platform and model that failed recently; without an entry it is healthy. */
type Circuit = {
  /** Failures in a row. */
  streak: number
  fault: Fault
  until: number
  /** The newest permit when it opened: calls that started earlier tell nothing about the time since. */
  opened_at: number
  probe: Permit | null
}

export type HealthTracker = ReturnType<typeof createHealthTracker>

/** Key of a platform and its model. */
export const getRouteKey = ({ platform, model }: { platform: string; model: string }): string =>
  `${platform}\n${model}`

/**
 * A circuit breaker for each platform and model: it opens at a failure and cools down; then exactly one call is let through
 * as a probe, whose result closes it or opens it again, for longer. Kept in this process: every process finds out for
 * itself, and nothing is lost with it.
 */
export function createHealthTracker({ now, random }: Pick<Clock, 'now' | 'random'>) {
  const circuits = new Map<string, Circuit>()
  let lastSequence = 0

  const endProbe = (permit: Permit): void => {
    const circuit = circuits.get(permit.key)
    if (circuit?.probe === permit) circuit.probe = null
  }
  const isConclusive = (circuit: Circuit, permit: Permit): boolean =>
    circuit.probe === permit || permit.sequence > circuit.opened_at

  const getStatus = (key: string): HealthStatus => {
    const circuit = circuits.get(key)
    if (!circuit || circuit.until === 0) return { state: 'ready', reason: '', ready_in_ms: 0 }
    const readyInMs = Math.max(0, circuit.until - now())
    if (readyInMs > 0)
      return { state: 'cooling', reason: `rests after: ${circuit.fault}`, ready_in_ms: readyInMs }
    if (circuit.probe)
      return { state: 'probing', reason: 'another call tries it now', ready_in_ms: readyInMs }
    return { state: 'ready', reason: 'tried again after a rest', ready_in_ms: readyInMs }
  }

  const createPermit = (key: string): Permit => {
    const permit = { key, sequence: ++lastSequence }
    const circuit = circuits.get(key)
    if (circuit && circuit.until > 0 && getStatus(key).state === 'ready') circuit.probe = permit
    return permit
  }

  return {
    getStatus,

    /** Null while the platform cools down or is probed. */
    acquire: (key: string): Permit | null => (getStatus(key).state === 'ready' ? createPermit(key) : null),

    /** Returns a permit whatever the status, when no other platform is left. */
    forceAcquire: createPermit,

    /** The platform responds, so calls may come again. The failures are kept until a response is complete. */
    markAlive(permit: Permit): void {
      const circuit = circuits.get(permit.key)
      if (circuit && isConclusive(circuit, permit)) circuit.until = 0
      endProbe(permit)
    },

    recordSuccess(permit: Permit): void {
      const circuit = circuits.get(permit.key)
      if (circuit && isConclusive(circuit, permit)) circuits.delete(permit.key)
    },

    /** Failures of calls that started before the circuit opened are the same event: they do not lengthen the streak. */
    recordFailure(permit: Permit, fault: Fault, retryAfter: number | null): void {
      const circuit = circuits.get(permit.key)
      const isNewEvent = !circuit || isConclusive(circuit, permit)
      const streak = (circuit?.streak ?? 0) + (isNewEvent ? 1 : 0)
      const until = now() + getCooldownMs(fault, streak, retryAfter, random())
      if (!circuit || isNewEvent) {
        circuits.set(permit.key, { streak, fault, until, opened_at: lastSequence, probe: null })
      } else if (retryAfter !== null) circuit.until = Math.max(circuit.until, until)
    },

    /** The caller aborted before anything was learnt: the next call may probe. */
    release: endProbe,
  }
}
