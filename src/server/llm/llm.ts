import type { LogWriter } from '#server/core/log.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { applyThinking } from './chat-request.ts'
import type { ChatRequest } from './chat-request.ts'
import { listNeeds } from './needs.ts'
import type { Operation, OperationPart } from './operations/operation.ts'
import { streamOperation } from './operations/stream-operation.ts'
import { drainAfterAbort } from './providers/drain.ts'
import { fitPrompt } from './prompt/fit-prompt.ts'
import { restoreToolNames } from './prompt/tool-names.ts'
import { PROVIDERS } from './providers/providers.ts'
import { SYSTEM_CLOCK } from './routing/clock.ts'
import type { Clock } from './routing/clock.ts'
import { executeRoute } from './routing/execute-route.ts'
import type { CallOffer, RouteRequest } from './routing/execute-route.ts'
import { createHealthTracker, getRouteKey } from './routing/health.ts'
import { createMetricsTracker } from './routing/metrics.ts'
import type { ProviderMetrics } from './routing/metrics.ts'
import { planRoute } from './routing/plan.ts'
import type { RoutePlan } from './routing/plan.ts'
import type { RoutePreference } from './routing/preference.ts'
import { createRetryBudget } from './routing/retry-budget.ts'
import type { OnPart, StreamPart } from './stream-part.ts'

// The only file of this floor that others import, types included.
export { ByteSource } from './byte-source.ts'
export { createSnapshot, loadCatalogue } from './catalogue/catalogue.ts'
export type { Catalogue } from './catalogue/catalogue.ts'
export { getCoinRate } from './catalogue/currency.ts'
export { findFamily } from './catalogue/families.ts'
export { findLine, insertItem, setValue } from './catalogue/json-text.ts'
export { CatalogueError, parseJson, readModelsFile } from './catalogue/models-file.ts'
export { getModelThinking, isLocalModel, isPlatformConfigured, isRetired } from './catalogue/offers.ts'
export type { Offer } from './catalogue/offers.ts'
export { fillTier, toPrices } from './catalogue/prices.ts'
export type { CatalogueFile, ModelEntry, OfferEntry, PlatformEntry } from './catalogue/schema.ts'
export { applyThinking, getContentText } from './chat-request.ts'
export type {
  AudioPart,
  ChatRequest,
  Content,
  ContentPart,
  FilePart,
  ImagePart,
  JsonSchemaFormat,
  PromptMessage,
  Reasoning,
  SignedReasoning,
  TextPart,
  Tool,
  ToolCall,
} from './chat-request.ts'
export { pickForwardedFields } from './forwarded-fields.ts'
export { canUseModel, isModelAllowed, requireCapabilities, requireModelAccess } from './model-access.ts'
export { createEmbeddingsOperation, listInputs } from './operations/embeddings.ts'
export { createImagesOperation } from './operations/images.ts'
export type { Operation, OperationPart, OperationUsage } from './operations/operation.ts'
export { createRerankOperation, listDocumentTexts } from './operations/rerank.ts'
export { createSpeechOperation } from './operations/speech.ts'
export { createTranscriptionOperation } from './operations/transcription.ts'
export { parseToolArguments } from './prompt/call-arguments.ts'
export { describeUnseenMedia } from './prompt/unseen-media.ts'
export type { RoutedPart } from './routing/attempt.ts'
export type { Attempt, RoutePlan } from './routing/plan.ts'
export { DEFAULT_PREFERENCE, resolvePreference } from './routing/preference.ts'
export type { RoutePreference } from './routing/preference.ts'
export type { ChoicePart, OnPart, PlatformFields, StreamPart, Usage } from './stream-part.ts'
export { estimateInput, estimatePrompt, estimateTokens, TokenEstimate } from './tokens/estimate.ts'
export { countTokens } from './tokens/tokenizer.ts'
export { UpstreamError } from './upstream-error.ts'

/** Access to every model. */
export type Llm = {
  /**
   * Plans the platforms to call for a model now, their order, and the reasons. Platforms that cannot do what a request needs are
   * not called. No candidates for an unknown model.
   */
  planRoute(modelId: string, preference: RoutePreference, request?: ChatRequest): RoutePlan
  /** Limits an answer to `maxTokens` and to the room that a model has beside a prompt of `inputTokens`. */
  limitAnswer(modelId: string, inputTokens: number, maxTokens: number): number
  /** Calls a plan's platforms until one responds; see executeRoute. */
  streamChat(route: RouteRequest): Promise<void>
  /** Does the same for an operation. */
  executeOperation(route: RouteRequest<Operation, OperationPart>): Promise<void>
  /** Platform → its rolling metrics for a model, of every offer of the file; null where nothing was measured. */
  getMetrics(modelId: string): Map<string, ProviderMetrics>
}

