import type {
  ResponseAnswer,
  ResponseItem,
  ResponseRequest,
  ResponseSummary,
  ResponseText,
  ResponseUsage,
} from '#contract/responses.ts'
import type { Ended } from '../../runs/finish.ts'
import { partsOf } from '../increments.ts'
import type { Increment } from '../increments.ts'
import { secondsOf } from '../source.ts'

/** What a response bears before anything is said: who it is, and what was asked. */
export type Head = ResponseAnswer

export const headOf = (run_id: string, asked: ResponseRequest): Head => ({
  id: `resp_${run_id}`,
  object: 'response',
  created_at: secondsOf(run_id),
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: asked.instructions ?? null,
  max_output_tokens: asked.max_output_tokens ?? null,
  metadata: asked.metadata ?? {},
  model: asked.model,
  output: [],
  parallel_tool_calls: asked.parallel_tool_calls ?? true,
  previous_response_id: null,
  reasoning: { effort: asked.reasoning?.effort ?? null, summary: null },
  store: false,
  temperature: asked.temperature ?? null,
  text: {
    format: asked.text?.format ?? { type: 'text' },
    ...(asked.text?.verbosity ? { verbosity: asked.text.verbosity } : {}),
  },
  tool_choice: asked.tool_choice ?? 'auto',
  tools: (asked.tools ?? []).map(({ type, name, description, parameters, strict }) => ({
    type,
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
  })),
  top_p: asked.top_p ?? null,
  truncation: 'disabled',
  access_programs: null,
})

/** An answer in the shape of OpenAI's Responses (https://platform.openai.com/docs/api-reference/responses/object). */
export function responseOf(head: Head, ended: Ended): ResponseAnswer {
  const kinds = kindsOf(partsOf(ended))
  const output = kinds.map((kind, index): ResponseItem => {
    const isLast = index === kinds.length - 1
    return itemOf(head, index, kind, isLast && reasonOf(ended) ? 'incomplete' : 'completed')
  })
  return { ...head, ...endOf(ended), output }
}

/** How an answer that came whole ended. */
export function endOf(ended: Ended): Pick<ResponseAnswer, 'status' | 'incomplete_details' | 'usage'> {
  const reason = reasonOf(ended)
  const usage = usageOf(ended.metered)
  return reason
    ? { status: 'incomplete', incomplete_details: { reason }, usage }
    : { status: 'completed', incomplete_details: null, usage }
}

/** Why less was said than could have been; null of an answer that is complete. */
export function reasonOf({ said: { finish } }: Ended): 'max_output_tokens' | 'content_filter' | null {
  if (finish === 'length') return 'max_output_tokens'
  return finish === 'content_filter' ? 'content_filter' : null
}

function usageOf({ tokens }: Ended['metered']): ResponseUsage {
  const { input, output, cached, cache_write, reasoning } = tokens
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: cache_write },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}

/** What an item says: `text` is a call's arguments. */
export type Kind =
  | { type: 'message' | 'reasoning'; text: string }
  | { type: 'function_call'; text: string; call_id: string; name: string }

/** An item of an answer. One that is only begun has no parts yet. */
export function itemOf(
  { id: response_id }: Head,
  index: number,
  kind: Kind,
  status: ResponseItem['status'],
): ResponseItem {
  const own = `${response_id.slice('resp_'.length)}_${index}`
  const begun = status !== 'in_progress'
  switch (kind.type) {
    case 'message': {
      const content = begun ? [textPart(kind.text)] : []
      return { type: 'message', id: `msg_${own}`, status, role: 'assistant', content }
    }
    case 'reasoning':
      return { type: 'reasoning', id: `rs_${own}`, status, summary: begun ? [summaryPart(kind.text)] : [] }
    case 'function_call': {
      const { call_id, name, text } = kind
      return { type: 'function_call', id: `fc_${own}`, status, call_id, name, arguments: text }
    }
  }
}

export const textPart = (text: string): ResponseText => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [],
})
export const summaryPart = (text: string): ResponseSummary => ({ type: 'summary_text', text })

/** Which item a part belongs to; null of one that this shape has no place for. */
export function kindOf(part: Increment): Kind | null {
  if (part.type === 'delta') return { type: 'message', text: part.text }
  if (part.type === 'reasoning') return { type: 'reasoning', text: part.text }
  if (part.type === 'signature') return null
  return { type: 'function_call', text: part.arguments, call_id: part.id, name: part.name }
}

/** The items of whole parts: what is said of the same kind without a break is one, but each call stands by itself. */
function kindsOf(parts: Increment[]): Kind[] {
  const kinds: Kind[] = []
  for (const kind of parts.flatMap((part) => kindOf(part) ?? [])) {
    const last = kinds.at(-1)
    if (last?.type === kind.type && kind.type !== 'function_call') last.text += kind.text
    else kinds.push(kind)
  }
  return kinds
}
