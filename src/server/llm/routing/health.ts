import { restMs } from './cooldown.ts'
import type { Fault } from './fault.ts'
import type { Time } from './time.ts'

/** Leave to ask a platform for a model. Every permit is given back once, by `alive` … `left`; `alive` may come before. */
export type Permit = { readonly key: string; readonly nth: number }

export type Condition = {
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

export type Health = ReturnType<typeof openHealth>

/** Names one platform's way to serve a model. */
export const routeKey = ({ platform, model }: { platform: string; model: string }): string =>
  `${platform}\n${model}`

/**
 * A circuit for each platform and model: it opens at a failure and rests; after the rest exactly one call is let through
 * as a probe; what the probe meets closes it or opens it again, for longer. Kept in this process: every process finds
 * out for itself, and nothing is lost with it.
 */
export function openHealth({ now, random }: Pick<Time, 'now' | 'random'>) {
  const circuits = new Map<string, Circuit>()
  let permits = 0

  const endProbe = (permit: Permit): void => {
    const circuit = circuits.get(permit.key)
    if (circuit?.probe === permit) circuit.probe = null
  }
  const proves = (circuit: Circuit, permit: Permit): boolean =>
    circuit.probe === permit || permit.nth > circuit.opened_at

  const condition = (key: string): Condition => {
    const circuit = circuits.get(key)
    if (!circuit || circuit.until === 0) return { state: 'ready', reason: '', ready_in_ms: 0 }
    const ready_in_ms = Math.max(0, circuit.until - now())
    if (ready_in_ms > 0) return { state: 'cooling', reason: `rests after: ${circuit.fault}`, ready_in_ms }
    if (circuit.probe) return { state: 'probing', reason: 'another call tries it now', ready_in_ms }
    return { state: 'ready', reason: 'tried again after a rest', ready_in_ms }
  }

  const admit = (key: string): Permit => {
    const permit = { key, nth: ++permits }
    const circuit = circuits.get(key)
    if (circuit && circuit.until > 0 && condition(key).state === 'ready') circuit.probe = permit
    return permit
  }

  return {
    condition,

    /** Null while the platform rests or is probed. */
    enter: (key: string): Permit | null => (condition(key).state === 'ready' ? admit(key) : null),

    /** Nothing else is left, so the platform is asked all the same. */
    enterAnyway: admit,

    /** It answers: calls may come again. The failures are not forgotten before an answer has come whole. */
    alive(permit: Permit): void {
      const circuit = circuits.get(permit.key)
      if (circuit && proves(circuit, permit)) circuit.until = 0
      endProbe(permit)
    },

    succeeded(permit: Permit): void {
      const circuit = circuits.get(permit.key)
      if (circuit && proves(circuit, permit)) circuits.delete(permit.key)
    },

    /** Failures of calls that had begun before the circuit opened are one and the same event: they make no streak. */
    failed(permit: Permit, fault: Fault, retry_after: number | null): void {
      const circuit = circuits.get(permit.key)
      const fresh = !circuit || proves(circuit, permit)
      const streak = (circuit?.streak ?? 0) + (fresh ? 1 : 0)
      const until = now() + restMs(fault, streak, retry_after, random())
      if (!circuit || fresh) {
        circuits.set(permit.key, { streak, fault, until, opened_at: permits, probe: null })
      } else if (retry_after !== null) circuit.until = Math.max(circuit.until, until)
    },

    /** The caller has gone before anything could be learnt: the next one may probe. */
    left: endProbe,
  }
}