type Options = { catalogue: Catalogue; log: LogWriter; clock?: Clock }

export function createLlm({ catalogue, log, clock = SYSTEM_CLOCK }: Options): Llm {
  const health = createHealthTracker(clock)
  const metrics = createMetricsTracker(clock.now)
  const routing = { clock, health, metrics, retry_budget: createRetryBudget(clock.now), log }
  const callOffer = createCallOffer(log, catalogue)

  return {
    planRoute(modelId, preference, request) {
      const { offers: entries = [], discount = 1 } = catalogue.getModel(modelId) ?? {}
      return planRoute({
        entries,
        discount,
        offers: catalogue.listOffers(modelId),
        preference,
        needs: request ? listNeeds(request) : [],
        getStatus: health.getStatus,
        getMetrics: (key) => metrics.get(key),
      })
    },

    limitAnswer(modelId, inputTokens, maxTokens) {
      const contextWindow = catalogue.getModel(modelId)?.context_window ?? Infinity
      const remainingTokens = Math.floor(contextWindow - (inputTokens * INPUT_MARGIN_PERCENT) / 100)
      return Math.min(maxTokens, Math.max(remainingTokens, MIN_ANSWER_TOKENS))
    },

    streamChat: (route) => executeRoute(routing, callOffer, route),
    executeOperation: (route) => executeRoute(routing, streamOperation, route),

    getMetrics: (modelId) =>
      new Map(
        // The first of two offers of one platform counts.
        catalogue
          .getModel(modelId)
          ?.offers.map((entry) => [entry.platform, metrics.get(getRouteKey(entry))] as const)
          .toReversed(),
      ),
  }
}

/** Percent of its estimate that a prompt may turn out to take. */
const INPUT_MARGIN_PERCENT = 115
/** Least room for an answer: an estimate may be far too high, and the platform itself says if a prompt is too long. */
const MIN_ANSWER_TOKENS = 1024

/** An answer that ended for another reason is not known to be whole. */
const KNOWN_FINISHES: ReadonlySet<string> = new Set(['stop', 'length', 'tool_calls', 'content_filter'])

/** More tokens than the model's context holds cannot have been used. */
function flagBeyondContext(
  part: Extract<StreamPart, { type: 'usage' }>,
  catalogue: Catalogue,
  modelId: string,
): StreamPart {
  const { input, output } = part.usage
  const contextWindow = catalogue.getModel(modelId)?.context_window ?? Infinity
  if (input + output <= contextWindow) return part
  return {
    type: 'usage_flagged',
    detail: JSON.stringify({ ...part.usage, context_window: contextWindow }).slice(0, 200),
  }
}

/** Calls the platform of an offer in its dialect; misreported usage and bills of aborted responses go to the log. */
function createCallOffer(log: LogWriter, catalogue: Catalogue): CallOffer {
  return (offer, request, signal, onPart) => {
    const { platform, model, model_id } = offer
    const { request: fittedRequest, ownNames } = fitPrompt(
      applyThinking(request, offer.thinking),
      offer.promptTraits,
      offer.family.lacks,
    )
    const call = (callSignal: AbortSignal, onCallPart: OnPart): Promise<void> =>
      PROVIDERS[offer.dialect](offer, fittedRequest, callSignal, onCallPart)
    const onCheckedPart: OnPart = (reported) => {
      const part =
        reported.type === 'usage'
          ? flagBeyondContext(reported, catalogue, model_id)
          : restoreToolNames(reported, ownNames)
      if (part.type === 'finish' && !KNOWN_FINISHES.has(part.reason)) {
        log.warn({ platform, model, reason: part.reason }, 'an answer ended for an unknown reason')
        return onPart({ ...part, reason: 'length' })
      }
      if (part.type === 'usage_flagged')
        log.warn({ platform, model, reported: part.detail }, 'upstream usage refused')
      return onPart(part)
    }
    if (offer.abort_stops_billing) return call(signal, onCheckedPart)
    return drainAfterAbort(call, signal, onCheckedPart, (usage) =>
      log.info({ platform, model, usage }, 'stopped answer read to its bill'),
    )
  }
}
