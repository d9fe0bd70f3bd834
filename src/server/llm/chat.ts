import type { ErrorCode } from '#contract/errors.ts'
import type { JsonObject } from '#server/core/json.ts'

/**
 * A picture: its bytes in base64, or an address that the platform itself fetches (not every one does). `detail`: how closely
 * it is looked at, in OpenAI's words.
 */
export type ImagePart = { type: 'image'; detail?: string } & (
  | { media_type: string; data: string }
  | { url: string }
)
export type ContentPart = { type: 'text'; text: string } | ImagePart
export type Content = string | ContentPart[]

/** A call that the model made. `arguments` is JSON text as the model wrote it: it may be broken. */
export type ToolCall = {
  id: string
  name: string
  arguments: string
  /** What the platform wants back beside the call, unread (Gemini's thought signature). */
  signature?: string
}

/** One message of a prompt as every dialect understands it. `tool` is the result of a call, after the message that made it. */
export type PromptMessage = (
  | { role: 'system' | 'user'; content: Content }
  | { role: 'assistant'; content: Content; tool_calls?: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: Content }
) & {
  /**
   * The same in Anthropic's blocks, of a message that came in them: platforms of that dialect get these, with what only
   * they understand (signed thoughts, marks for the cache).
   */
  blocks?: JsonObject[]
  /** Further fields of a message of OpenAI's dialect (`name`, `reasoning_content`), sent as they are to its platforms. */
  passed_on?: JsonObject
}

/** `parameters` is a JSON schema; `strict`: arguments are to follow it to the letter, where a platform can see to that. */
export type Tool = { name: string; description?: string; parameters: JsonObject; strict?: boolean }

/** `strict` as for tools. */
export type JsonSchemaFormat = {
  type: 'json_schema'
  name: string
  description?: string
  schema: JsonObject
  strict?: boolean
}

/** How a model is to think, in Anthropic's words. */
export type Thinking =
  | { type: 'enabled'; budget_tokens: number; display?: unknown }
  | { type: 'adaptive'; display?: unknown }
  | { type: 'disabled' }

/** What a run asks of an upstream. What a platform cannot do is left out of the call: see the dialects. */
export type ChatRequest = {
  messages: PromptMessage[]
  /** Tokens; already capped by the model's limit and the balance. Thinking counts. */
  max_tokens: number
  temperature?: number
  top_p?: number
  top_k?: number
  stop?: string[]
  seed?: number
  tools?: Tool[]
  /** `required`: some tool; `{ name }`: this one. */
  tool_choice?: 'auto' | 'none' | 'required' | { name: string }
  response_format?: { type: 'json_object' } | JsonSchemaFormat
  reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high'
  /** Goes before `reasoning_effort` where a platform speaks Anthropic's dialect and its model knows this way. */
  thinking?: Thinking
  /** Further fields of a dialect's own shape, sent as they are to its platforms and left out for all others. */
  provider_options?: { openai?: JsonObject; anthropic?: JsonObject }
}

/** Tokens. `cached` and `cache_write` are parts of `input`, `reasoning` of `output`. */
export type Usage = {
  input: number
  output: number
  cached: number
  reasoning: number
  /** Only of platforms that charge for what they put into their cache. */
  cache_write?: number
  /** `counted`: the upstream reported none (or nonsense), so a tokenizer counted. */
  source: 'upstream' | 'counted'
}

/**
 * What an upstream says, in order. `replace` carries the whole text so far (models whose name contains farui send
 * cumulative chunks). Role and empty chunks are never yielded.
 */
export type ChatPart =
  /**
   * `raw`: the event of OpenAI's dialect that says this and nothing else, as it came. `logprobs`: of its tokens, in that
   * dialect's words, where they were asked for.
   */
  | { type: 'delta'; text: string; raw?: string; logprobs?: JsonObject[] }
  | { type: 'replace'; text: string }
  | { type: 'reasoning'; text: string; raw?: string }
  /**
   * What the platform wants back with the reasoning since the last one, unread. `redacted`: it stands for reasoning that
   * is not shown.
   */
  | { type: 'signature'; signature: string; redacted?: true }
  /**
   * A piece of the call number `index` of this answer. `id`, `name` and `signature` come whole with its first piece, `id`
   * and `name` are empty after it; the `arguments` of all pieces joined are the call's.
   */
  | ({ type: 'tool_call'; index: number } & ToolCall)
  | { type: 'usage'; usage: Omit<Usage, 'source'> }
  /** The upstream reported a usage that cannot be true; it is not passed on: count instead, and mark the bill. */
  | { type: 'usage_flagged'; detail: string }
  /** Always the last part, and only of an answer that came whole. `stop_sequence`: the one that ended it, if it is known. */
  | { type: 'finish'; reason: string; stop_sequence?: string }

/**
 * Is told what an upstream says, part by part and in order. A promise: until it is fulfilled nothing more is said, nor
 * read from the upstream.
 */
export type OnPart<Part = ChatPart> = (part: Part) => Promise<void> | void

/** The text of a content, without its pictures. */
export function getContentText(content: Content): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/**
 * Milliseconds that each phase of an upstream call may take. `total_ms` ends what keeps itself alive without ever
 * finishing (comments count as a sign of life).
 */
export type Timeouts = { connect_ms: number; first_byte_ms: number; idle_ms: number; total_ms: number }

/** An upstream that failed. `code` is what the person is told; `detail` is for the operator's log only. */
export class UpstreamError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  /** Seconds, from Retry-After. */
  readonly retry_after: number | null

  constructor(code: ErrorCode, detail: string, retry_after: number | null = null) {
    super(`${code}: ${detail}`)
    this.name = 'UpstreamError'
    this.code = code
    this.detail = detail
    this.retry_after = retry_after
  }
}
