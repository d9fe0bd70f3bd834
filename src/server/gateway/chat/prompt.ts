import type { CompletionMessage, CompletionRequest } from '#contract/gateway.ts'
import type { ModelEntry } from '../../llm/catalogue-schema.ts'
import type {
  ChatRequest,
  Content,
  ImagePart,
  JsonSchemaFormat,
  PromptMessage,
  Tool,
} from '../../llm/chat.ts'

/** What is asked of a platform in its own way, below and in the dialects, or is meant for the gateway alone. */
const UNDERSTOOD = `model messages stream stream_options max_tokens max_completion_tokens temperature top_p top_k stop seed n
  tools tool_choice response_format json_mode reasoning_effort retries provider_sort background sess_id`
/** Fields with which a platform asks another price than the one that is held. */
const PRICED = `service_tier best_of web_search_options enable_search search_config search_options modalities audio
  prediction store plugins`
const KEPT_BACK = new Set(`${UNDERSTOOD} ${PRICED}`.split(/\s+/))
/** What of a message is understood, and (`audio`) what has another price. */
const SPOKEN = new Set('role content tool_calls tool_call_id audio'.split(' '))

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
  return format.type === 'json_object' ? { type: 'json_object' } : schemaFormat(format.json_schema)
}

type Told<T> = { [Name in keyof T]?: T[Name] | null | undefined }

/** A JSON schema that an answer is to follow, as OpenAI's doors bring it. */
export function schemaFormat({
  name,
  schema,
  description,
  strict,
}: Pick<JsonSchemaFormat, 'name' | 'schema'> &
  Told<Pick<JsonSchemaFormat, 'description' | 'strict'>>): JsonSchemaFormat {
  return { type: 'json_schema', name, schema, ...given({ description, strict }) }
}

/** A tool, as OpenAI's doors bring it. */
export function toolOf({
  name,
  description,
  parameters,
  strict,
}: Pick<Tool, 'name'> & Told<Omit<Tool, 'name'>>): Tool {
  const own = parameters ?? { type: 'object', properties: {} }
  return { name, ...given({ description, strict }), parameters: own }
}

function toolsOf({
  tools,
  tool_choice: choice,
}: CompletionRequest): Pick<ChatRequest, 'tools' | 'tool_choice'> {
  if (!tools?.length) return {}
  return {
    tools: tools.map((tool) => toolOf(tool.function)),
    tool_choice:
      typeof choice === 'object' && choice ? { name: choice.function.name } : (choice ?? undefined),
  }
}

/** Those of the members that say something. */
function given<Members extends object>(members: Members) {
  const said = Object.entries(members).filter(
    ([, value]: [string, unknown]) => value !== null && value !== undefined && value !== '',
  )
  return Object.fromEntries(said) as { [Name in keyof Members]?: NonNullable<Members[Name]> }
}

function messageOf(message: CompletionMessage): PromptMessage {
  const more = Object.entries(message).filter(([name, value]) => !SPOKEN.has(name) && value !== null)
  return { ...spokenBy(message), ...(more.length ? { passed_on: Object.fromEntries(more) } : {}) }
}

function spokenBy(message: CompletionMessage): PromptMessage {
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
  | { type: 'image_url'; image_url: { url: string; detail?: string | null | undefined } }

function contentOf(content: string | SentPart[]): Content {
  if (typeof content === 'string') return content
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    if (part.type === 'refusal') return { type: 'text', text: part.refusal }
    const { url, detail } = part.image_url
    return { ...imageOf(url), ...given({ detail }) }
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
