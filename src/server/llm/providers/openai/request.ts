import { pickForwardedFields } from '../../forwarded-fields.ts'
import { getContentText, joinTexts, listMedia } from '../../chat-request.ts'
import type { ChatRequest, ContentPart, PromptMessage } from '../../chat-request.ts'
import type { ProviderRequest, ProviderTarget } from '../provider.ts'

/** A chat completion of an OpenAI-compatible server: `base_url` stands before `/chat/completions`. */
export function buildOpenaiRequest(target: ProviderTarget, request: ChatRequest): ProviderRequest {
  const { base_url, api_key } = target
  return {
    url: `${base_url}/chat/completions`,
    headers: api_key ? { authorization: `Bearer ${api_key}` } : {},
    body: buildBody(target, request),
  }
}

/** The body of `POST /chat/completions` (https://platform.openai.com/docs/api-reference/chat/create). */
function buildBody({ model, fields }: ProviderTarget, request: ChatRequest): object {
  const { tool_choice, response_format: format, max_tokens } = request
  // OpenAI's reasoning models reject max_tokens and all sampling parameters.
  const isReasoningModel = /^(o\d|gpt-5)/.test(model)
  // OpenAI does not support top_k, most others do.
  const top_k = /^(gpt|chatgpt)/.test(model) ? undefined : request.top_k
  const sampling = {
    temperature: request.temperature,
    top_p: request.top_p,
    top_k,
    stop: request.stop_sequences,
  }
  return {
    ...pickForwardedFields('completion', request.provider_options?.openai ?? {}, fields),
    model,
    messages: toMessages(request.messages),
    ...(isReasoningModel ? { max_completion_tokens: max_tokens } : { max_tokens, ...sampling }),
    seed: request.seed,
    n: request.n,
    reasoning_effort: toEffort(model, request.reasoning_effort),
    tools: request.tools?.map((tool) => ({ type: 'function', function: tool })),
    tool_choice: typeof tool_choice === 'object' ? { type: 'function', function: tool_choice } : tool_choice,
    response_format: format && toResponseFormat(format),
    stream: true,
    stream_options: { include_usage: true },
  }
}

/** OpenAI's models that know more than `high`: https://platform.openai.com/docs/guides/reasoning */
const XHIGH_MODEL = /^gpt-5(\.[2-9]|\.1-codex-max)/

function toEffort(model: string, effort: ChatRequest['reasoning_effort']): ChatRequest['reasoning_effort'] {
  if (effort !== 'xhigh' && effort !== 'max') return effort
  return XHIGH_MODEL.test(model) ? 'xhigh' : 'high'
}

function toResponseFormat(format: NonNullable<ChatRequest['response_format']>): object {
  if (format.type === 'json') return { type: 'json_object' }
  const { type, ...json_schema } = format
  return { type, json_schema }
}

/** Results of tools hold only text here: what else they brought follows them, as shown by the user. */
function toMessages(messages: PromptMessage[]): object[] {
  const written: object[] = []
  let shown: object[] = []
  for (const [index, message] of messages.entries()) {
    written.push(toMessage(message))
    if (message.role !== 'tool') continue
    shown.push(...listMedia(message.content).map(toPart))
    if (!shown.length || messages[index + 1]?.role === 'tool') continue
    written.push({ role: 'user', content: shown })
    shown = []
  }
  return written
}

/** The fields built here win over those in the provider's options. */
const toMessage = (message: PromptMessage): object => ({
  ...message.provider_options?.openai,
  ...toRoleMessage(message),
})

function toRoleMessage(message: PromptMessage): object {
  if (message.role === 'tool') {
    const { role, tool_call_id, content } = message
    return { role, tool_call_id, content: joinTexts(content) }
  }
  if (message.role !== 'assistant' || !message.tool_calls?.length)
    return { role: message.role, content: toContent(message) }
  const tool_calls = message.tool_calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))
  return { role: 'assistant', content: toContent(message) || null, tool_calls }
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
  const url = 'url' in part ? part.url : `data:${part.media_type};base64,${part.data}`
  if (part.type === 'file') {
    return { type: 'file', file: { ...(part.name ? { filename: part.name } : {}), file_data: url } }
  }
  return { type: 'image_url', image_url: { url, ...(part.detail ? { detail: part.detail } : {}) } }
}
