import { AppError } from '#server/core/app-error.ts'
import type { GatewayKey } from '#server/keys/keys.ts'
import { getContentText } from '#server/llm/llm.ts'
import type { ModelEntry, ChatRequest } from '#server/llm/llm.ts'
import type { SettledRun } from '#server/runs/settle.ts'
import { estimateInputTokens } from '#server/runs/create-run.ts'
import type { ChatRunRequest } from '#server/runs/create-run.ts'
import { respondStream, respondWhole } from './respond.ts'
import { respondInBackground } from './background/background.ts'
import type { Exchange } from '../http/exchange.ts'
import { openRunSource } from './open-run.ts'
import { readCallIdempotency, createBillingContext, requireModelAccess } from './run-request.ts'
import type { GatewayDeps, RoutingOptions } from './run-request.ts'
import type { ResponseFormatter } from '../protocols/response-formatter.ts'
import type { RunSource } from './run-source.ts'

/** No tokenizer makes a token of more characters than this on the average; what has more cannot fit the model. */
const CHARS_PER_TOKEN = 8

/** A call as its door understood it. */
export type ParsedRequest = {
  /** The door and all that was sent: what an Idempotency-Key stands for. */
  fingerprint: [door: string, body: object]
  model: string
  /** Ours, of every door: see the contract. */
  routing_options: RoutingOptions
  stream: boolean
  /** The conversation that it goes on with. */
  sess_id?: string | null | undefined
  /** Answered at once, and fetched later. */
  background?: boolean | null | undefined
  /** Throws AppError. */
  buildPrompt: (model: ModelEntry) => ChatRequest
  createFormatter: (run_id: string, request: ChatRunRequest) => ResponseFormatter
}

/** Answers a call of any door: holds, runs, settles, and only then says that the answer is whole. Throws AppError. */
export async function handleChatCall(
  deps: GatewayDeps,
  key: GatewayKey,
  exchange: Exchange,
  parsed: ParsedRequest,
): Promise<void> {
  const { completion_hooks, rate_limits } = deps
  const model = requireModelAccess(deps.catalogue, key, parsed.model, 'chat')
  const request = await buildRunRequest(deps, key, parsed, model)
  const { sess_id, background } = parsed
  const source = await openRunSource(deps, {
    key,
    request,
    estimateInputTokens: estimateInputTokens,
    idempotency: readCallIdempotency(exchange, ...parsed.fingerprint),
    disconnect_signal: exchange.disconnect_signal,
    memory: sess_id ? { sess_id, model } : null,
    background: background === true,
  })
  try {
    const ended = await sendAnswer(deps, source, request, parsed, exchange)
    if (ended) await rate_limits.countOutputTokens(key, ended.metered.tokens.output)
  } finally {
    if ('opened' in source) completion_hooks.unregister(source.run_id)
  }
}

/** How the run ended; null when that is another call's to know. */
function sendAnswer(
  { db, runs }: GatewayDeps,
  source: RunSource,
  request: ChatRunRequest,
  { background, stream, createFormatter }: ParsedRequest,
  exchange: Exchange,
): Promise<SettledRun | null> {
  const { user_id, model } = request
  if (background) return respondInBackground({ db, user_id, model, source, exchange })
  const answering = { runs, source, formatter: createFormatter(source.run_id, request), exchange }
  return stream ? respondStream(answering) : respondWhole(answering)
}

/** Throws AppError. */
async function buildRunRequest(
  deps: GatewayDeps,
  key: GatewayKey,
  parsed: ParsedRequest,
  model: ModelEntry,
): Promise<ChatRunRequest> {
  const billing = await createBillingContext(deps, key, parsed.routing_options)
  const prompt = parsed.buildPrompt(model)
  assertFitsContext(prompt, model)
  return { ...billing, model: model.id, prompt }
}

function assertFitsContext({ messages }: ChatRequest, { context_window }: ModelEntry): void {
  const chars = messages.reduce((sum, { content }) => sum + getContentText(content).length, 0)
  if (chars > context_window * CHARS_PER_TOKEN) throw new AppError('context_length_exceeded')
}
