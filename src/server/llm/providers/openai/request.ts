import { getContentText } from '../../chat.ts'
import type { ChatRequest, Content, JsonSchemaFormat, PromptMessage } from '../../chat.ts'

/** The body of `POST /chat/completions` (https://platform.openai.com/docs/api-reference/chat/create). */
export function buildOpenaiBody(model: string, request: ChatRequest): object {
  const { tool_choice, response_format: format, max_tokens } = request
  // OpenAI's reasoning models refuse max_tokens and any sampling of one's own.
  const isReasoningModel = /^(o\d|gpt-5)/.test(model)
  // Nor does OpenAI know top_k, which most others do.
  const top_k = /^(gpt|chatgpt)/.test(model) ? undefined : request.top_k
  const sampling = { temperature: request.temperature, top_p: request.top_p, top_k, stop: request.stop }
  return {
    ...request.provider_options?.openai,
    model,
    messages: request.messages.map(toMessage),
    ...(isReasoningModel ? { max_completion_tokens: max_tokens } : { max_tokens, ...sampling }),
    seed: request.seed,
    reasoning_effort: request.reasoning_effort,
    tools: request.tools?.map((tool) => ({ type: 'function', function: tool })),
    tool_choice: typeof tool_choice === 'object' ? { type: 'function', function: tool_choice } : tool_choice,
    response_format: format?.type === 'json_schema' ? toSchemaFormat(format) : format,
    stream: true,
    stream_options: { include_usage: true },
  }
}

const toSchemaFormat = ({ type, ...json_schema }: JsonSchemaFormat): object => ({ type, json_schema })

/** What it brought of its own stays beside what is said here. */
const toMessage = (message: PromptMessage): object => ({ ...message.passed_on, ...toRoleMessage(message) })

function toRoleMessage(message: PromptMessage): object {
  if (message.role === 'tool') {
    const { role, tool_call_id, content } = message
    return { role, tool_call_id, content: getContentText(content) }
  }
  if (message.role !== 'assistant' || !message.tool_calls?.length)
    return { role: message.role, content: toContent(message.content) }
  const tool_calls = message.tool_calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))
  return { role: 'assistant', content: toContent(message.content) || null, tool_calls }
}

/** A text stays a plain one: not every server takes parts. */
function toContent(content: Content): string | object[] {
  if (typeof content === 'string' || content.every(({ type }) => type === 'text'))
    return getContentText(content)
  return content.map((part) => {
    if (part.type === 'text') return part
    const url = 'url' in part ? part.url : `data:${part.media_type};base64,${part.data}`
    return { type: 'image_url', image_url: { url, ...(part.detail ? { detail: part.detail } : {}) } }
  })
}
