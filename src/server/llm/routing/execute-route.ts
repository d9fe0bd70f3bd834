import type { LogWriter } from '#server/core/log.ts'
import type { Offer } from '../catalogue/offers.ts'
import type { ChatRequest } from '../chat-request.ts'
import type { OnPart, StreamPart } from '../stream-part.ts'
import { UpstreamError } from '../upstream-error.ts'
import { executeAttempt } from './attempt.ts'
import type { ProviderPart, RoutedPart } from './attempt.ts'
import type { Clock } from './clock.ts'
import { selectMainError } from './fault.ts'
import type { HealthTracker } from './health.ts'
import type { MetricsTracker } from './metrics.ts'
import type { Attempt, RoutePlan } from './plan.ts'
import type { RetryBudget } from './retry-budget.ts'
import { RouteIterator } from './route-iterator.ts'

export type RouteRequest<Request = ChatRequest, P extends ProviderPart = StreamPart> = {
  plan: Pick<RoutePlan, 'offers' | 'preference'>
  request: Request
  signal: AbortSignal
  /** Called once for every attempt when it has ended. */
  onAttempt: (attempt: Attempt) => void
  onPart: OnPart<RoutedPart<P>>
}

/** State that all runs of a process share. */
export type RoutingState = {
  clock: Clock
  health: HealthTracker
  metrics: MetricsTracker
  retry_budget: RetryBudget
  log: LogWriter
}

/** Calls one platform. */
export type CallOffer<Request = ChatRequest, P extends ProviderPart = StreamPart> = (
  offer: Offer,
  request: Request,
  signal: AbortSignal,
  onPart: OnPart<P>,
) => Promise<void>

/**
 * Calls the platforms one after the other until one responds. Emits its `offer` first, then its parts; `finish` is the last of a
 * complete response. Throws the most useful UpstreamError when all fail, the platform's own error when it fails after its first
 * content, and the signal's reason when the caller aborts, also during a wait.
 */
export async function executeRoute<Request, P extends ProviderPart>(
  { clock, health, metrics, retry_budget, log }: RoutingState,
  callOffer: CallOffer<Request, P>,
  { plan, request, signal, onAttempt, onPart }: RouteRequest<Request, P>,
): Promise<void> {
  const steps = new RouteIterator({ ...plan, health, retry_budget })
  const failures: UpstreamError[] = []
  for (;;) {
    signal.throwIfAborted()
    const step = steps.next()
    if (!step) break
    if (step.wait_ms > 0) await clock.sleep(step.wait_ms, signal)
    const { offer } = step
    const failure = await executeAttempt<P>({
      offer,
      permit: step.acquire(),
      call: (onCallPart) => callOffer(offer, request, signal, onCallPart),
      onPart,
      signal,
      now: clock.now,
      health,
      metrics,
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
