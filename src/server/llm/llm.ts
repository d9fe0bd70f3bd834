import type { Catalogue, Log } from './catalogue/catalogue.ts'
import type { OnPart } from './chat.ts'
import { streamAnthropic } from './providers/anthropic/anthropic.ts'
import { streamGemini } from './providers/gemini/gemini.ts'
import { streamLocal } from './providers/local/stream.ts'
import { streamOpenai } from './providers/openai/openai.ts'
import { drainAfterAbort } from './transport/drain.ts'
import type { Dialect, Offer } from './catalogue/offers.ts'
import { executeRoute } from './routing/execute-route.ts'
import type { RouteRequest, CallProvider } from './routing/execute-route.ts'
import { createRetryBudget } from './routing/retry-budget.ts'
import { createHealthTracker, getRouteKey } from './routing/health.ts'
import { createMetricsTracker } from './routing/metrics.ts'
import type { ProviderMetrics } from './routing/metrics.ts'
import { planRoute } from './routing/plan.ts'
import type { RoutePlan } from './routing/plan.ts'
import type { RoutePreference } from './routing/preference.ts'
import { SYSTEM_CLOCK } from './routing/clock.ts'
import type { Clock } from './routing/clock.ts'
import { streamOperation } from './operations/stream-operation.ts'
import type { Operation, OperationPart } from './operations/operation.ts'

// The floor's only entry point: what others use of models and platforms, types included.
export { loadCatalogue } from './catalogue/catalogue.ts'
export type { Catalogue } from './catalogue/catalogue.ts'
export { CatalogueError } from './catalogue/models-file.ts'
export { isLocalModel } from './catalogue/offers.ts'
export type { Offer } from './catalogue/offers.ts'
export { toPrices } from './catalogue/prices.ts'
export type { ModelEntry, PlatformEntry } from './catalogue/schema.ts'
export { getContentText, UpstreamError } from './chat.ts'
export type {
  ChatPart,
  ChatRequest,
  Content,
  ContentPart,
  ImagePart,
  JsonSchemaFormat,
  OnPart,
  PromptMessage,
  Tool,
  ToolCall,
  Usage,
} from './chat.ts'
export { measureDuration } from './operations/duration.ts'
export { createEmbeddingsOperation, listInputs } from './operations/embeddings.ts'
export { createImagesOperation } from './operations/images.ts'
export type { Operation, OperationPart, OperationPath, OperationUsage } from './operations/operation.ts'
export { createRerankOperation, listDocumentTexts } from './operations/rerank.ts'
export { createSpeechOperation } from './operations/speech.ts'
export { createTranscriptionOperation } from './operations/transcription.ts'
export { parseToolArguments } from './providers/prompt-turns.ts'
export type { RoutedPart } from './routing/attempt.ts'
export type { Attempt, RoutePlan } from './routing/plan.ts'
export { DEFAULT_PREFERENCE, resolvePreference } from './routing/preference.ts'
export type { RoutePreference } from './routing/preference.ts'
export { estimateInput, estimatePrompt, estimateTokens } from './tokens/estimate.ts'
export { countTokens } from './tokens/tokenizer.ts'

/** The door to every model. */
export type Llm = {
  /** Who can serve the model now, in the file's order. */
  listOffers(model_id: string): Offer[]
  /** Asks one platform and hands on what it says. Throws UpstreamError, or the signal's reason when the caller aborts. */
  callProvider: CallProvider
  /** Who would be asked for a model now, in which order and why. No candidates for an unknown model. */
  planRoute(model_id: string, preference: RoutePreference): RoutePlan
  /** Asks a plan's platforms until one answers; `answer` of routing/answer.ts says what it hands on and throws. */
  streamChat(asked: RouteRequest): Promise<void>
  /** The same for a work that is no chat. */
  executeOperation(asked: RouteRequest<Operation, OperationPart>): Promise<void>
  /** Platform → its rolling figures for a model, of every offer of the file; null where nothing was measured. */
  getMetrics(model_id: string): Map<string, ProviderMetrics>
}

type Options = { catalogue: Catalogue; log: Log; time?: Clock }

/** Opens the door on a catalogue. */
export function createLlm({ catalogue, log, time = SYSTEM_CLOCK }: Options): Llm {
  const health = createHealthTracker(time)
  const measures = createMetricsTracker(time.now)
  const routing = { time, health, measures, budget: createRetryBudget(time.now), log }
  const callProvider: CallProvider = (offer, request, signal, onPart) => {
    const { platform, model } = offer
    const call = (own: AbortSignal, onCallPart: OnPart): Promise<void> =>
      PROVIDERS[offer.dialect](offer, request, own, onCallPart)
    const onCheckedPart: OnPart = (part) => {
      // Usage that cannot be true is the operator's business: their platform misreports.
      if (part.type === 'usage_flagged')
        log.warn({ platform, model, reported: part.detail }, 'upstream usage refused')
      return onPart(part)
    }
    if (offer.abort_stops_billing) return call(signal, onCheckedPart)
    return drainAfterAbort(call, signal, onCheckedPart, (usage) =>
      log.info({ platform, model, usage }, 'stopped answer read to its bill'),
    )
  }

  return {
    listOffers: (model_id) => catalogue.listOffers(model_id),
    callProvider,

    planRoute(model_id, preference) {
      const { offers: entries = [], discount = 1 } = catalogue.getModel(model_id) ?? {}
      const offers = catalogue.listOffers(model_id)
      return planRoute({
        entries,
        discount,
        offers,
        preference,
        condition: health.condition,
        measure: (key) => measures.get(key),
      })
    },

    streamChat: (asked) => executeRoute(routing, callProvider, asked),
    executeOperation: (asked) => executeRoute(routing, streamOperation, asked),

    getMetrics: (model_id) =>
      new Map(
        // Of two offers of one platform, the first speaks for it.
        catalogue
          .getModel(model_id)
          ?.offers.map((entry) => [entry.platform, measures.get(getRouteKey(entry))] as const)
          .toReversed(),
      ),
  }
}

const PROVIDERS: Record<Dialect, CallProvider> = {
  openai: streamOpenai,
  anthropic: streamAnthropic,
  gemini: streamGemini,
  local: (_, request, signal, take) => streamLocal(request, signal, take),
}
