import { TextBuffer } from '#server/core/text-buffer.ts'
import { UpstreamError } from '../chat.ts'
import type { ChatPart, OnPart } from '../chat.ts'
import type { Offer } from '../catalogue/offers.ts'
import type { OperationPart } from '../operations/operation.ts'
import { estimateTokens } from '../tokens/estimate.ts'
import { classifyFault, describeFailure } from './fault.ts'
import type { HealthTracker, Permit } from './health.ts'
import type { MetricsTracker } from './metrics.ts'
import type { Attempt } from './plan.ts'

/** What platforms say. The first part of a work is always content. */
export type ProviderPart = ChatPart | OperationPart
/** What a caller of `answer` is given: first, before any content, whose answer it is (to be recorded and billed). */
export type RoutedPart<P extends ProviderPart = ChatPart> = P | { type: 'offer'; offer: Offer }

export type AttemptOptions<P extends ProviderPart = ProviderPart> = {
  offer: Offer
  permit: Permit
  /** Asks the platform. */
  call: (onPart: OnPart<P>) => Promise<void>
  onPart: OnPart<RoutedPart<P>>
  signal: AbortSignal
  now: () => number
  health: HealthTracker
  measures: MetricsTracker
  onAttempt: (attempt: Attempt) => void
}

type AttemptEnd = Pick<Attempt, 'state' | 'code' | 'reason'>

/** A speed taken over less is chance, or the network's buffers. */
const MIN_SPEED_SAMPLE = { tokens: 10, ms: 200 }

/** Reasoning and every later kind of content counts; usage and the end may come with an answer that says nothing. */
function isContent(part: ProviderPart): boolean {
  if ('text' in part) return part.text !== ''
  return part.type !== 'usage' && part.type !== 'usage_flagged' && part.type !== 'finish'
}

/**
 * Calls one platform and hands on what it says, beginning with its offer. Parts before the first content are held back: a
 * failure until then is returned and nothing was handed on, so that another platform may answer. A failure after it is
 * thrown, as is the signal's reason when the caller aborts.
 */
export async function executeAttempt<P extends ProviderPart>(
  options: AttemptOptions<P>,
): Promise<UpstreamError | null> {
  const { offer, permit, call, onPart: take, signal, now, health } = options
  const started = now()
  const received = { first: null as number | null, text: new TextBuffer(), tokens: null as number | null }
  const buffered: P[] = []
  let ending: AttemptEnd = { state: 'aborted', code: null, reason: 'cancelled' }
  let failure: UpstreamError | null = null
  const emitBuffered = async (part: P): Promise<void> => {
    await take({ type: 'offer', offer })
    for (const buffered_part of [...buffered, part]) await take(buffered_part)
  }
  const handlePart: OnPart<P> = (part) => {
    collect(part, received)
    if (received.first !== null) {
      if (part.type === 'finish') ending = { state: 'answered', code: null, reason: part.reason }
      return take(part)
    }
    if (!isContent(part)) return void buffered.push(part)
    received.first = now()
    health.alive(permit)
    return emitBuffered(part)
  }
  try {
    await call(handlePart)
    if (received.first === null) throw new UpstreamError('upstream_empty', 'ended without content')
    if (ending.state !== 'answered') throw new UpstreamError('upstream_cut', 'ended without a finish')
    return null
  } catch (error) {
    signal.throwIfAborted()
    const state = received.first === null ? 'failed' : 'cut'
    if (!(error instanceof UpstreamError)) {
      ending = { state, code: 'internal', reason: 'internal error' }
      throw error
    }
    failure = error
    ending = { state, code: error.code, reason: describeFailure(error) }
    if (state === 'cut') throw error
    return error
  } finally {
    reportAttempt(options, { ending, failure, started, ...received, text: received.text.text })
  }
}

function collect(part: ProviderPart, received: { text: TextBuffer; tokens: number | null }): void {
  if (part.type === 'replace') received.text.replace(part.text)
  else if ('text' in part) received.text.append(part.text)
  else if (part.type === 'tool_call') received.text.append(part.name + part.arguments)
  else if (part.type === 'usage') received.tokens = part.usage.output
}

type AttemptReporting = Pick<AttemptOptions, 'offer' | 'permit' | 'now' | 'health' | 'measures' | 'onAttempt'>
type AttemptResult = {
  ending: AttemptEnd
  failure: UpstreamError | null
  started: number
  first: number | null
  text: string
  tokens: number | null
}

/** Tells the platform's health, its measures and the caller how it went. */
function reportAttempt(
  { offer, permit, now, health, measures, onAttempt }: AttemptReporting,
  result: AttemptResult,
): void {
  const { ending, failure, started, first, text, tokens } = result
  const ended = now()
  const output_tokens = first === null ? null : (tokens ?? estimateTokens(text, offer.model))
  const fault = failure && classifyFault(failure)

  if (ending.state === 'answered') health.succeeded(permit)
  else if (!fault) health.left(permit)
  else if (fault === 'request' || fault === 'question') health.alive(permit)
  else health.failed(permit, fault, failure?.retry_after ?? null)

  const ok = first !== null && (ending.state === 'answered' || ending.state === 'aborted')
  // A question that nobody can answer says nothing about who was asked.
  if (ok || (fault && fault !== 'request')) {
    const content_ms = first === null ? 0 : ended - first
    const hasReliableSpeed =
      ending.state === 'answered' &&
      (output_tokens ?? 0) >= MIN_SPEED_SAMPLE.tokens &&
      content_ms >= MIN_SPEED_SAMPLE.ms
    measures.record(permit.key, {
      ok,
      latency_ms: first === null ? null : first - started,
      throughput: hasReliableSpeed ? ((output_tokens ?? 0) * 1000) / content_ms : null,
    })
  }
  onAttempt({
    platform: offer.platform,
    model: offer.model,
    ...ending,
    started_at: new Date(started),
    first_content_ms: first === null ? null : first - started,
    ms: ended - started,
    ...(output_tokens === null ? {} : { output_tokens }),
  })
}
