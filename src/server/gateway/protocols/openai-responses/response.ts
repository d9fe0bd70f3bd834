import type { ErrorCode } from '#contract/errors.ts'
import type {
  ResponseCitation,
  ResponseObject,
  ResponseOutputItem,
  ResponseRequest,
  ResponseReasoningSummary,
  ResponseLogprob,
  ResponseOutputText,
  ResponseRefusal,
  ResponseUsage,
} from '#contract/gateway/responses.ts'
import type {
  CallableResponseTool,
  CallableToolObject,
  ResponseObjectTool,
  ResponseObjectToolChoice,
  ResponseTool,
  ResponseToolChoice,
} from '#contract/gateway/response-tools.ts'
import { asString, filterObjects, isJsonObject, parseJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { getIdSeconds } from '#server/core/ids.ts'
import { createOpenAiErrorBody } from '../../http/errors.ts'
import type { BackgroundState } from '../../pipeline/background.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import { toIncrements } from '../../pipeline/response-writer.ts'
import type { OutputIncrement } from '../../pipeline/response-writer.ts'
import type { SignedReasoning } from '#server/llm/llm.ts'
import { decodeCustomInput } from '../custom-input.ts'
import { encodeSigned } from './reasoning-items.ts'
import type { ToolNames } from './tools.ts'

/** A response before any output: its id, and the settings of the request. */
export type ResponseHeader = ResponseObject

export const createResponseHeader = (
  runId: string,
  body: ResponseRequest,
  store: boolean,
): ResponseHeader => ({
  id: `resp_${runId}`,
  object: 'response',
  created_at: getIdSeconds(runId),
  status: 'in_progress',
  background: body.background === true,
  error: null,
  incomplete_details: null,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  metadata: body.metadata ?? {},
  model: body.model,
  output: [],
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  previous_response_id: body.previous_response_id ?? null,
  reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
  store,
  temperature: body.temperature ?? null,
  text: {
    format: body.text?.format ?? { type: 'text' },
    ...(body.text?.verbosity ? { verbosity: body.text.verbosity } : {}),
  },
  tool_choice: formatToolChoice(body.tool_choice),
  tools: (body.tools ?? []).flatMap(formatTool),
  top_p: body.top_p ?? null,
  top_logprobs: body.top_logprobs ?? 0,
  prompt_cache_key: body.prompt_cache_key ?? null,
  safety_identifier: body.safety_identifier ?? null,
  truncation: 'disabled',
  access_programs: null,
})

function formatTool(tool: ResponseTool): ResponseObjectTool[] {
  if (tool.type === 'hosted') return []
  if (tool.type === 'tool_search') {
    const { type, execution, description = null, parameters = null } = tool
    return [{ type, execution, description, parameters }]
  }
  if (tool.type !== 'namespace') return [formatCallableTool(tool)]
  const { type, name, description, tools } = tool
  return [{ type, name, description: description ?? '', tools: tools.map(formatCallableTool) }]
}

function formatCallableTool(tool: CallableResponseTool): CallableToolObject {
  if (tool.type === 'function') {
    const { type, name, description = null, parameters = null, strict = null } = tool
    return { type, name, description, parameters, strict }
  }
  const { type, name, description, format } = tool
  return { type, name, ...(description ? { description } : {}), ...(format ? { format } : {}) }
}

/** The choice of a tool that a platform itself would have to run was refused before. */
function formatToolChoice(choice: ResponseToolChoice | null | undefined): ResponseObjectToolChoice {
  if (typeof choice !== 'object' || !choice) return choice ?? 'auto'
  if ('mode' in choice) return choice as Extract<ResponseObjectToolChoice, { mode: string }>
  const { type, name } = choice as Extract<ResponseToolChoice, { type: 'function' | 'custom' }>
  return { type, name }
}

/** A response in the shape of OpenAI's Responses (https://platform.openai.com/docs/api-reference/responses/object). */
export function formatResponse(head: ResponseHeader, result: CachedResult, names: ToolNames): ResponseObject {
  const kinds = toItemContents(toIncrements(result), names)
  const output: ResponseOutputItem[] = []
  for (const [index, kind] of kinds.entries()) {
    const isCut = index === kinds.length - 1 && getIncompleteReason(result) !== null
    output.push(formatItem(head, countItems(output, kind), kind, isCut ? 'incomplete' : 'completed'))
  }
  return { ...head, ...formatEnd(result), output }
}

/** A kept response, or one in the background, in its current state. */
export function formatKeptResponse(
  head: ResponseHeader,
  { status, code, rejection, result }: BackgroundState,
  names: ToolNames,
): ResponseObject {
  const response = result ? formatResponse(head, result, names) : head
  if (status === 'cancelled') return { ...response, status }
  if (status === 'pending' || status === 'completed') return response
  const reason = code ?? 'interrupted'
  const { message } = createOpenAiErrorBody(reason, { rejection }).error
  return { ...response, status: 'failed', error: { code: toFailureCode(reason), message } }
}

/** Codex recognises a conversation that is too long by this code. */
export function toFailureCode(code: ErrorCode): NonNullable<ResponseObject['error']>['code'] {
  if (code === 'context_length_exceeded') return code
  if (code === 'request_rejected' || code === 'content_rejected') return 'invalid_prompt'
  return code === 'upstream_rate_limited' ? 'rate_limit_exceeded' : 'server_error'
}

/** The end of a whole response. */
export function formatEnd(
  result: CachedResult,
): Pick<ResponseObject, 'status' | 'incomplete_details' | 'usage'> {
  const reason = getIncompleteReason(result)
  const usage = formatUsage(result.metered)
  return reason
    ? { status: 'incomplete', incomplete_details: { reason }, usage }
    : { status: 'completed', incomplete_details: null, usage }
}

/** Returns the reason why the output was cut short; null for a complete one. */
export function getIncompleteReason({
  response: { finish },
}: CachedResult): 'max_output_tokens' | 'content_filter' | null {
  if (finish === 'length') return 'max_output_tokens'
  return finish === 'content_filter' ? 'content_filter' : null
}

function formatUsage({ tokens }: CachedResult['metered']): ResponseUsage {
  const { input, output, cached, cache_write, reasoning } = tokens
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: cache_write },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}

