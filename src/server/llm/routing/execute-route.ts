import { UpstreamError } from '../chat.ts'
import type { ChatPart, ChatRequest, OnPart } from '../chat.ts'
import type { Log } from '../catalogue/catalogue.ts'
import type { Offer } from '../catalogue/offers.ts'
import { executeAttempt } from './attempt.ts'
import type { RoutedPart, ProviderPart } from './attempt.ts'
import type { RetryBudget } from './retry-budget.ts'
import { selectMainError } from './fault.ts'
import type { HealthTracker } from './health.ts'
import { RouteIterator } from './route-iterator.ts'
import type { MetricsTracker } from './metrics.ts'
import type { Attempt, RoutePlan } from './plan.ts'
import type { Clock } from './clock.ts'

export type RouteRequest<Request = ChatRequest, P extends ProviderPart = ChatPart> = {
  plan: Pick<RoutePlan, 'offers' | 'preference'>
  request: Request
  signal: AbortSignal
  /** Told of every call when it has ended, before the parts end or the error is thrown. */
  onAttempt: (attempt: Attempt) => void
  onPart: OnPart<RoutedPart<P>>
}

/** What all runs of a process share. */
export type RoutingState = {
  time: Clock
  health: HealthTracker
  measures: MetricsTracker
  budget: RetryBudget
  log: Log
}

/** Asks one platform. */
export type CallProvider<Request = ChatRequest, P extends ProviderPart = ChatPart> = (
  offer: Offer,
  request: Request,
  signal: AbortSignal,
  onPart: OnPart<P>,
) => Promise<void>

/**
 * Asks the platforms one after the other until one says something. Its `offer` is the first part that is taken, then come its own;
 * `finish` is the last of a whole answer. Throws the most telling UpstreamError when all fail, the platform's own when
 * it fails after its first content, and the signal's reason when the caller aborts, also while it waits.
 */
export async function executeRoute<Request, P extends ProviderPart>(
  { time, health, measures, budget, log }: RoutingState,
  callProvider: CallProvider<Request, P>,
  { plan, request, signal, onAttempt, onPart: take }: RouteRequest<Request, P>,
): Promise<void> {
  const steps = new RouteIterator({ ...plan, health, budget })
  const failures: UpstreamError[] = []
  for (;;) {
    signal.throwIfAborted()
    const step = steps.next()
    if (!step) break
    if (step.wait_ms > 0) await time.sleep(step.wait_ms, signal)
    const { offer } = step
    const failure = await executeAttempt({
      offer,
      permit: step.acquire(),
      call: (hear) => callProvider(offer, request, signal, hear),
      onPart: take,
      signal,
      now: time.now,
      health,
      measures,
      onAttempt,
    })
    if (!failure) return
    const { code, detail } = failure
    log.warn({ platform: offer.platform, model: offer.model, code, detail }, 'upstream failed')
    failures.push(failure)
    steps.recordFailure(offer, failure)
  }
  const [first, ...others] = failures
  if (!first) throw new UpstreamError('upstream_refused', 'no platform can be asked')
  throw selectMainError([first, ...others])
}
