import type { Offer } from '../catalogue/offers.ts'
import type { OperationPart } from '../operations/operation.ts'
import type { OnPart, StreamPart } from '../stream-part.ts'
import { TokenEstimate } from '../tokens/estimate.ts'
import { UpstreamError } from '../upstream-error.ts'
import { classifyFault, describeFailure } from './fault.ts'
import type { HealthTracker, Permit } from './health.ts'
import type { MetricsTracker } from './metrics.ts'
import type { Attempt } from './plan.ts'

/** A part that a platform emits. The first part of an operation is always content. */
export type ProviderPart = StreamPart | OperationPart
/** A part that a route emits: before any content comes the offer of the platform that responds (to be recorded and billed). */
export type RoutedPart<P extends ProviderPart = StreamPart> = P | { type: 'offer'; offer: Offer }

export type AttemptOptions<P extends ProviderPart = ProviderPart> = {
  offer: Offer
  permit: Permit
  /** Calls the platform. */
  call: (onPart: OnPart<P>) => Promise<void>
  onPart: OnPart<RoutedPart<P>>
  signal: AbortSignal
  now: () => number
  health: HealthTracker
  metrics: MetricsTracker
  onAttempt: (attempt: Attempt) => void
}

type AttemptEnd = Pick<Attempt, 'state' | 'code' | 'reason'>

/** Smallest sample of a speed: a speed over less is chance, or the network's buffers. */
const MIN_SPEED_SAMPLE = { tokens: 10, ms: 200 }

const CONTENTLESS: ReadonlySet<ProviderPart['type']> = new Set([
  'usage',
  'usage_flagged',
  'annotations',
  'finish',
])

/** Reasoning and every later kind of content counts; usage and finish may come with an empty response. */
function isContent(part: ProviderPart): boolean {
  if ('text' in part) return part.text !== ''
  return !CONTENTLESS.has(part.type)
}

/**
 * Calls one platform and emits its parts, after its offer. Parts before the first content are held back: a failure until then is
 * returned with nothing emitted, so that another platform may respond. A later failure is thrown, as is the signal's reason when
 * the caller aborts.
 */
export async function executeAttempt<P extends ProviderPart>(
  options: AttemptOptions<P>,
): Promise<UpstreamError | null> {
  const { offer, permit, call, onPart, signal, now, health } = options
  const record: AttemptRecord = { started: now(), first: null, text: new TokenEstimate(), tokens: null }
  const buffered: P[] = []
  let end: AttemptEnd = { state: 'aborted', code: null, reason: 'cancelled' }
  let failure: UpstreamError | null = null
  const emitBuffered = async (part: P): Promise<void> => {
    await onPart({ type: 'offer', offer })
    for (const bufferedPart of [...buffered, part]) await onPart(bufferedPart)
  }
  const handlePart: OnPart<P> = (part) => {
    collect(part, record)
    if (part.type === 'finish') end = { state: 'answered', code: null, reason: part.reason }
    if (record.first !== null) return onPart(part)
    // A response that finished counts, however empty: no other platform is called.
    if (part.type === 'finish') return emitBuffered(part)
    if (!isContent(part)) return void buffered.push(part)
    record.first = now()
    health.markAlive(permit)
    return emitBuffered(part)
  }
  try {
    await call(handlePart)
    if (end.state === 'answered') return null
    if (record.first === null) throw new UpstreamError('upstream_empty', 'ended without content')
    throw new UpstreamError('upstream_cut', 'ended without a finish')
  } catch (error) {
    signal.throwIfAborted()
    const state = record.first === null ? 'failed' : 'cut'
    if (!(error instanceof UpstreamError)) {
      end = { state, code: 'internal', reason: 'internal error' }
      throw error
    }
    failure = error
    end = { state, code: error.code, reason: describeFailure(error) }
    if (state === 'cut') throw error
    return error
  } finally {
    reportAttempt(options, record, end, failure)
  }
}

/** A response so far: the time of its first content (null: none came), the estimate of its text, its tokens as reported. */
type AttemptRecord = { started: number; first: number | null; text: TokenEstimate; tokens: number | null }

function collect(part: ProviderPart, record: AttemptRecord): void {
  if (part.type === 'replace') record.text.replace(part.text)
  else if ('text' in part) record.text.append(part.text)
  else if (part.type === 'tool_call') record.text.append(part.name + part.arguments)
  else if (part.type === 'usage') record.tokens = part.usage.output
}

/** Reports how an attempt went to the platform's health, its metrics and the caller. */
function reportAttempt(
  { offer, permit, now, health, metrics, onAttempt }: Omit<AttemptOptions, 'call' | 'onPart'>,
  { started, first, text, tokens }: AttemptRecord,
  end: AttemptEnd,
  failure: UpstreamError | null,
): void {
  const endMs = now()
  const outputTokens = first === null ? null : (tokens ?? text.getTokens(offer.model))
  const fault = failure && classifyFault(failure)

  if (end.state === 'answered') health.recordSuccess(permit)
  else if (!fault) health.release(permit)
  else if (fault === 'request' || fault === 'question') health.markAlive(permit)
  else health.recordFailure(permit, fault, failure?.retry_after ?? null)

  const ok = first !== null && (end.state === 'answered' || end.state === 'aborted')
  // A question that nobody can answer tells nothing about the platform.
  if (ok || (fault && fault !== 'request')) {
    const contentMs = first === null ? 0 : endMs - first
    const hasReliableSpeed =
      end.state === 'answered' &&
      (outputTokens ?? 0) >= MIN_SPEED_SAMPLE.tokens &&
      contentMs >= MIN_SPEED_SAMPLE.ms
    metrics.record(permit.key, {
      ok,
      latency_ms: first === null ? null : first - started,
      throughput: hasReliableSpeed ? ((outputTokens ?? 0) * 1000) / contentMs : null,
    })
  }
  onAttempt({
    platform: offer.platform,
    model: offer.model,
    ...end,
    started_at: new Date(started),
    first_content_ms: first === null ? null : first - started,
    ms: endMs - started,
    ...(outputTokens === null ? {} : { output_tokens: outputTokens }),
  })
}
