import type { ErrorCode } from '#contract/errors.ts'
import { delayMessages } from '#contract/tasks/delays.ts'

type DelayCode = keyof typeof delayMessages

/** Seconds before each of the first tries after a failure, 19 minutes in all, and before each later one. */
const DELAYS_S = [5, 15, 30, 60, 120, 300, 600]
const LATER_DELAY_S = 900

const SHORT = DELAYS_S.length
/** A day. */
const LONG = SHORT + 94

/**
 * Most delays in a row by the code of a failure that is no fault of the task's subject. A code that is missing here is a verdict
 * at once. What may after all be the subject's fault, and what may have been charged in part, gets fewer.
 */
const MAX_DELAYS = {
  storage_unavailable: LONG,
  unavailable: LONG,
  overloaded: LONG,
  too_many_calls: LONG,
  document_gone: SHORT,
  document_interrupted: SHORT,
  document_timeout: 3,
  upstream_refused: SHORT,
  upstream_failed: SHORT,
  upstream_rate_limited: SHORT,
  upstream_overloaded: SHORT,
  upstream_timeout: SHORT,
  upstream_cut: SHORT,
  interrupted: SHORT,
} as const satisfies Record<DelayCode, number>

const isDelayCode = (code: string): code is DelayCode => Object.hasOwn(MAX_DELAYS, code)

/**
 * Returns the seconds to wait before a task that failed is tried again; null where its failure is final. `delays`: how many times
 * in a row it has been delayed before.
 */
export function planDelay(code: ErrorCode, delays: number): number | null {
  if (!isDelayCode(code) || delays >= MAX_DELAYS[code]) return null
  return DELAYS_S[delays] ?? LATER_DELAY_S
}

/** Returns the words for why a waiting task waits for another try; null for one that waits for its turn, and other codes. */
export const describeDelay = ({ state, code }: { state: string; code: string | null }): string | null =>
  state === 'waiting' && code !== null && isDelayCode(code) ? delayMessages[code] : null
