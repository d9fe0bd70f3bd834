import type { CompletionMessage, CompletionRequest } from '#contract/gateway.ts'
import type { ModelEntry } from '../../llm/catalogue-schema.ts'
import type { ChatRequest, Content, ImagePart, PromptMessage } from '../../llm/chat.ts'

/** What is asked of a platform in its own way, below and in the dialects, or is meant for the gateway alone. */
const UNDERSTOOD = `model messages stream stream_options max_tokens max_completion_tokens temperature top_p top_k stop seed n
  tools tool_choice response_format json_mode reasoning_effort retries provider_sort background sess_id`
/** Fields with which a platform asks another price than the one that is held. */
const PRICED = `service_tier best_of web_search_options enable_search search_config search_options modalities audio
  prediction store plugins`
const KEPT_BACK = new Set(`${UNDERSTOOD} ${PRICED}`.split(/\s+/))

/** A completion's request as every dialect understands it. */
export function promptOf(asked: CompletionRequest, model: ModelEntry): ChatRequest {
  const wanted = asked.max_completion_tokens ?? asked.max_tokens ?? model.max_tokens
  const { stop } = asked
  return {
    messages: asked.messages.map(messageOf),
    max_tokens: Math.min(wanted, model.max_tokens),
    temperature: asked.temperature ?? undefined,
    top_p: asked.top_p ?? undefined,
    top_k: asked.top_k ?? undefined,
    stop: typeof stop === 'string' ? [stop] : (stop ?? undefined),
    seed: asked.seed ?? undefined,
    reasoning_effort: asked.reasoning_effort ?? undefined,
    response_format: asked.json_mode ? { type: 'json_object' } : formatOf(asked.response_format),
    ...toolsOf(asked),
    passed_on: {
      openai: Object.fromEntries(Object.entries(asked).filter(([name]) => !KEPT_BACK.has(name))),
    },
  }
}

function formatOf(format: CompletionRequest['response_format']): ChatRequest['response_format'] {
  if (!format || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json_object' }
  const { name, schema } = format.json_schema
  return { type: 'json_schema', name, schema }
}

function toolsOf({
  tools,
  tool_choice: choice,
}: CompletionRequest): Pick<ChatRequest, 'tools' | 'tool_choice'> {
  if (!tools?.length) return {}
  return {
    tools: tools.map(({ function: { name, description, parameters } }) => ({
      name,
      ...(description ? { description } : {}),
      parameters: parameters ?? { type: 'object', properties: {} },
    })),
    tool_choice:
      typeof choice === 'object' && choice ? { name: choice.function.name } : (choice ?? undefined),
  }
}

function messageOf(message: CompletionMessage): PromptMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: contentOf(message.content) }
    case 'user':
      return { role: 'user', content: contentOf(message.content) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.tool_call_id, content: contentOf(message.content) }
    case 'assistant': {
      const tool_calls = message.tool_calls?.map(({ id, function: { name, arguments: text } }) => ({
        id,
        name,
        arguments: text,
      }))
      const content = contentOf(message.content ?? '')
      return { role: 'assistant', content, ...(tool_calls?.length ? { tool_calls } : {}) }
    }
  }
}

type SentPart =
  | { type: 'text'; text: string }
  | { type: 'refusal'; refusal: string }
  | { type: 'image_url'; image_url: { url: string } }

function contentOf(content: string | SentPart[]): Content {
  if (typeof content === 'string') return content
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    return part.type === 'refusal' ? { type: 'text', text: part.refusal } : imageOf(part.image_url.url)
  })
}

/** An address is fetched by the platform, never from here. */
export function imageOf(url: string): ImagePart {
  if (!url.startsWith('data:')) return { type: 'image', url }
  const comma = url.indexOf(',')
  return {
    type: 'image',
    media_type: url.slice('data:'.length, comma - ';base64'.length),
    data: url.slice(comma + 1),
  }
}
