import { Transcript } from '../../core/transcript.ts'
import { UpstreamError } from '../chat.ts'
import type { ChatPart, Take } from '../chat.ts'
import type { Offer } from '../offers.ts'
import type { WorkPart } from '../works/work.ts'
import { estimateTokens } from '../estimate.ts'
import { faultOf, reasonOf } from './fault.ts'
import type { Health, Permit } from './health.ts'
import type { Measures } from './measures.ts'
import type { Attempt } from './plan.ts'

/** What platforms say. The first part of a work is always content. */
export type Part = ChatPart | WorkPart
/** What a caller of `answer` is given: first, before any content, whose answer it is (to be recorded and billed). */
export type AnswerPart<P extends Part = ChatPart> = P | { type: 'offer'; offer: Offer }

export type AttemptOptions<P extends Part = Part> = {
  offer: Offer
  permit: Permit
  /** Asks the platform. */
  speak: (take: Take<P>) => Promise<void>
  take: Take<AnswerPart<P>>
  signal: AbortSignal
  now: () => number
  health: Health
  measures: Measures
  onAttempt: (attempt: Attempt) => void
}

type Ending = Pick<Attempt, 'state' | 'code' | 'reason'>

/** A speed taken over less is chance, or the network's buffers. */
const LEAST_SPEED = { tokens: 10, ms: 200 }

/** Reasoning and every later kind of content counts; usage and the end may come with an answer that says nothing. */
function isContent(part: Part): boolean {
  if ('text' in part) return part.text !== ''
  return part.type !== 'usage' && part.type !== 'usage_flagged' && part.type !== 'finish'
}

/**
 * Calls one platform and hands on what it says, beginning with its offer. Parts before the first content are held back: a
 * failure until then is returned and nothing was handed on, so that another platform may answer. A failure after it is
 * thrown, as is the signal's reason when the caller aborts.
 */
export async function attempt<P extends Part>(options: AttemptOptions<P>): Promise<UpstreamError | null> {
  const { offer, permit, speak, take, signal, now, health } = options
  const started = now()
  const heard = { first: null as number | null, text: new Transcript(), tokens: null as number | null }
  const held: P[] = []
  let ending: Ending = { state: 'aborted', code: null, reason: 'cancelled' }
  let failure: UpstreamError | null = null
  const begin = async (part: P): Promise<void> => {
    await take({ type: 'offer', offer })
    for (const one of [...held, part]) await take(one)
  }
  const hear: Take<P> = (part) => {
    note(part, heard)
    if (heard.first !== null) {
      if (part.type === 'finish') ending = { state: 'answered', code: null, reason: part.reason }
      return take(part)
    }
    if (!isContent(part)) return void held.push(part)
    heard.first = now()
    health.alive(permit)
    return begin(part)
  }
  try {
    await speak(hear)
    if (heard.first === null) throw new UpstreamError('upstream_empty', 'ended without content')
    if (ending.state !== 'answered') throw new UpstreamError('upstream_cut', 'ended without a finish')
    return null
  } catch (error) {
    signal.throwIfAborted()
    const state = heard.first === null ? 'failed' : 'cut'
    if (!(error instanceof UpstreamError)) {
      ending = { state, code: 'internal', reason: 'internal error' }
      throw error
    }
    failure = error
    ending = { state, code: error.code, reason: reasonOf(error) }
    if (state === 'cut') throw error
    return error
  } finally {
    settle(options, { ending, failure, started, ...heard, text: heard.text.text })
  }
}

function note(part: Part, heard: { text: Transcript; tokens: number | null }): void {
  if (part.type === 'replace') heard.text.replace(part.text)
  else if ('text' in part) heard.text.add(part.text)
  else if (part.type === 'tool_call') heard.text.add(part.name + part.arguments)
  else if (part.type === 'usage') heard.tokens = part.usage.output
}

type Outcome = Pick<AttemptOptions, 'offer' | 'permit' | 'now' | 'health' | 'measures' | 'onAttempt'>
type Result = {
  ending: Ending
  failure: UpstreamError | null
  started: number
  first: number | null
  text: string
  tokens: number | null
}

/** Tells the platform's health, its measures and the caller how it went. */
function settle({ offer, permit, now, health, measures, onAttempt }: Outcome, result: Result): void {
  const { ending, failure, started, first, text, tokens } = result
  const ended = now()
  const output_tokens = first === null ? null : (tokens ?? estimateTokens(text, offer.model))
  const fault = failure && faultOf(failure)

  if (ending.state === 'answered') health.succeeded(permit)
  else if (!fault) health.left(permit)
  else if (fault === 'request' || fault === 'question') health.alive(permit)
  else health.failed(permit, fault, failure?.retry_after ?? null)

  const ok = first !== null && (ending.state === 'answered' || ending.state === 'aborted')
  // A question that nobody can answer says nothing about who was asked.
  if (ok || (fault && fault !== 'request')) {
    const spoke_ms = first === null ? 0 : ended - first
    const steady =
      ending.state === 'answered' && (output_tokens ?? 0) >= LEAST_SPEED.tokens && spoke_ms >= LEAST_SPEED.ms
    measures.record(permit.key, {
      ok,
      latency_ms: first === null ? null : first - started,
      throughput: steady ? ((output_tokens ?? 0) * 1000) / spoke_ms : null,
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