/** The content of an item; `text` of a tool call is its arguments, or the input of a custom tool. */
export type ItemContent =
  | { type: 'message'; text: string; logprobs: ResponseLogprob[]; annotations: ResponseCitation[] }
  | { type: 'refusal'; text: string }
  | { type: 'reasoning'; text: string; signed: SignedReasoning[] }
  /** `text` is the picture, in base64 or its address. */
  | { type: 'image_generation_call'; text: string }
  | ({ type: 'function_call' | 'custom_tool_call'; text: string; call_id: string } & CalledTool)
  | { type: 'tool_search_call'; text: string; call_id: string }
type CalledTool = { name: string; namespace?: string }

/** Counts the items of this type. The count numbers the next one, in a stream as in a whole response. */
export const countItems = (items: ResponseOutputItem[], { type }: ItemContent): number =>
  items.filter((item) => item.type === type).length

/** An item of the output, the nth of its type. One in progress has no parts yet. */
export function formatItem(
  { id: responseId }: ResponseHeader,
  nth: number,
  kind: ItemContent,
  status: ResponseOutputItem['status'],
): ResponseOutputItem {
  const suffix = `${responseId.slice('resp_'.length)}_${nth}`
  const hasContent = status !== 'in_progress'
  switch (kind.type) {
    case 'message': {
      const content = hasContent ? [createTextPart(kind)] : []
      return { type: 'message', id: `msg_${suffix}`, status, role: 'assistant', content }
    }
    case 'refusal': {
      const content = hasContent ? [createRefusalPart(kind.text)] : []
      return { type: 'message', id: `msg_${suffix}`, status, role: 'assistant', content }
    }
    case 'reasoning':
      return {
        type: 'reasoning',
        id: `rs_${suffix}`,
        status,
        summary: hasContent ? [createSummaryPart(kind.text)] : [],
        ...(hasContent && kind.signed.length ? { encrypted_content: encodeSigned(kind.signed) } : {}),
      }
    case 'image_generation_call':
      return hasContent
        ? { type: 'image_generation_call', id: `ig_${suffix}`, status: 'completed', result: kind.text }
        : { type: 'image_generation_call', id: `ig_${suffix}`, status: 'in_progress', result: null }
    case 'tool_search_call': {
      const { type, text, call_id } = kind
      const execution = 'client' as const
      return { type, id: `tsc_${suffix}`, status, call_id, execution, arguments: parseJsonObject(text) ?? {} }
    }
    case 'function_call':
    case 'custom_tool_call': {
      const { type, text, ...call } = kind
      return type === 'function_call'
        ? { type, id: `fc_${suffix}`, status, ...call, arguments: text }
        : { type, id: `ctc_${suffix}`, status, ...call, input: text }
    }
  }
}

