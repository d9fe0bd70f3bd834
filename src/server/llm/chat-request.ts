import type { JsonObject } from '#server/core/json.ts'
import { ByteSource } from './byte-source.ts'

/**
 * An image: its bytes in base64, the source that they are read from, or a URL that the platform itself fetches (not every one
 * does). `detail`: how closely it is examined (`low`, `high`, `auto`), on platforms that offer a choice.
 */
export type ImagePart = { type: 'image'; detail?: string } & (
  | { media_type: string; data: string | ByteSource }
  | { url: string }
)
/** Sound in base64; `format` as OpenAI's API names it: `wav`, `mp3`. */
export type AudioPart = { type: 'audio'; format: string; data: string }
/** A document other than text (PDF): its bytes in base64, or a URL that the platform itself fetches. */
export type FilePart = { type: 'file'; name?: string } & (
  | { media_type: string; data: string }
  | { url: string }
)
/** `cache_control`: the prompt is to be cached up to here, on platforms that want to be told. */
export type TextPart = { type: 'text'; text: string; cache_control?: JsonObject }
export type ContentPart = TextPart | ImagePart | AudioPart | FilePart
export type Content = string | ContentPart[]

/** A tool call by the model. `arguments` is JSON text as the model wrote it: it may be malformed. */
export type ToolCall = {
  id: string
  name: string
  arguments: string
  /** Opaque; the platform wants it back with the call (Gemini's thought signature). */
  signature?: string
}

/** The thoughts of a model before a message, and the parts of them that its platform signed, with an opaque signature each. */
export type Reasoning = { text: string; signed?: SignedReasoning[] }
/** `redacted`: the signature stands for thoughts that are not shown. */
export type SignedReasoning = { text: string; signature: string; redacted?: true | undefined }

/** One message of a prompt. `tool` is the result of a call, after the message with that call. */
export type PromptMessage = (
  | { role: 'system' | 'user'; content: Content }
  | { role: 'assistant'; content: Content; tool_calls?: ToolCall[]; reasoning?: Reasoning }
  | { role: 'tool'; tool_call_id: string; content: Content }
) & { provider_options?: MessageOptions }

/** A message in the form of one vendor's API. Each provider sends its own part only. */
type MessageOptions = {
  /** Further fields of the message (`name`), sent unchanged where the platform knows them. */
  openai?: JsonObject
  /** The whole message as content blocks, sent in place of it: signed thinking and cache marks exist only there. */
  anthropic?: { blocks: JsonObject[] }
}

/** `parameters` is a JSON schema; `strict`: arguments must match it exactly, on platforms that can guarantee that. */
export type Tool = {
  name: string
  description?: string
  parameters: JsonObject
  strict?: boolean
  /** Only a search for tools can find it, and has not yet. */
  deferred?: true
}

/** `strict` as for tools. */
export type JsonSchemaFormat = {
  type: 'json_schema'
  name: string
  description?: string
  schema: JsonObject
  strict?: boolean
}

/** Anthropic's `thinking` field. */
export type AnthropicThinking =
  | { type: 'enabled'; budget_tokens: number; display?: unknown }
  | { type: 'adaptive'; display?: unknown; block_binding?: unknown }
  | { type: 'disabled' }

/**
 * Fields in the form of one vendor's API. Each provider sends only those of its own part that the lists of forwarded-fields.ts
 * and the platform's `fields` name.
 */
type ProviderOptions = {
  openai?: JsonObject
  /** `thinking` takes precedence over `reasoning_effort` where the model supports that kind. */
  anthropic?: JsonObject & { thinking?: AnthropicThinking }
  /** Values of Anthropic's `anthropic-beta` header. */
  anthropic_betas?: string[]
}

/** A chat request in no vendor's form. A provider leaves out of its call everything that the platform does not support. */
export type ChatRequest = {
  messages: PromptMessage[]
  /** Tokens, reasoning included; already capped by the model's limit and the balance. */
  max_tokens: number
  temperature?: number
  top_p?: number
  top_k?: number
  stop_sequences?: string[]
  seed?: number
  tools?: Tool[]
  /** `required`: some tool; `{ name }`: this one. */
  tool_choice?: 'auto' | 'none' | 'required' | { name: string }
  /** `json`: a JSON object with any fields. */
  response_format?: { type: 'json' } | JsonSchemaFormat
  /** A platform that does not know the value gets the nearest that it knows. */
  reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  /** The kinds of content that the answer may have; text where absent. */
  modalities?: ('text' | 'image')[]
  /** Answers, each of at most `max_tokens`; for models with the capability `choices` only. One where absent. */
  n?: number
  provider_options?: ProviderOptions
}

/** Switches thinking on or off in a request that says nothing about it. */
export function applyThinking(request: ChatRequest, thinking: 'on' | 'off' | undefined): ChatRequest {
  if (!thinking || request.reasoning_effort || request.provider_options?.anthropic?.thinking) return request
  return { ...request, reasoning_effort: thinking === 'on' ? 'medium' : 'none' }
}

/**
 * The text of a content for a place that takes no parts. Each part is on lines of its own, since two parts are rarely one
 * sentence; servers with one string for a content join them in the same way.
 */
export function joinTexts(content: Content): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
}

/** The parts of a content other than text. */
export const listMedia = (content: Content): ContentPart[] =>
  typeof content === 'string' ? [] : content.filter(({ type }) => type !== 'text')

/** Base64 for a JSON text, in which the placeholder of a source stands for its bytes. */
export const writeBase64 = (data: string | ByteSource): string =>
  typeof data === 'string' ? data : data.placeholder

/** The sources that the images of a prompt are read from. */
export function listSources(messages: readonly PromptMessage[]): ByteSource[] {
  const sources: ByteSource[] = []
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const part of content)
      if (part.type === 'image' && 'data' in part && part.data instanceof ByteSource) sources.push(part.data)
  }
  return sources
}

/** The text of a content, without its images and the like. */
export function getContentText(content: Content): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Tells whether the model must call a tool, any or a certain one. */
export const isToolForced = ({ tool_choice }: Pick<ChatRequest, 'tool_choice'>): boolean =>
  typeof tool_choice === 'object' || tool_choice === 'required'
