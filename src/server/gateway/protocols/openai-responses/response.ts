import type {
  ResponseObject,
  ResponseOutputItem,
  ResponseRequest,
  ResponseReasoningSummary,
  ResponseOutputText,
  ResponseUsage,
} from '#contract/gateway/responses.ts'
import { getIdSeconds } from '#server/core/ids.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import { toIncrements } from '../../pipeline/response-writer.ts'
import type { OutputIncrement } from '../../pipeline/response-writer.ts'

/** A response before any output: its id, and the settings of the request. */
export type ResponseHeader = ResponseObject

export const createResponseHeader = (run_id: string, body: ResponseRequest): ResponseHeader => ({
  id: `resp_${run_id}`,
  object: 'response',
  created_at: getIdSeconds(run_id),
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  metadata: body.metadata ?? {},
  model: body.model,
  output: [],
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  previous_response_id: null,
  reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
  store: false,
  temperature: body.temperature ?? null,
  text: {
    format: body.text?.format ?? { type: 'text' },
    ...(body.text?.verbosity ? { verbosity: body.text.verbosity } : {}),
  },
  tool_choice: body.tool_choice ?? 'auto',
  tools: (body.tools ?? []).map(({ type, name, description, parameters, strict }) => ({
    type,
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
  })),
  top_p: body.top_p ?? null,
  truncation: 'disabled',
  access_programs: null,
})

/** A response in the shape of OpenAI's Responses (https://platform.openai.com/docs/api-reference/responses/object). */
export function formatResponse(head: ResponseHeader, result: CachedResult): ResponseObject {
  const kinds = toItemContents(toIncrements(result))
  const output = kinds.map((kind, index): ResponseOutputItem => {
    const isLast = index === kinds.length - 1
    return formatItem(head, index, kind, isLast && getIncompleteReason(result) ? 'incomplete' : 'completed')
  })
  return { ...head, ...formatEnd(result), output }
}

/** How a whole response ended. */
export function formatEnd(
  result: CachedResult,
): Pick<ResponseObject, 'status' | 'incomplete_details' | 'usage'> {
  const reason = getIncompleteReason(result)
  const usage = formatUsage(result.metered)
  return reason
    ? { status: 'incomplete', incomplete_details: { reason }, usage }
    : { status: 'completed', incomplete_details: null, usage }
}

/** Why the output was cut short; null for a complete one. */
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

/** The content of an item; `text` of a tool call is its arguments. */
export type ItemContent =
  | { type: 'message' | 'reasoning'; text: string }
  | { type: 'function_call'; text: string; call_id: string; name: string }

/** An item of the output. One in progress has no parts yet. */
export function formatItem(
  { id: response_id }: ResponseHeader,
  index: number,
  kind: ItemContent,
  status: ResponseOutputItem['status'],
): ResponseOutputItem {
  const own = `${response_id.slice('resp_'.length)}_${index}`
  const hasContent = status !== 'in_progress'
  switch (kind.type) {
    case 'message': {
      const content = hasContent ? [createTextPart(kind.text)] : []
      return { type: 'message', id: `msg_${own}`, status, role: 'assistant', content }
    }
    case 'reasoning':
      return {
        type: 'reasoning',
        id: `rs_${own}`,
        status,
        summary: hasContent ? [createSummaryPart(kind.text)] : [],
      }
    case 'function_call': {
      const { call_id, name, text } = kind
      return { type: 'function_call', id: `fc_${own}`, status, call_id, name, arguments: text }
    }
  }
}

export const createTextPart = (text: string): ResponseOutputText => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [],
})
export const createSummaryPart = (text: string): ResponseReasoningSummary => ({ type: 'summary_text', text })

/** The item that a part belongs to; null for a part that this protocol cannot express. */
export function toItemContent(part: OutputIncrement): ItemContent | null {
  if (part.type === 'delta') return { type: 'message', text: part.text }
  if (part.type === 'reasoning') return { type: 'reasoning', text: part.text }
  if (part.type === 'signature') return null
  return { type: 'function_call', text: part.arguments, call_id: part.id, name: part.name }
}

/** The items of whole parts: adjacent parts of one type are one item, but each tool call is its own. */
function toItemContents(parts: OutputIncrement[]): ItemContent[] {
  const kinds: ItemContent[] = []
  for (const kind of parts.flatMap((part) => toItemContent(part) ?? [])) {
    const last = kinds.at(-1)
    if (last?.type === kind.type && kind.type !== 'function_call') last.text += kind.text
    else kinds.push(kind)
  }
  return kinds
}