export const createTextPart = ({
  text,
  annotations,
  logprobs,
}: Omit<ResponseOutputText, 'type'>): ResponseOutputText => ({
  type: 'output_text',
  text,
  annotations,
  logprobs,
})
export const createRefusalPart = (refusal: string): ResponseRefusal => ({ type: 'refusal', refusal })
export const createSummaryPart = (text: string): ResponseReasoningSummary => ({ type: 'summary_text', text })

/** Converts the form of chat completions, where bytes may be missing. */
const formatLogprob = (entry: JsonObject): ResponseLogprob => ({
  ...formatToken(entry),
  top_logprobs: filterObjects(entry['top_logprobs']).map(formatToken),
})

const formatToken = ({ token, logprob, bytes }: JsonObject) => ({
  token: asString(token),
  logprob: Number(logprob),
  bytes: Array.isArray(bytes) ? bytes.map(Number) : [],
})

/** Converts the form of chat completions, which cite pages only. */
export function formatCitations(annotations: readonly JsonObject[]): ResponseCitation[] {
  return annotations.flatMap(({ url_citation: cited }) => {
    if (!isJsonObject(cited)) return []
    const { url, title, start_index, end_index } = cited
    return {
      type: 'url_citation' as const,
      url: asString(url),
      title: asString(title),
      start_index: Number(start_index ?? 0),
      end_index: Number(end_index ?? 0),
    }
  })
}

/** The item that a part belongs to; null for a part that this protocol cannot express. */
export function toItemContent(part: OutputIncrement, names: ToolNames): ItemContent | null {
  if (part.type === 'delta' && part.refusal) return { type: 'refusal', text: part.text }
  if (part.type === 'delta')
    return {
      type: 'message',
      text: part.text,
      logprobs: (part.logprobs ?? []).map(formatLogprob),
      annotations: [],
    }
  if (part.type === 'reasoning') return { type: 'reasoning', text: part.text, signed: [] }
  if (part.type === 'picture')
    return { type: 'image_generation_call', text: part.url.replace(/^data:[^,]*,/, '') }
  if (part.type !== 'tool_call') return null
  const { type, name, namespace } = names.toClientName(part.name)
  if (type === 'tool_search') return { type: 'tool_search_call', text: part.arguments, call_id: part.id }
  const tool: CalledTool = { name, ...(namespace ? { namespace } : {}) }
  const callType = type === 'custom' ? 'custom_tool_call' : 'function_call'
  return { type: callType, text: part.arguments, call_id: part.id, ...tool }
}

type ReasoningContent = Extract<ItemContent, { type: 'reasoning' }>

function addReasoning(kinds: ItemContent[]): ReasoningContent {
  const added: ReasoningContent = { type: 'reasoning', text: '', signed: [] }
  kinds.push(added)
  return added
}

/** Adds a signature, for the reasoning since the signature before it. */
export function signReasoning(
  { text, signed }: ReasoningContent,
  { signature, redacted }: Extract<OutputIncrement, { type: 'signature' }>,
): void {
  const signedChars = signed.reduce((chars, piece) => chars + piece.text.length, 0)
  signed.push(redacted ? { text: '', signature, redacted } : { text: text.slice(signedChars), signature })
}

/** The items of whole parts: adjacent parts of one type are one item, but each tool call is its own. */
function toItemContents(parts: OutputIncrement[], names: ToolNames): ItemContent[] {
  const kinds: ItemContent[] = []
  for (const part of parts) {
    if (part.type === 'annotations') {
      const cited = kinds.findLast((kind) => kind.type === 'message')
      cited?.annotations.push(...formatCitations(part.annotations))
    }
    if (part.type === 'signature') {
      const thought = kinds.findLast((kind) => kind.type === 'reasoning') ?? addReasoning(kinds)
      signReasoning(thought, part)
    }
    const kind = toItemContent(part, names)
    if (!kind) continue
    const last = kinds.at(-1)
    if (kind.type === 'custom_tool_call') kinds.push({ ...kind, text: decodeCustomInput(kind.text) })
    else if (last?.type === 'message' && kind.type === 'message') {
      last.text += kind.text
      last.logprobs.push(...kind.logprobs)
    } else if (last?.type === 'reasoning' && kind.type === 'reasoning') last.text += kind.text
    else kinds.push(kind)
  }
  return kinds
}
