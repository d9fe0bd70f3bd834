import type { JsonObject } from '#server/core/json.ts'
import { THINKING_BUDGET, toKnownEffort } from '../../catalogue/families.ts'
import type { Family } from '../../catalogue/families.ts'
import type { Effort, PromptTraits } from '../../catalogue/family-schema.ts'
import { pickForwardedFields } from '../../forwarded-fields.ts'
import { getContentText, isToolForced, joinTexts, listMedia, writeBase64 } from '../../chat-request.ts'
import type { ChatRequest, ContentPart, PromptMessage } from '../../chat-request.ts'
import type { ProviderRequest, ProviderTarget } from '../provider.ts'

/** Builds a chat completion for an OpenAI-compatible server: `base_url` is the part before `/chat/completions`. */
export function buildOpenaiRequest(target: ProviderTarget, request: ChatRequest): ProviderRequest {
  const { base_url, api_key } = target
  return {
    url: `${base_url}/chat/completions`,
    headers: api_key ? { authorization: `Bearer ${api_key}` } : {},
    body: buildBody(target, request),
  }
}

/** The body of `POST /chat/completions` (https://platform.openai.com/docs/api-reference/chat/create). */
function buildBody(
  { model, fields, family, promptTraits: traits }: ProviderTarget,
  request: ChatRequest,
): object {
  const { tool_choice, response_format: format, max_tokens, tools } = request
  const body: JsonObject = {
    ...family.adds,
    ...toThinkingFields(family, request.reasoning_effort),
    ...(tools ? family.with_tools : {}),
    ...pickForwardedFields('completion', request.provider_options?.openai ?? {}, fields),
    model,
    messages: markPrefix(answerResults(toMessages(request.messages, family, traits), traits), family),
    [family.max_tokens ?? 'max_tokens']: max_tokens,
    temperature: request.temperature,
    top_p: request.top_p,
    top_k: request.top_k,
    stop: request.stop_sequences,
    seed: request.seed,
    n: request.n,
    tools: tools?.map((tool) => ({ type: 'function', function: tool })),
    tool_choice: typeof tool_choice === 'object' ? { type: 'function', function: tool_choice } : tool_choice,
    response_format: format && toResponseFormat(format),
    stream: true,
    stream_options: { include_usage: true },
  }
  if (!tools?.length) body['parallel_tool_calls'] = undefined
  else if (isToolForced(request) && family.thinking?.refuses_forced_tools)
    Object.assign(body, family.thinking.off)
  for (const field of family.refuses) body[field] = undefined
  return body
}

/** The fields that make a model think as much as requested, or not at all, or as near to that as it can. */
function toThinkingFields({ thinking }: Family, effort: Effort | undefined): JsonObject {
  if (!thinking || !effort) return {}
  const { on, off, efforts, budget } = thinking
  const effortField = efforts ? { reasoning_effort: toKnownEffort(effort, efforts) } : {}
  if (effort === 'none') return efforts?.includes('none') ? effortField : (off ?? effortField)
  const budgetField = budget ? { [budget.field]: Math.min(THINKING_BUDGET[effort], budget.max) } : {}
  return { ...on, ...effortField, ...budgetField }
}

/** Marks an answer that is to be continued, where the platform wants a mark. */
function markPrefix(messages: JsonObject[], { prefix }: Family): JsonObject[] {
  const last = messages.at(-1)
  if (!prefix || last?.['role'] !== 'assistant' || last['tool_calls']) return messages
  return [...messages.slice(0, -1), { ...last, [prefix]: true }]
}

function toResponseFormat(format: NonNullable<ChatRequest['response_format']>): object {
  if (format.type === 'json') return { type: 'json_object' }
  const { type, ...jsonSchema } = format
  return { type, json_schema: jsonSchema }
}

/** Results of tools hold only text here: their pictures and files follow them, as shown by the user. */
function toMessages(
  messages: PromptMessage[],
  { system = 'system' }: Family,
  traits: PromptTraits,
): JsonObject[] {
  const result: JsonObject[] = []
  let mediaParts: object[] = []
  for (const [index, message] of messages.entries()) {
    const one = toMessage(message, traits)
    result.push(message.role === 'system' ? { ...one, role: system } : one)
    if (message.role !== 'tool') continue
    mediaParts.push(...listMedia(message.content).map(toPart))
    if (!mediaParts.length || messages[index + 1]?.role === 'tool') continue
    result.push({ role: 'user', content: mediaParts })
    mediaParts = []
  }
  return result
}

/** Puts an answer between the results of tools and the user's message, for platforms that refuse one right after the other. */
function answerResults(messages: JsonObject[], { results_before_answers }: PromptTraits): JsonObject[] {
  if (!results_before_answers) return messages
  return messages.flatMap((message, index) =>
    message['role'] === 'tool' && messages[index + 1]?.['role'] === 'user'
      ? [message, { role: 'assistant', content: 'Done.' }]
      : [message],
  )
}

/** The fields built here win over those in the provider's options. */
const toMessage = (message: PromptMessage, traits: PromptTraits): JsonObject => ({
  ...pickFields(message.provider_options?.openai, traits.message_fields),
  ...toRoleMessage(message, traits),
  ...(message.role === 'assistant' ? toReasoningFields(message, traits.reasoning) : {}),
})

const pickFields = (fields: JsonObject | undefined, names: readonly string[]): JsonObject =>
  fields ? Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))) : {}

/** Writes the reasoning where and as the model wants it back. */
function toReasoningFields(
  message: Extract<PromptMessage, { role: 'assistant' }>,
  place: PromptTraits['reasoning'],
): JsonObject {
  const text = message.reasoning?.text
  if (!text) return {}
  if (place === 'reasoning_details') return { reasoning_details: [{ type: 'reasoning.text', text }] }
  if (place !== 'content') return { [place]: text }
  const content = toContent(message)
  const parts = typeof content === 'string' ? (content ? [{ type: 'text', text: content }] : []) : content
  return { content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }, ...parts] }
}

function toRoleMessage(message: PromptMessage, { null_content }: PromptTraits): object {
  if (message.role === 'tool') {
    const { role, tool_call_id, content } = message
    return { role, tool_call_id, content: joinTexts(content) }
  }
  if (message.role !== 'assistant' || !message.tool_calls?.length)
    return { role: message.role, content: toContent(message) }
  const toolCalls = message.tool_calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))
  return {
    role: 'assistant',
    content: toContent(message) || (null_content ? null : ''),
    tool_calls: toolCalls,
  }
}

/** Text alone stays a string: not every server accepts parts. */
function toContent({ role, content }: PromptMessage): string | object[] {
  if (typeof content === 'string') return content
  // An answer with citations comes in pieces of one sentence.
  if (content.every(({ type }) => type === 'text'))
    return role === 'assistant' ? getContentText(content) : joinTexts(content)
  return content.map(toPart)
}

function toPart(part: ContentPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'audio')
    return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
  const url = 'url' in part ? part.url : `data:${part.media_type};base64,${writeBase64(part.data)}`
  if (part.type === 'file') {
    return { type: 'file', file: { ...(part.name ? { filename: part.name } : {}), file_data: url } }
  }
  return { type: 'image_url', image_url: { url, ...(part.detail ? { detail: part.detail } : {}) } }
}
