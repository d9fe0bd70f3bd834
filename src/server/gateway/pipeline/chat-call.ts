import { AppError, toAppError } from '#server/core/app-error.ts'
import { createEventStream } from '#server/core/event-stream/event-stream.ts'
import { applyThinking, describeUnseenMedia, getContentText, requireCapabilities } from '#server/llm/llm.ts'
import type { ChatRequest, ModelEntry } from '#server/llm/llm.ts'
import { estimateInputTokens } from '#server/runs/runs.ts'
import type { ChatRunRequest } from '#server/runs/runs.ts'
import { sendJson } from '../http/exchange.ts'
import { PENDING } from './background.ts'
import type { BackgroundState, ResultStore } from './background.ts'
import type { CachedResult } from './cached-result.ts'
import { createBillingContext, requireModel } from './context.ts'
import type { CallContext, Handler, RoutingOptions } from './context.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { createIncrementReader, toIncrements } from './response-writer.ts'
import type { ResponseWriter } from './response-writer.ts'
import { recallReasoning } from './reasoning.ts'
import { executeRun, loadWholeResult, throwIfFailed, withRunSource } from './run-source.ts'
import type { RunSource } from './run-source.ts'

/** No tokenizer makes tokens of more characters than this on average; a longer text cannot fit the model. */
export const MAX_CHARS_PER_TOKEN = 8

/**
 * The gateway's side of one chat protocol: reads its calls, and formats the responses. `createProtocols` lists them.
 *
 * ```ts
 * export const echo: ProtocolAdapter<{ text: string }> = {
 *   parse: ({ body }) => ({
 *     model: 'deepseek-chat',
 *     routing_options: {},
 *     stream: false,
 *     buildPrompt: ({ max_tokens }) => ({ messages: [{ role: 'user', content: body.text }], max_tokens }),
 *   }),
 *   createFormatter: ({ run_id }) => ({ formatWhole: ({ text }) => ({ id: run_id, text }), createWriter, keep_alive }),
 * }
 * ```
 */
export type ProtocolAdapter<Body> = {
  /** Throws AppError bad_request. */
  parse(context: CallContext<Body>): ParsedRequest | Promise<ParsedRequest>
  createFormatter(call: FormatterOptions<Body>): ResponseFormatter
}

/** A chat call, whatever its protocol. */
type ParsedRequest = {
  model: string
  /** Options of our own, the same in every protocol: see the contract. */
  routing_options: RoutingOptions
  stream: boolean
  /** The conversation that it continues. */
  sess_id?: string | null | undefined
  /** It is answered at once, and fetched later. */
  background?: boolean | null | undefined
  /** Where its result is kept for later calls; a call in the background has one. */
  results?: ResultStore | undefined
  /** Tools that were left out, since nobody here can run them; a header of the response lists them. */
  dropped_tools?: string[]
  /** Throws AppError. */
  buildPrompt(model: ModelEntry): ChatRequest
  /** Options of the run: work between the hold and the platform, and a guard on the answer. */
  createOptions?(model: ModelEntry): Pick<ChatRunRequest, 'prepare' | 'createGuard'>
}

type FormatterOptions<Body> = {
  body: Body
  run_id: string
  request: ChatRunRequest
  request_id: string
  /** Its result is kept for later calls. */
  is_kept: boolean
}

/** Formats the response to one call. */
type ResponseFormatter = {
  formatWhole: (result: CachedResult) => object
  createWriter: () => ResponseWriter
  /** Sent in a stream that has been silent for a while. */
  keep_alive: string
  /** The end of a stream repeats its text, all of which is kept until then. */
  ends_with_text?: boolean
  /** Only for protocols whose calls may run in the background. */
  formatBackground?: (state: BackgroundState) => object
}

/** Handles calls of a protocol: holds, runs, settles, and only then sends the end of the response. */
export const createChatHandler =
  <Body>(adapter: ProtocolAdapter<Body>): Handler<Body> =>
  async (context) => {
    const { deps, key, exchange, body } = context
    const parsed = await adapter.parse(context)
    const { sess_id, background, stream, results } = parsed
    const model = requireModel(context, parsed.model)
    const request = await buildRunRequest(context, parsed, model)
    if (parsed.dropped_tools?.length)
      exchange.response.setHeader('x-dropped-tools', [...new Set(parsed.dropped_tools)].join(', '))
    const options = {
      request,
      estimateInputTokens,
      idempotency: await readIdempotencyKey(context, () => body),
      getContent: () => body,
      memory: sess_id ? { sess_id, model } : null,
      background: background === true,
      results,
    }
    await withRunSource(context, options, async (source) => {
      const { request_id } = exchange
      const { run_id } = source
      const isKept = results !== undefined
      const formatter = adapter.createFormatter({ body, run_id, request, request_id, is_kept: isKept })
      const respond = stream ? respondStream : respondWhole
      const result = background
        ? await respondInBackground(context, source, formatter, results)
        : await respond(context, source, formatter)
      if (result) await deps.rate_limits.countOutputTokens(key, result.metered.tokens.output)
    })
  }

