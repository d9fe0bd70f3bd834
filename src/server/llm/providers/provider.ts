import type { JsonObject } from '#server/core/json.ts'
import type { Offer } from '../catalogue/offers.ts'
import type { ChatRequest } from '../chat-request.ts'
import type { OnPart, StreamPart } from '../stream-part.ts'

/** The destination of a call. `base_url` has no slash at its end; an empty `api_key` sends none. */
export type ProviderTarget = Pick<
  Offer,
  'base_url' | 'api_key' | 'model' | 'cumulative' | 'timeouts' | 'fields' | 'family' | 'promptTraits'
>

export type ProviderRequest = { url: string; headers: Record<string, string>; body: object }

/**
 * The differences between vendors' APIs. Errors are none: OpenAI-compatible servers pass on errors of the models behind them, so
 * error-response.ts reads the words of all vendors for every provider.
 */
export type Provider = {
  buildRequest: (target: ProviderTarget, request: ChatRequest) => ProviderRequest
  /** A new parser for each response. */
  createParser: (target: ProviderTarget) => StreamParser
}

/** Usage and finish may be emitted at any time and more than once: the last ones count, and are passed on at the end. */
export type Emit = (part: StreamPart) => void

/**
 * Parses one response: each event in turn, with its text (`raw`), or the one object of a server that did not stream. Returns
 * `end` after the event that is documented as the last. Throws UpstreamError, after emitting the parts before the fault.
 */
export type StreamParser = (event: JsonObject, emit: Emit, raw?: string) => 'end' | void

/**
 * Calls one platform and emits its response. Throws UpstreamError, or the signal's reason when the caller aborts. Usage comes
 * before the finish, which is always last. A broken response still emits the usage that it reported.
 */
export type StreamChat = (
  target: ProviderTarget,
  request: ChatRequest,
  signal: AbortSignal,
  onPart: OnPart,
) => Promise<void>
