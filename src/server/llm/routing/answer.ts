import { UpstreamError } from '../chat.ts'
import type { ChatPart, ChatRequest, Take } from '../chat.ts'
import type { Log } from '../catalogue.ts'
import type { Offer } from '../offers.ts'
import { attempt } from './attempt.ts'
import type { AnswerPart, Part } from './attempt.ts'
import type { Budget } from './budget.ts'
import { mostTelling } from './fault.ts'
import type { Health } from './health.ts'
import { Itinerary } from './itinerary.ts'
import type { Measures } from './measures.ts'
import type { Attempt, RoutePlan } from './plan.ts'
import type { Time } from './time.ts'

export type AnswerRequest<Request = ChatRequest, P extends Part = ChatPart> = {
  plan: Pick<RoutePlan, 'offers' | 'preference'>
  request: Request
  signal: AbortSignal
  /** Told of every call when it has ended, before the parts end or the error is thrown. */
  onAttempt: (attempt: Attempt) => void
  take: Take<AnswerPart<P>>
}

/** What all runs of a process share. */
export type Routing = { time: Time; health: Health; measures: Measures; budget: Budget; log: Log }

/** Asks one platform. */
export type Stream<Request = ChatRequest, P extends Part = ChatPart> = (
  offer: Offer,
  request: Request,
  signal: AbortSignal,
  take: Take<P>,
) => Promise<void>

/**
 * Asks the platforms one after the other until one says something. Its `offer` is the first part that is taken, then come its own;
 * `finish` is the last of a whole answer. Throws the most telling UpstreamError when all fail, the platform's own when
 * it fails after its first content, and the signal's reason when the caller aborts, also while it waits.
 */
export async function answer<Request, P extends Part>(
  { time, health, measures, budget, log }: Routing,
  stream: Stream<Request, P>,
  { plan, request, signal, onAttempt, take }: AnswerRequest<Request, P>,
): Promise<void> {
  const itinerary = new Itinerary({ ...plan, health, budget })
  const failures: UpstreamError[] = []
  for (;;) {
    signal.throwIfAborted()
    const stop = itinerary.next()
    if (!stop) break
    if (stop.wait_ms > 0) await time.sleep(stop.wait_ms, signal)
    const { offer } = stop
    const failure = await attempt({
      offer,
      permit: stop.enter(),
      speak: (hear) => stream(offer, request, signal, hear),
      take,
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
    itinerary.failed(offer, failure)
  }
  const [first, ...others] = failures
  if (!first) throw new UpstreamError('upstream_refused', 'no platform can be asked')
  throw mostTelling([first, ...others])
}