/** The error for a call that insists on a tool that a platform itself would have to run. */
export const createHostedToolError = (type: string): AppError =>
  new AppError('bad_request', {
    fields: { tool_choice: `这里没有平台能运行 ${type} 工具，请改用 auto，或换成由程序自己运行的工具` },
  })

/** Throws AppError. */
async function buildRunRequest(
  context: CallContext,
  parsed: ParsedRequest,
  model: ModelEntry,
): Promise<ChatRunRequest> {
  const billing = await createBillingContext(context, parsed.routing_options)
  const { deps, key, call } = context
  // A name that was retired may have stood for a model that thinks.
  const builtPrompt = applyThinking(
    parsed.buildPrompt(model),
    deps.catalogue.getAlias(parsed.model)?.thinking,
  )
  const visiblePrompt = describeUnseenMedia(builtPrompt, model)
  assertFitsContext(visiblePrompt, model)
  const prompt = model.capabilities.includes('reasoning')
    ? await withReasoning(context, model, visiblePrompt)
    : visiblePrompt
  const access = { type: call.model_type, allowed_models: key.allowed_models }
  requireCapabilities(deps.catalogue, model, prompt, access)
  return { ...billing, model: model.id, prompt, ...parsed.createOptions?.(model) }
}

async function withReasoning(
  { deps, key }: CallContext,
  { id }: ModelEntry,
  prompt: ChatRequest,
): Promise<ChatRequest> {
  const { account_id } = key
  const hasSignedCalls = deps.catalogue.listOffers(id).some(({ dialect }) => dialect === 'gemini')
  const { messages } = prompt
  return { ...prompt, messages: await recallReasoning(deps.db, { account_id, messages, hasSignedCalls }) }
}

function assertFitsContext({ messages }: ChatRequest, { context_window }: ModelEntry): void {
  const chars = messages.reduce((sum, { content }) => sum + getContentText(content).length, 0)
  if (chars > context_window * MAX_CHARS_PER_TOKEN) throw new AppError('context_length_exceeded')
}

/** Sends the state of the completion. Resolves when a new run has ended; at once with null for the run of an earlier call. */
async function respondInBackground(
  context: CallContext,
  source: RunSource,
  { formatBackground }: ResponseFormatter,
  results: ResultStore | undefined,
): Promise<CachedResult | null> {
  const { deps, exchange } = context
  if (!formatBackground || !results) throw new AppError('bad_request')
  if ('loadCachedResult' in source) {
    const state = await results.find(deps.db, source.run_id)
    if (!state) throw new AppError('not_found')
    sendJson(exchange.response, 200, formatBackground(state))
    return null
  }
  const result = executeRun(context, source, { type: 'buffer' })
  sendJson(exchange.response, 200, formatBackground(PENDING))
  return result
}

/** Sends the whole response. Throws AppError when there is none. */
async function respondWhole(
  context: CallContext,
  source: RunSource,
  formatter: ResponseFormatter,
): Promise<CachedResult> {
  const result = await loadWholeResult(context, source)
  sendJson(context.exchange.response, 200, formatter.formatWhole(result))
  return result
}

/**
 * Sends the response as a stream, its end once the run is settled. Throws AppError for a failure before anything was sent; after
 * that an error is the last event, in place of an end.
 */
async function respondStream(
  context: CallContext,
  source: RunSource,
  { createWriter, keep_alive, ends_with_text = false }: ResponseFormatter,
): Promise<CachedResult> {
  const writer = createWriter()
  const events = createEventStream(context.exchange.response, { keep_alive })
  try {
    if ('loadCachedResult' in source) {
      const result = await source.loadCachedResult()
      const parts = toIncrements(result).map((part) => writer.writePart(part))
      events.end(parts.join('') + writeEnd(writer, result, true))
      return result
    }
    const increments = createIncrementReader()
    const onPart = (part: Parameters<typeof increments.toIncrement>[0]): Promise<void> | void => {
      const increment = increments.toIncrement(part)
      const text = increment && writer.writePart(increment)
      if (text) return events.write(text)
    }
    // A client that left before anything was sent may come back for the answer.
    const isTextNeeded = (): boolean => ends_with_text || source.has_hooks || !events.hasStarted()
    const result = await executeRun(context, source, { type: 'stream', onPart, isTextNeeded })
    if (!events.hasStarted()) throwIfFailed(result)
    events.end(writeEnd(writer, result, increments.isPrefixOf(result)))
    return result
  } catch (error) {
    if (!events.hasStarted()) throw error
    const { code, rejection } = toAppError(error)
    events.end(writer.writeError(code, rejection))
    throw error
  } finally {
    events.stop()
  }
}

/** `isConsistent`: the final text begins with everything that was sent. */
function writeEnd(writer: ResponseWriter, result: CachedResult, isConsistent: boolean): string {
  const { state, code, rejection } = result
  if (state !== 'done') return writer.writeError(code ?? 'internal', rejection)
  return isConsistent ? writer.writeEnd(result) : writer.writeError('upstream_malformed')
}
